import { useState } from 'react';
import { api } from '../../data/api.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useI18n } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { shortAddress } from '../../ui/short-address.ts';
import { toast } from '../../ui/toast-store.ts';
import { TxHash } from '../../ui/tx-hash.tsx';
import { Amount } from './withdrawal-result.tsx';
import { ErrorState } from '../../ui/error-state.tsx';

/** Earlier withdrawals; one that is held can still be canceled. */
export function WithdrawalList() {
  const { t, language } = useI18n();
  const withdrawals = useApiPages('getMyWithdrawals', { pageSize: 10 }, { refetchIntervalMs: 10_000 });
  const [canceling, setCanceling] = useState<string | null>(null);

  async function cancel(id: string): Promise<void> {
    setCanceling(id);
    try {
      await api.call('cancelWithdrawal', { id });
      toast.success(t('account.withdrawDialog.canceled'));
      withdrawals.retry();
    } catch {
      // The reason is shown as a toast.
    } finally {
      setCanceling(null);
    }
  }

  // One that is held can be canceled here, so that a list which did not come must not look like none.
  if (withdrawals.error) return <ErrorState height={80} error={withdrawals.error} onRetry={withdrawals.retry} />;
  if (withdrawals.rows.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1">{t('account.withdrawDialog.list')}</h3>
      <ul className="flex flex-col">
        {withdrawals.rows.map((row) => (
          <li
            key={row.id}
            className="flex items-center justify-between gap-3 border-b border-line/55 py-1.5 text-sm last:border-0"
          >
            <span className="flex flex-col">
              <span className="flex items-center gap-2 font-semibold">
                <Amount of={row} />
                <Chip tone={row.status === 'held' || row.status === 'failed' ? 'warn' : 'plain'}>
                  {t(`account.withdrawDialog.status.${row.status}`)}
                </Chip>
              </span>
              <span className="num text-xs text-faint" title={row.toWallet}>
                {row.label !== null && <bdi>{row.label} · </bdi>}
                {shortAddress(row.toWallet)} · <RelativeTime timeMs={row.createdAt} />
              </span>
              {row.heldUntil !== null && (
                <span className="text-xs text-warn">
                  {t('account.withdrawDialog.held', { time: exactTime(row.heldUntil, language) })}
                </span>
              )}
            </span>
            {row.status === 'held' ? (
              <Button tone="ghost" size="s" pending={canceling === row.id} onClick={() => void cancel(row.id)}>
                {t('account.withdrawDialog.cancel')}
              </Button>
            ) : (
              <TxHash hash={row.txHash} />
            )}
          </li>
        ))}
      </ul>
      <LoadMore list={withdrawals} />
    </section>
  );
}
