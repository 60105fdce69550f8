import { useParams } from '@tanstack/react-router';
import { formatPrice } from '@hunter/domain/format/format-price';
import { useEffect, useRef, useState } from 'react';
import { readView } from '../../chart/chart-choices.ts';
import { late } from '../../ui/late.tsx';
import { browserStorage } from '../../ui/browser-storage.ts';
import { useLoggedIn } from '../../data/session.ts';
import { useLivePrice } from '../../data/live-prices.ts';
import { PriceAlertButton } from '../../features/alerts/price-alert-button.tsx';
import { HotList, HotStrip } from '../../features/hot-list/hot-list.tsx';
import { MarketCard } from '../../features/token-overview/market-card.tsx';
import { TokenHeader } from '../../features/token-overview/token-header.tsx';
import { useTokenInfo } from '../../features/token-overview/use-token-info.ts';
import type { TokenInfo } from '../../features/token-overview/use-token-info.ts';
import { PositionCard } from '../../features/positions/position-card.tsx';
import type { Position } from '../../features/positions/position.ts';
import { useOpenTriggers } from '../../features/triggers/use-triggers.ts';
import { useOrder } from '../../features/trade/use-order.ts';
import { useT } from '../../i18n/i18n.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { ChartCard } from './chart-card.tsx';
import { DevCard } from './dev-card.tsx';
import { OrderPlace } from './order-place.tsx';
import { TokenFailure } from './token-failure.tsx';
import { DEFAULT_TAB } from './token-search.ts';
import { TokenTabs } from './token-tabs.tsx';
import { TradeSheet } from './trade-sheet.tsx';
import { useOrderDraft } from './use-order-draft.ts';
import { useOwnChanges } from './use-own-changes.ts';
import { useTokenSearch } from './use-token-search.ts';

const ShareDialog = late(() => import('../../features/share/share-dialog.tsx'), { texts: ['share'] });

export default function TokenPage() {
  const { tokenAddress: address } = useParams({ from: '/token/$tokenAddress' });
  const withHotList = useMediaQuery('(min-width: 1280px)');
  return (
    <div className="mx-auto grid w-full max-w-[2560px] items-start gap-3 p-2 sm:p-3 xl:grid-cols-[252px_minmax(0,1fr)] 2xl:grid-cols-[280px_minmax(0,1fr)]">
      {!withHotList && <HotStrip current={address} />}
      {withHotList && (
        <aside className="sticky top-[calc(var(--header-height)+12px)] h-[calc(100dvh-var(--header-height)-24px)]">
          <HotList current={address} />
        </aside>
      )}
      {/* Another token is another page: nothing of the last one, least of all a typed amount, may stay. */}
      <Token key={address} address={address} />
    </div>
  );
}

function Token({ address }: { address: string }) {
  const [search, setSearch] = useTokenSearch();
  const wide = useMediaQuery('(min-width: 1024px)');
  const query = useTokenInfo(address);
  const onTraded = useOwnChanges(address);
  const draft = useOrderDraft();
  const order = useOrder(({ side }) => {
    draft.clear(side);
    onTraded();
  });
  const triggers = useOpenTriggers(address);
  const [shared, setShared] = useState<Position | null>(null);
  const info = query.data;
  const [lastInterval] = useState(() => readView(browserStorage).interval);
  if (query.isError && !info) return <TokenFailure error={query.error} onRetry={() => void query.refetch()} />;

  const symbol = info?.token.tokenSymbol ?? '';
  const panel = <OrderPlace address={address} info={info} draft={draft} order={order} />;
  const cards = <TokenCards address={address} info={info} onTraded={onTraded} onShare={setShared} />;
  return (
    <div className="grid min-w-0 items-start gap-3 max-lg:pb-20 lg:grid-cols-[minmax(0,1fr)_304px] 2xl:grid-cols-[minmax(0,1fr)_340px]">
      <div className="flex min-w-0 flex-col gap-3">
        <TokenHeader
          address={address}
          info={info}
          action={
            info && <PriceAlertButton address={address} symbol={info.token.tokenSymbol} price={info.token.price} />
          }
        />
        <ChartCard
          address={address}
          token={info?.token}
          triggers={triggers}
          planned={draft.planned}
          interval={search.interval ?? lastInterval}
          onInterval={(interval) => setSearch({ interval })}
        />
        {!wide && <div className="grid gap-3 sm:grid-cols-2">{cards}</div>}
        <TokenTabs
          address={address}
          symbol={symbol}
          openOrders={triggers.length}
          tab={search.tab ?? DEFAULT_TAB}
          onTab={(tab) => setSearch({ tab })}
        />
      </div>
      {wide ? (
        <div className="sticky top-[calc(var(--header-height)+12px)] flex max-h-[calc(100dvh-var(--header-height)-24px)] flex-col gap-3 overflow-y-auto overscroll-contain scroll-thin">
          <div className="card px-4 py-3.5">{panel}</div>
          {cards}
        </div>
      ) : (
        <TradeSheet
          address={address}
          token={info?.token}
          open={draft.isOpen}
          onOpen={draft.open}
          onClose={() => {
            draft.close();
            order.reset();
          }}
        >
          {panel}
        </TradeSheet>
      )}
      {shared && <ShareDialog shared={{ position: shared }} onClose={() => setShared(null)} />}
      {info && <LiveTitle address={address} symbol={info.token.tokenSymbol} price={info.token.price} />}
    </div>
  );
}

function TokenCards({
  address,
  info,
  onTraded,
  onShare,
}: {
  address: string;
  info: TokenInfo | undefined;
  onTraded: () => void;
  onShare: (position: Position) => void;
}) {
  const loggedIn = useLoggedIn();
  const symbol = info?.token.tokenSymbol ?? '';
  return (
    <>
      {loggedIn && <PositionCard address={address} symbol={symbol} onClosed={onTraded} onShare={onShare} />}
      <MarketCard address={address} info={info} />
      {info?.token.creator && <DevCard creator={info.token.creator} current={address} />}
    </>
  );
}

/** The price in the browser's tab, for those who look elsewhere meanwhile. */
function LiveTitle({ address, symbol, price }: { address: string; symbol: string; price: string }) {
  const t = useT();
  const text = formatPrice(useLivePrice(address)?.price ?? price);
  const shownAt = useRef(Number.NEGATIVE_INFINITY);
  // Once a second is enough for a tab, and the browser has work with each title.
  useEffect(() => {
    const timer = setTimeout(
      () => {
        shownAt.current = performance.now();
        document.title = `${text} ${symbol} · ${t('shell.product')}`;
      },
      Math.max(0, shownAt.current + 1_000 - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [text, symbol, t]);
  return null;
}
