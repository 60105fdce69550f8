// Tokens as cards: on a phone, where they scroll with the page, and as one of several columns, where each scrolls by itself.
import { useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual';
import type { Virtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { Usd } from '../../ui/numbers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { DiscoverToken } from './discover-token.ts';
import type { Period } from './discover-search.ts';
import { Change, LiveHolders, LivePrice, LiveUsd, QuickBuyButtons, Star, TokenName } from './token-parts.tsx';
import type { RowActions } from './token-parts.tsx';
import type { TokenListProps } from './token-table.tsx';
import { WhoHolds } from './who-holds.tsx';

const CARD_HEIGHT = 150;
const OVERSCAN = 4;

/** Scrolls with the page. */
export function PageCards(props: TokenListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  // oxlint-disable-next-line react/incompatible-library -- the compiler would freeze its getters; this app is built without it.
  const virtual = useWindowVirtualizer({
    count: props.rows.length,
    estimateSize: () => CARD_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => props.rows[index]?.tokenContractAddress ?? index,
  });
  return (
    <div ref={list} className="card overflow-hidden" data-testid="discover-cards">
      <Cards {...props} virtual={virtual} offset={top} />
    </div>
  );
}

/** Scrolls by itself. */
export function ColumnCards(props: TokenListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- as above.
  const virtual = useVirtualizer({
    count: props.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (index) => props.rows[index]?.tokenContractAddress ?? index,
  });
  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={props.label}
      className="h-[calc(100dvh-var(--header-height)-194px)] min-h-[420px] overflow-y-auto overscroll-contain scroll-thin"
    >
      <Cards {...props} virtual={virtual} offset={0} />
    </div>
  );
}

type CardsProps<Scroller extends Element | Window> = TokenListProps & {
  virtual: Virtualizer<Scroller, Element>;
  offset: number;
};

function Cards<Scroller extends Element | Window>({ virtual, offset, ...props }: CardsProps<Scroller>) {
  const { rows, loading, stale, period, watched, pending, actions, active } = props;
  const items = virtual.getVirtualItems();
  if (loading && rows.length === 0) return <LoadingCards />;
  if (rows.length === 0) return props.empty;
  return (
    <ul
      aria-label={props.label}
      className={classNames(stale && 'opacity-55')}
      style={{ height: virtual.getTotalSize(), paddingTop: Math.max(0, (items[0]?.start ?? offset) - offset) }}
    >
      {items.map((item) => {
        const token = rows[item.index]!;
        return (
          <Card
            key={item.key}
            token={token}
            period={period}
            active={item.index === active}
            watched={watched.has(token.tokenContractAddress)}
            pending={pending.get(token.tokenContractAddress) ?? null}
            actions={actions}
          />
        );
      })}
    </ul>
  );
}

type CardProps = {
  token: DiscoverToken;
  period: Period;
  active: boolean;
  watched: boolean;
  pending: string | null;
  actions: RowActions;
};

const Card = memo(function Card({ token, period, active, watched, pending, actions }: CardProps) {
  const t = useT();
  return (
    <li
      className="relative flex flex-col justify-center gap-2 border-b border-line/55 px-3 hover:bg-hover data-active:bg-hover [contain:strict]"
      style={{ height: CARD_HEIGHT }}
      data-active={active || undefined}
    >
      <div className="flex items-center gap-1.5">
        <Star token={token} watched={watched} actions={actions} />
        <TokenName token={token} withStage />
        <span className="flex flex-col items-end">
          <LivePrice token={token} />
          <Change token={token} period={period} />
        </span>
      </div>
      <dl className="grid grid-cols-4 gap-x-2 text-sm">
        <Figure label={t('discover.column.marketCap')}>
          <LiveUsd token={token} figure="marketCap" />
        </Figure>
        <Figure label={`${t('discover.column.volume')} ${period}`}>
          <Usd value={token.volume} />
        </Figure>
        <Figure label={t('discover.column.liquidity')}>
          <LiveUsd token={token} figure="liquidity" />
        </Figure>
        <Figure label={t('discover.column.holders')}>
          <LiveHolders token={token} />
        </Figure>
      </dl>
      <div className="flex items-center justify-between gap-3">
        <WhoHolds token={token} className="min-w-0 flex-1" />
        <QuickBuyButtons token={token} actions={actions} pending={pending} />
      </div>
    </li>
  );
});

function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="truncate text-2xs text-faint">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function LoadingCards() {
  return Array.from({ length: 6 }, (_, place) => (
    <div
      key={place}
      aria-hidden="true"
      className="flex flex-col justify-center gap-3 border-b border-line/55 px-3"
      style={{ height: CARD_HEIGHT }}
    >
      <span className="flex items-center gap-2.5">
        <Skeleton width={32} height={32} className="rounded-full" />
        <Skeleton width="40%" />
        <Skeleton width="20%" className="ml-auto" />
      </span>
      <Skeleton height={30} />
      <Skeleton height={36} />
    </div>
  ));
}
