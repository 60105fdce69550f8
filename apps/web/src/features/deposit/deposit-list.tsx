import { useApiPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { ExactAmount } from '../../ui/exact-amount.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TxHash } from '../../ui/tx-hash.tsx';
import { ErrorState } from '../../ui/error-state.tsx';

export function DepositList() {
  const t = useT();
  const deposits = useApiPages('getMyDeposits', { pageSize: 10 }, { refetchIntervalMs: 10_000 });
  return (
    <section>
      <h3 className="mb-1">{t('account.depositDialog.list')}</h3>
      {deposits.loading && <Skeleton height={36} />}
      {deposits.error && <ErrorState height={80} error={deposits.error} onRetry={deposits.retry} />}
      {!deposits.loading && !deposits.error && deposits.rows.length === 0 && (
        <p className="text-sm text-faint">{t('account.depositDialog.none')}</p>
      )}
      <ul className="flex flex-col">
        {deposits.rows.map((deposit) => (
          <li
            key={deposit.id}
            className="flex items-center justify-between gap-3 border-b border-line/55 py-1.5 text-sm last:border-0"
          >
            <span className="flex flex-col">
              <span className="font-semibold">
                <ExactAmount value={deposit.amount} /> <bdi>{deposit.tokenSymbol}</bdi>
              </span>
              <span className="text-xs text-faint">
                {t(`account.depositDialog.${deposit.status}`)} · <RelativeTime timeMs={deposit.time} />
              </span>
            </span>
            <TxHash hash={deposit.txHash} />
          </li>
        ))}
      </ul>
      <LoadMore list={deposits} />
    </section>
  );
}
