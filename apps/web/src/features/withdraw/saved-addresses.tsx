import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';

type Saved = { toWallet: string; label: string };

/** Addresses with a name. Being saved makes none of them trusted: only a withdrawal that arrived does. */
export function SavedAddresses() {
  const t = useT();
  const saved = useApiQuery('getMyWithdrawalAddresses', {}, { quiet: true });
  const [edited, setEdited] = useState<Saved | null>(null);
  const [removed, setRemoved] = useState<Saved | null>(null);
  const remove = useApiMutation('removeWithdrawalAddress', { refresh: ['getMyWithdrawalAddresses'] });
  if (saved.isError && !saved.data) return <QueryError query={saved} height={80} />;
  if (!saved.data) return <Skeleton height={80} />;
  const addresses = saved.data.lists;
  return (
    <div className="flex flex-col gap-3">
      {addresses.length === 0 && <p className="text-sm text-faint">{t('account.addresses.none')}</p>}
      <ul data-testid="saved-addresses">
        {addresses.map((row) => (
          <li
            key={row.toWallet}
            className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 border-b border-line/55 py-2 last:border-0"
          >
            <span className="min-w-0 flex-1 basis-60">
              <span className="flex items-center gap-2">
                <bdi className="truncate font-semibold">{row.label}</bdi>
                <Chip tone={row.usedBefore ? 'accent' : 'warn'}>
                  {t(row.usedBefore ? 'account.addresses.used' : 'account.addresses.unused')}
                </Chip>
              </span>
              <span className="block font-mono text-xs break-all text-muted">{row.toWallet}</span>
            </span>
            <span className="flex gap-2">
              <Button
                tone="ghost"
                size="s"
                aria-label={t('account.addresses.renameLabel', { label: row.label })}
                onClick={() => setEdited(row)}
              >
                {t('account.addresses.rename')}
              </Button>
              <Button
                tone="ghost"
                size="s"
                aria-label={t('account.addresses.removeLabel', { label: row.label })}
                onClick={() => setRemoved(row)}
              >
                {t('account.addresses.remove')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <AddressForm key={edited?.toWallet ?? ''} edited={edited} onDone={() => setEdited(null)} />
      {removed && (
        <ConfirmDialog
          open
          title={t('account.addresses.removeTitle', { label: removed.label })}
          confirmLabel={t('account.addresses.remove')}
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await remove.mutateAsync({ toWallet: removed.toWallet });
            setRemoved(null);
          }}
        />
      )}
    </div>
  );
}

function AddressForm({ edited, onDone }: { edited: Saved | null; onDone: () => void }) {
  const t = useT();
  const save = useApiMutation('saveWithdrawalAddress', { refresh: ['getMyWithdrawalAddresses'] });
  const [toWallet, setToWallet] = useState(edited?.toWallet ?? '');
  const [label, setLabel] = useState(edited?.label ?? '');
  const isComplete = toWallet.trim() !== '' && label.trim() !== '';
  return (
    <Form
      className="flex flex-col gap-2"
      onSubmit={() => {
        if (!isComplete) return;
        save
          .mutateAsync({ toWallet: toWallet.trim(), label: label.trim() })
          .then(() => {
            toast.success(t('account.security.saved'));
            setToWallet('');
            setLabel('');
            onDone();
          })
          // The reason is shown as a toast.
          .catch(() => {});
      }}
    >
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <TextField
          label={t('account.addresses.label')}
          value={label}
          maxLength={40}
          autoComplete="off"
          onChange={(event) => setLabel(event.target.value)}
        />
        <TextField
          label={t('account.addresses.address')}
          value={toWallet}
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
          inputClassName="font-mono text-sm!"
          disabled={edited !== null}
          onChange={(event) => setToWallet(event.target.value)}
        />
      </div>
      <div className="flex gap-2">
        <Button type="submit" tone="ghost" pending={save.isPending} disabled={!isComplete}>
          {t(edited ? 'account.addresses.rename' : 'account.addresses.add')}
        </Button>
        {edited && (
          <Button tone="ghost" onClick={onDone}>
            {t('ui.cancel')}
          </Button>
        )}
      </div>
    </Form>
  );
}
