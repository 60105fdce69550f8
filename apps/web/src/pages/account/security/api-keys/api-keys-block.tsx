import type { CallReply } from '@hunter/contract/calls';
import { formatSol } from '@hunter/domain/format/format-sol';
import { useState } from 'react';
import { api } from '../../../../data/api.ts';
import { refreshCalls, useApiQuery } from '../../../../data/use-api-query.ts';
import { useT } from '../../../../i18n/i18n.ts';
import { late } from '../../../../ui/late.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Chip } from '../../../../ui/chip.tsx';
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx';
import { QueryError } from '../../../../ui/error-state.tsx';
import { RelativeTime } from '../../../../ui/relative-time-text.tsx';
import { Skeleton } from '../../../../ui/skeleton.tsx';
import { toast } from '../../../../ui/toast-store.ts';

export type ShownApiKey = CallReply<'getMyApiKeys'>['lists'][number];

const ApiKeyDialog = late(() => import('./api-key-dialog.tsx'));

export function ApiKeysBlock() {
  const t = useT();
  const keys = useApiQuery('getMyApiKeys', {}, { quiet: true, refetchIntervalMs: 30_000 });
  const [isMaking, setMaking] = useState(false);
  const [deleted, setDeleted] = useState<ShownApiKey | null>(null);

  async function remove({ id }: ShownApiKey): Promise<void> {
    await api.call('revokeApiKey', { id });
    setDeleted(null);
    toast.success(t('account.apiKeys.deleted'));
    void refreshCalls('getMyAuditLog');
    await keys.refetch();
  }

  if (keys.isError && !keys.data) return <QueryError query={keys} height={100} />;
  if (!keys.data) return <Skeleton height={72} />;
  return (
    <div className="flex flex-col items-start gap-3">
      {keys.data.lists.length > 0 && (
        <ul className="flex w-full flex-col" data-testid="api-keys">
          {keys.data.lists.map((key) => (
            <KeyRow key={key.id} shown={key} onDelete={() => setDeleted(key)} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button tone="ghost" onClick={() => setMaking(true)}>
          {t('account.apiKeys.make')}
        </Button>
        <a href="/api/docs" target="_blank" rel="noreferrer" className="text-sm font-medium text-accent-text">
          {t('account.apiKeys.docs')}
        </a>
      </div>
      {isMaking && <ApiKeyDialog onMade={() => void keys.refetch()} onClose={() => setMaking(false)} />}
      {deleted && (
        <ConfirmDialog
          open
          tone="sell"
          title={t('account.apiKeys.deleteTitle', { name: deleted.name })}
          text={t('account.apiKeys.deleteText')}
          confirmLabel={t('account.apiKeys.delete')}
          onConfirm={() => remove(deleted)}
          onClose={() => setDeleted(null)}
        />
      )}
    </div>
  );
}

function KeyRow({ shown, onDelete }: { shown: ShownApiKey; onDelete: () => void }) {
  const t = useT();
  return (
    <li className="flex items-center justify-between gap-3 border-b border-line/55 py-2.5">
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="truncate font-semibold">{shown.name}</bdi>
          <Chip tone={shown.scope === 'trade' ? 'warn' : 'plain'}>{t(`account.apiKeys.scopes.${shown.scope}`)}</Chip>
          <code className="font-mono text-sm text-faint">…{shown.hint}</code>
        </span>
        <span className="num block text-sm text-faint">
          {t(shown.expired ? 'account.apiKeys.expired' : 'account.apiKeys.expires')}{' '}
          <RelativeTime timeMs={shown.expiresAt} />
          {' · '}
          {shown.lastUsedAt === null ? (
            t('account.apiKeys.neverUsed')
          ) : (
            <>
              {t('account.apiKeys.lastUsed')} <RelativeTime timeMs={shown.lastUsedAt} /> ({shown.lastUsedFrom})
            </>
          )}
        </span>
        <span className="num block text-sm text-faint">
          {shown.dailySol !== null &&
            `${t('account.apiKeys.spent', { spent: formatSol(shown.spentTodaySol), limit: formatSol(shown.dailySol) })} · `}
          {t('account.apiKeys.perSecond', { count: shown.requestsPerSecond })}
          {shown.addresses.length > 0 && ` · ${shown.addresses.join(', ')}`}
        </span>
      </span>
      <Button
        tone="ghost"
        size="s"
        aria-label={t('account.apiKeys.deleteLabel', { name: shown.name })}
        onClick={onDelete}
      >
        {t('account.apiKeys.delete')}
      </Button>
    </li>
  );
}
