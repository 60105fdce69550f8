import type { ChannelData } from '@hunter/contract/stream';
import { useT } from '../../i18n/i18n.ts';
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx';
import { Ring } from '../../ui/ring.tsx';

export type Deposit = ChannelData<'deposits'>;

/** What came in while one looks, or that nothing has yet. */
export function NewestDeposit({ deposit }: { deposit: Deposit | null }) {
  const t = useT();
  return (
    <div
      className="flex min-h-11 items-center gap-3 rounded-m bg-hover px-3.5 py-2.5"
      role="status"
      data-testid="deposit-state"
    >
      {deposit ? (
        <Arrived deposit={deposit} />
      ) : (
        <>
          <Ring size={16} />
          <span className="text-sm text-muted">{t('account.depositDialog.waiting')}</span>
        </>
      )}
    </div>
  );
}

function Arrived({ deposit: { amount, tokenSymbol: symbol, status } }: { deposit: Deposit }) {
  const t = useT();
  const isDropped = status === 'orphaned';
  return (
    <>
      {isDropped ? (
        <WarningIcon size={18} className="shrink-0 text-warn" />
      ) : (
        <CheckIcon size={18} className="shrink-0 text-accent-text" />
      )}
      <span>
        <b>{isDropped ? `${amount}\u00a0${symbol}` : t('account.depositDialog.received', { amount, symbol })}</b>{' '}
        <span className="text-sm text-muted">{t(`account.depositDialog.${status}`)}</span>
      </span>
    </>
  );
}
