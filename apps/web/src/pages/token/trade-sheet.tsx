import type { ReactNode } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button } from '../../ui/button.tsx';
import type { TradeSide } from '../../features/trade/trade-panel.tsx';

const Dialog = late(async () => ({ default: (await import('../../ui/dialog.tsx')).Dialog }));

/** On narrow screens: two buttons at the thumb's reach, and the panel as a sheet from below. */
export function TradeSheet({
  symbol,
  open,
  locked,
  onOpen,
  onClose,
  children,
}: {
  symbol: string;
  open: boolean;
  /** While an order is under way: its outcome is seen where it was placed. */
  locked: boolean;
  onOpen: (side: TradeSide) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useT();
  return (
    <>
      <div
        className="fixed inset-x-0 bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-20 grid grid-cols-2 gap-2.5 border-t border-line bg-surface px-3 py-2.5"
        data-testid="trade-bar"
      >
        <Button tone="buy" size="l" onClick={() => onOpen('buy')}>
          {t('trade.buy')}
        </Button>
        <Button tone="sell" size="l" onClick={() => onOpen('sell')}>
          {t('trade.sell')}
        </Button>
      </div>
      {open && (
        <Dialog open locked={locked} onClose={onClose} title={<bdi>{symbol}</bdi>}>
          {children}
        </Dialog>
      )}
    </>
  );
}
