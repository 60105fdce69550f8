import { formatPercent } from '@hunter/domain/format/format-percent';
import { useState } from 'react';
import { attempt } from '../../data/attempts.ts';
import { useUser } from '../../data/session.ts';
import { refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import { useMoneyAction } from '../../data/use-money-action.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { shortAddress } from '../../ui/short-address.ts';
import { amountProblem, tidyAmount } from '../../ui/sol-amount.ts';
import { SolField } from '../../ui/sol-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { Warning } from '../../ui/warning.tsx';
import { DEFAULT_TEXT, requestOf, wrongFields } from './settings-form.ts';
import { SettingsFields } from './settings-fields.tsx';

type Props = { address: string; name: string | null; onClose: () => void };

/** Follows a wallet on chain with money in a book of its own. */
export default function FollowWalletDialog({ address, name: given, onClose }: Props) {
  const t = useT();
  const available = useUser((user) => user?.walletInfo?.available ?? null);
  const [name, setName] = useState(given ?? shortAddress(address));
  const [slug, setSlug] = useState('');
  const [text, setText] = useState('');
  const [settings, setSettings] = useState(DEFAULT_TEXT);
  const [touched, setTouched] = useState(false);
  const { pending, failed, run, forget } = useMoneyAction();
  const amount = tidyAmount(text);
  const isOwnBook = slug === '';
  const problem = isOwnBook ? amountProblem(text, available) : null;
  const nameWrong = name.trim() === '' || name.trim().length > 32;

  async function submit(): Promise<void> {
    setTouched(true);
    forget();
    if (problem !== null || nameWrong || wrongFields(settings).size > 0 || pending) return;
    await run(async () => {
      const where = isOwnBook ? { amount } : { slug };
      await attempt('followWallet', { address, name: name.trim(), ...where, settings: requestOf(settings) });
      toast.success(t('walletFollow.started'));
      void refreshCalls('getMyWalletFollows', 'getMyFirstSteps');
      onClose();
    });
  }

  return (
    <Dialog
      open
      width={560}
      onClose={onClose}
      locked={pending}
      title={<bdi>{t('walletFollow.title', { name: given ?? shortAddress(address) })}</bdi>}
      description={t(isOwnBook ? 'walletFollow.text' : 'walletFollow.strategyText')}
    >
      <Form className="flex flex-col gap-4" onSubmit={() => void submit()}>
        <Copyable address={address} maxGap={settings.maxGap} />
        <TextField
          label={t('walletFollow.name')}
          error={touched && nameWrong ? t('walletFollow.errors.name') : null}
          value={name}
          maxLength={32}
          onChange={(event) => setName(event.target.value)}
          disabled={pending}
        />
        <Where slug={slug} onSlug={setSlug} disabled={pending} />
        {isOwnBook && (
          <SolField
            label={t('walletFollow.amount')}
            value={text}
            onValue={setText}
            available={available}
            availableText={(shown) => t('strategy.follow.amountAside', { amount: shown })}
            error={(touched || problem === 'exceeds') && problem ? t(`strategy.follow.errors.${problem}`) : null}
            disabled={pending}
          />
        )}
        <SettingsFields value={settings} onValue={setSettings} disabled={pending} />
        {failed && <Warning text={t(failed === 'unknown' ? 'ui.noAnswer' : 'walletFollow.failed')} />}
        <div className="in-reach">
          <Button type="submit" size="l" className="w-full" pending={pending}>
            {isOwnBook && problem === null ? t('walletFollow.submit', { amount }) : t('walletFollow.submitEmpty')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** A creator may run a strategy this way; its page says so. */
function Where({ slug, onSlug, disabled }: { slug: string; onSlug: (slug: string) => void; disabled: boolean }) {
  const t = useT();
  const { data } = useApiQuery('getStrategyList', { scope: 'created', pageSize: 50 });
  const running = data?.lists.filter(({ status }) => status === 'running') ?? [];
  if (running.length === 0) return null;
  return (
    <SelectField
      label={t('walletFollow.where')}
      value={slug}
      onValue={onSlug}
      disabled={disabled}
      className="w-full"
      options={[
        { key: '', label: t('walletFollow.ownBook') },
        ...running.map((own) => ({ key: own.slug, label: t('walletFollow.ownStrategy', { name: own.name }) })),
      ]}
    />
  );
}

/** How much of what the wallet bought could have been bought after it. Keeps its height while it loads. */
function Copyable({ address, maxGap }: { address: string; maxGap: string }) {
  const t = useT();
  const rested = useDebounced(/^\d{1,2}(\.\d{1,2})?$/.test(maxGap) ? maxGap : '3', 300);
  const { data } = useApiQuery('previewWalletFollow', { address, maxGap: rested }, { keepPrevious: true });
  return (
    <p className="min-h-[2.9em] rounded-m bg-hover px-3 py-2 text-sm text-muted" data-testid="copyable">
      {data &&
        (data.buys === 0
          ? t('walletFollow.previewNone')
          : t('walletFollow.preview', {
              buys: data.buys,
              copyable: data.copyable,
              share: formatPercent(data.copyableShare).replace('+', ''),
              seconds: data.delayMs / 1000,
              gap: formatPercent(data.medianGap),
            }))}
    </p>
  );
}
