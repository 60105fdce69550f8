import type { ReactNode } from 'react';
import { useLivePrice } from '../../data/live-prices.ts';
import type { TokenInfo } from '../../features/token-overview/use-token-info.ts';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button } from '../../ui/button.tsx';
import { Percent, Price } from '../../ui/numbers.tsx';
import type { TradeSide } from '../../features/trade/trade-panel.tsx';

const Dialog = late(async () => ({ default: (await import('../../ui/dialog.tsx')).Dialog }));

/** On narrow screens: two buttons at the thumb's reach, and the panel as a sheet from below. */
export function TradeSheet({
  address,
  token,
  open,
  onOpen,
  onClose,
  children,
}: {
  address: string;
  token: TokenInfo['token'] | undefined;
  open: boolean;
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
        <Dialog
          open
          onClose={onClose}
          title={<bdi>{token?.tokenSymbol}</bdi>}
          description={token && <PriceNow address={address} token={token} />}
        >
          {children}
        </Dialog>
      )}
    </>
  );
}

/** The sheet covers that of the page. */
function PriceNow({ address, token }: { address: string; token: TokenInfo['token'] }) {
  const t = useT();
  const { price, change1h } = useLivePrice(address) ?? token;
  return (
    <span className="num" data-testid="sheet-price">
      <Price value={price} /> <Percent value={change1h} /> <span className="text-faint">{t('token.change1h')}</span>
    </span>
  );
}
