// Rows of one height of which only the visible ones exist. Name and quick buy stay at the edges while the figures between them
// scroll, so that every column can be reached at every width.
import type { DiscoverField } from '@hunter/domain/market/discover';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import { useT } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { classNames } from '../../ui/class-names.ts';
import { Sol, Usd } from '../../ui/numbers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import type { Period } from './discover-search.ts';
import type { DiscoverToken } from './discover-token.ts';
import {
  BuysAndSells,
  Change,
  LiveHolders,
  LivePrice,
  LiveUsd,
  QuickBuyButtons,
  Star,
  TokenName,
  wholePercent,
} from './token-parts.tsx';
import type { RowActions } from './token-parts.tsx';
import { WhoHolds } from './who-holds.tsx';

export const ROW_HEIGHT = 54;

type Column = {
  key: string;
  header: TextKey;
  hint?: TextKey;
  track: string;
  sort?: DiscoverField;
  cell: (token: DiscoverToken, period: Period) => ReactNode;
};

const columns: readonly Column[] = [
  {
    key: 'price',
    header: 'discover.column.price',
    track: 'minmax(84px,84fr)',
    cell: (token) => <LivePrice token={token} />,
  },
  {
    key: 'change',
    header: 'discover.column.change',
    track: 'minmax(76px,76fr)',
    sort: 'change',
    cell: (token, period) => <Change token={token} period={period} />,
  },
  {
    key: 'trend',
    header: 'discover.column.trend',
    hint: 'discover.trendHint',
    track: 'minmax(80px,80fr)',
    cell: (token) => (
      <span className="inline-block align-middle">
        <Sparkline values={token.trend} width={78} height={28} fill={false} />
      </span>
    ),
  },
  {
    key: 'marketCap',
    header: 'discover.column.marketCap',
    track: 'minmax(80px,80fr)',
    sort: 'marketCap',
    cell: (token) => <LiveUsd token={token} figure="marketCap" />,
  },
  {
    key: 'liquidity',
    header: 'discover.column.liquidity',
    track: 'minmax(76px,76fr)',
    sort: 'liquidity',
    cell: (token) => <LiveUsd token={token} figure="liquidity" />,
  },
  {
    key: 'volume',
    header: 'discover.column.volume',
    track: 'minmax(76px,76fr)',
    sort: 'volume',
    cell: (token) => <Usd value={token.volume} />,
  },
  {
    key: 'trades',
    header: 'discover.column.trades',
    track: 'minmax(82px,82fr)',
    sort: 'trades',
    cell: (token) => <BuysAndSells token={token} />,
  },
  {
    key: 'holders',
    header: 'discover.column.holders',
    track: 'minmax(62px,62fr)',
    sort: 'holders',
    cell: (token) => <LiveHolders token={token} />,
  },
  {
    key: 'who',
    header: 'discover.column.who',
    track: 'minmax(188px,188fr)',
    cell: (token) => <WhoHolds token={token} className="ml-auto max-w-[188px]" />,
  },
  {
    key: 'fees',
    header: 'discover.column.fees',
    track: 'minmax(78px,78fr)',
    sort: 'fees',
    cell: (token) => (token.fees === null ? <Unknown /> : <Sol value={token.fees} />),
  },
  {
    key: 'curve',
    header: 'discover.column.curve',
    track: 'minmax(62px,62fr)',
    sort: 'curve',
    cell: (token) => <CurveBar token={token} />,
  },
];

/** What a wide screen has over is shared by all columns: given to a few, it would part these and leave the others crammed. */
const TRACKS = `minmax(196px,196fr) ${columns.map(({ track }) => track).join(' ')} var(--end,134px)`;
/** Below it the figures scroll between name and quick buy. */
const WIDTH_MIN = 'min-w-[1394px] max-[1425px]:min-w-[1436px] max-[1425px]:[--end:176px]';
const row = `grid ${WIDTH_MIN} items-center gap-x-2.5`;
const stays = 'sticky z-2 flex h-full items-center bg-inherit';
/** Half a figure would read as another one: where the figures scroll, they fade out before quick buy. */
const fades = 'max-[1425px]:bg-transparent max-[1425px]:bg-linear-to-r max-[1425px]:to-surface max-[1425px]:to-24%';

function Unknown() {
  const t = useT();
  return (
    <span title={t('discover.unknown')} className="text-faint">
      ?
    </span>
  );
}

function CurveBar({ token }: { token: DiscoverToken }) {
  if (token.curve === null) return <span className="text-faint">-</span>;
  return (
    <span className="inline-flex w-full flex-col items-end gap-[3px]">
      <span className="num leading-4">{wholePercent(token.curve)}</span>
      <span className="block h-1 w-full overflow-hidden rounded-full bg-hover" aria-hidden="true">
        <span className="block h-full bg-accent" style={{ width: `${Number(token.curve)}%` }} />
      </span>
    </span>
  );
}

export type TokenListProps = {
  label: string;
  rows: readonly DiscoverToken[];
  period: Period;
  loading: boolean;
  stale: boolean;
  empty: ReactNode;
  watched: ReadonlySet<string>;
  actions: RowActions;
  /** By address, the amount of a purchase that is under way. */
  pending: ReadonlyMap<string, string>;
  active: number;
};

type TokenTableProps = TokenListProps & {
  sort: DiscoverField | undefined;
  order: 'asc' | 'desc';
  onSort: (field: DiscoverField) => void;
};

export function TokenTable(props: TokenTableProps) {
  const { label, rows, loading, stale, watched, pending, actions, period, active } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the compiler would freeze its getters; this app is built without it.
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 5,
    getItemKey: (index) => rows[index]?.tokenContractAddress ?? index,
  });
  useEffect(() => {
    if (active >= 0) virtual.scrollToIndex(active);
    // oxlint-disable-next-line react/exhaustive-deps -- only a move of the marked row scrolls.
  }, [active]);
  const items = virtual.getVirtualItems();
  return (
    <div
      ref={scroller}
      role="region"
      aria-label={label}
      aria-busy={loading || stale || undefined}
      tabIndex={0}
      className="card h-[calc(100dvh-var(--header-height)-152px)] min-h-[420px] overflow-auto [contain:strict] scroll-thin"
      data-testid="discover-table"
    >
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <Heads {...props} />
        {rows.length > 0 && (
          <div
            role="rowgroup"
            className={classNames(WIDTH_MIN, stale && 'opacity-55')}
            style={{ height: virtual.getTotalSize(), paddingTop: items[0]?.start ?? 0 }}
          >
            {items.map((item) => {
              const token = rows[item.index]!;
              return (
                <TableRow
                  key={item.key}
                  token={token}
                  index={item.index}
                  period={period}
                  active={item.index === active}
                  watched={watched.has(token.tokenContractAddress)}
                  pending={pending.get(token.tokenContractAddress) ?? null}
                  actions={actions}
                />
              );
            })}
          </div>
        )}
      </div>
      {loading && rows.length === 0 && <LoadingRows scroller={scroller} />}
      {!loading && rows.length === 0 && <div className="sticky left-0">{props.empty}</div>}
    </div>
  );
}

type RowProps = {
  token: DiscoverToken;
  index: number;
  period: Period;
  active: boolean;
  watched: boolean;
  pending: string | null;
  actions: RowActions;
};

const TableRow = memo(function TableRow({ token, index, period, active, watched, pending, actions }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-active={active || undefined}
      className={`${row} relative border-b border-line/55 bg-surface hover:bg-hover data-active:bg-hover`}
      style={{ height: ROW_HEIGHT, gridTemplateColumns: TRACKS }}
    >
      <div role="cell" className={`${stays} left-0 min-w-0 pl-3`}>
        <Star token={token} watched={watched} actions={actions} />
        <TokenName token={token} />
      </div>
      <Figures token={token} period={period} />
      <div role="cell" className={`${stays} ${fades} right-0 justify-end pr-3 pl-1`}>
        <QuickBuyButtons token={token} actions={actions} pending={pending} />
      </div>
    </div>
  );
});

const Figures = memo(function Figures({ token, period }: { token: DiscoverToken; period: Period }) {
  return columns.map((column) => (
    <div key={column.key} role="cell" className="text-right whitespace-nowrap" data-column={column.key}>
      {column.cell(token, period)}
    </div>
  ));
});

function Heads({ sort, order, onSort, period }: TokenTableProps) {
  const t = useT();
  return (
    <div role="rowgroup" className="sticky top-0 z-3">
      <div
        role="row"
        className={`${row} h-9 border-b border-line bg-surface text-xs font-medium text-faint`}
        style={{ gridTemplateColumns: TRACKS }}
      >
        <span role="columnheader" className={`${stays} left-0 pl-4`}>
          {t('discover.column.token')}
        </span>
        {columns.map((column) => {
          const name = t(column.header);
          const sorted = column.sort !== undefined && column.sort === sort;
          return (
            <span
              key={column.key}
              role="columnheader"
              aria-sort={sorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
              className="text-right whitespace-nowrap"
            >
              {column.sort === undefined ? (
                <span title={column.hint && t(column.hint)}>{name}</span>
              ) : (
                <button
                  type="button"
                  title={t('discover.sort', { field: name })}
                  className={classNames('-mx-1 rounded px-1 py-1 hover:text-text', sorted && 'font-semibold text-text')}
                  onClick={() => onSort(column.sort!)}
                >
                  {sorted && (order === 'asc' ? '↑ ' : '↓ ')}
                  {name}
                  {(column.key === 'change' || column.key === 'volume') && ` ${period}`}
                </button>
              )}
            </span>
          );
        })}
        <span role="columnheader" className={`${stays} ${fades} right-0 justify-end pr-3`}>
          {t('discover.column.quickBuy')}
        </span>
      </div>
    </div>
  );
}

function LoadingRows({ scroller }: { scroller: RefObject<HTMLDivElement | null> }) {
  const count = Math.ceil((scroller.current?.clientHeight ?? 900) / ROW_HEIGHT);
  return (
    <div aria-hidden="true" className={WIDTH_MIN}>
      {Array.from({ length: count }, (_, place) => (
        <div
          key={place}
          className={`${row} border-b border-line/55 px-3`}
          style={{ height: ROW_HEIGHT, gridTemplateColumns: TRACKS }}
        >
          <span className="flex items-center gap-2.5">
            <Skeleton width={32} height={32} className="rounded-full" />
            <Skeleton width="55%" />
          </span>
          {columns.map(({ key }) => (
            <Skeleton key={key} width="70%" className="ml-auto" />
          ))}
          <Skeleton height={30} />
        </div>
      ))}
    </div>
  );
}
