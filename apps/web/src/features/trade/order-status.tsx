import { formatSol } from '@hunter/domain/format/format-sol';
import { formatTokens } from '@hunter/domain/format/format-tokens';
import type { ReactNode } from 'react';
import { useI18n } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx';
import { Ring } from '../../ui/ring.tsx';
import { TxHash } from '../../ui/tx-hash.tsx';
import type { Order, OrderProgress } from './order-progress.ts';
import { refusalText } from './refusal-text.ts';

/** How far the order is: signing, sent, confirmed with its hash, or why not. */
export function OrderStatus({
  progress,
  symbol,
  onAskAgain,
}: {
  progress: OrderProgress;
  symbol: string;
  onAskAgain: () => void;
}) {
  const { t, language } = useI18n();
  switch (progress.phase) {
    case 'idle':
      return null;
    case 'signing':
      return <Line icon={<Ring size={15} />}>{t('trade.progress.signing')}</Line>;
    case 'sent':
      return (
        <Line icon={<Ring size={15} />} hash={progress.txHash}>
          {t('trade.progress.sent')}
        </Line>
      );
    case 'confirmed':
      return (
        <Line icon={<CheckIcon size={16} className="text-accent-text" />} hash={progress.order.txHash}>
          {receipt(progress.order, symbol, t)}
        </Line>
      );
    case 'refused':
      return (
        <Line icon={<WarningIcon size={16} className="text-warn" />} hash={progress.txHash}>
          {refusalText(progress.refusal, language)}
        </Line>
      );
    case 'lost':
      return (
        <Line icon={<WarningIcon size={16} className="text-warn" />}>
          {t('trade.progress.lost')}
          <Button size="s" tone="ghost" className="mt-1.5" onClick={onAskAgain}>
            {t('trade.progress.askAgain')}
          </Button>
        </Line>
      );
    default:
      return progress satisfies never;
  }
}

function receipt(order: Order, symbol: string, t: ReturnType<typeof useI18n>['t']): string {
  if (order.amountOut === null) return t('trade.progress.confirmed');
  const [sol, tokens] = order.side === 'buy' ? [order.amountIn, order.amountOut] : [order.amountOut, order.amountIn];
  return t(order.side === 'buy' ? 'trade.progress.bought' : 'trade.progress.sold', {
    tokens: formatTokens(tokens),
    sol: formatSol(sol),
    symbol,
  });
}

function Line({ icon, hash = null, children }: { icon: ReactNode; hash?: string | null; children: ReactNode }) {
  const { t } = useI18n();
  return (
    <div
      role="status"
      className="mt-2.5 flex items-start max-lg:mt-0 max-lg:mb-2.5 gap-2 rounded-lg border border-line bg-bg px-2.5 py-2 text-sm"
      data-testid="order-status"
    >
      <span className="mt-px grid size-4 shrink-0 place-items-center">{icon}</span>
      <div className="min-w-0 flex-1 break-words">
        {children}
        {hash !== null && (
          <div className="flex items-center gap-1 text-xs text-faint">
            {t('trade.progress.hash')}
            <span data-testid="order-hash" data-hash={hash}>
              <TxHash hash={hash} />
            </span>
          </div>
        )}
      </div>
    </div>
  );
}
