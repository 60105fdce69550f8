import { useLocation } from '@tanstack/react-router';
import type { CallReply } from '@hunter/contract/calls';
import { isPriced } from '@hunter/domain/format/format-price';
import { memo, useRef, useState } from 'react';
import { browserStorage } from '../../ui/browser-storage.ts';
import { useLivePrice } from '../../data/live-prices.ts';
import { useStream } from '../../data/stream.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { QueryError } from '../../ui/error-state.tsx';
import { Flash } from '../../ui/flash.tsx';
import { LightLink } from '../../ui/light-link.tsx';
import { Percent, Price, Usd } from '../../ui/numbers.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { TokenAvatar } from '../../ui/token-avatar.tsx';
import { useOnScreen } from '../../ui/use-on-screen.ts';
import { hotPeriods, readPeriod, writePeriod } from './hot-period.ts';
import type { HotPeriod } from './hot-period.ts';

type HotToken = CallReply<'getTokenHotList'>['lists'][number];

const ROWS = 30;
const REFRESH_EVERY_MS = 30_000;
/** The list says that it changed with every batch of trades; fetching it more often than this would only jump about. */
const REFRESH_PAUSE_MS = 5_000;

/** A clip on each of thirty rows costs every frame in which one of them changes, so only names that need it have one. */
const SURELY_FITS = /^[\w$. -]{1,8}$/;

const options = hotPeriods.map((key) => ({ key, label: key }));

function useHotTokens(period: HotPeriod) {
  const query = useApiQuery(
    'getTokenHotList',
    { period, limit: ROWS },
    { refetchIntervalMs: REFRESH_EVERY_MS, keepPrevious: true, quiet: true },
  );
  const refreshedAt = useRef(0);
  const refresh = () => {
    const now = performance.now();
    if (now - refreshedAt.current < REFRESH_PAUSE_MS) return;
    refreshedAt.current = now;
    void query.refetch();
  };
  useStream('hot', 'all', refresh, refresh);
  return query;
}

/** The liveliest tokens of a period, with prices that move. */
export function HotList({ current }: { current: string }) {
  const t = useT();
  const [period, setPeriod] = useState<HotPeriod>(() => readPeriod(browserStorage));
  const query = useHotTokens(period);
  const search = useSearchText();
  const tokens = query.data?.lists;
  return (
    <section
      className="card flex h-full min-h-0 flex-col"
      aria-labelledby="hot-list"
      data-testid="hot-list"
      aria-busy={query.isLoading || query.isPlaceholderData}
    >
      <div className="flex items-center justify-between gap-2 px-3 pt-2.5 pb-2">
        <h2 id="hot-list">{t('token.hot.title')}</h2>
        <SegmentedControl
          label={t('token.hot.period')}
          value={period}
          onChange={(next) => {
            setPeriod(next);
            writePeriod(browserStorage, next);
          }}
          options={options}
        />
      </div>
      <ul
        className={classNames(
          'relative min-h-0 flex-1 overflow-y-auto overscroll-contain pb-1.5 scroll-thin',
          // Order and changes of the period before, until those of the chosen one come.
          query.isPlaceholderData && 'opacity-55',
        )}
        aria-label={t('token.hot.list')}
      >
        {tokens?.map((token, place) => (
          <Row
            key={token.tokenContractAddress}
            token={token}
            place={place}
            current={token.tokenContractAddress === current}
            period={period}
            search={search}
          />
        ))}
        {/* A market without any token is one that is still being read. */}
        {(query.isLoading || tokens?.length === 0) && <LoadingRows />}
      </ul>
      {query.isError && !tokens && <QueryError query={query} title={t('token.failedList')} height="100%" />}
    </section>
  );
}

/** The same view of another token. */
function useSearchText(): string {
  return useLocation({ select: ({ searchStr }) => searchStr });
}

type RowProps = FiguresProps & { place: number; current: boolean; search: string };

/** Moved to its place: where the order changes, nothing is laid out anew. */
function Row({ token, place, current, period, search }: RowProps) {
  const { ref, isOnScreen } = useOnScreen();
  return (
    <li
      ref={ref}
      className="absolute inset-x-0 top-0 h-[50px] [contain:strict]"
      style={{ transform: `translateY(${place * 50}px)` }}
    >
      <LightLink
        href={`/token/${token.tokenContractAddress}${search}`}
        aria-current={current ? 'page' : undefined}
        className="flex h-[50px] items-center gap-2.5 px-3 hover:bg-hover focus-visible:-outline-offset-2 aria-[current=page]:bg-hover"
        data-testid="hot-row"
      >
        <Figures token={token} period={period} isSeen={isOnScreen} />
      </LightLink>
    </li>
  );
}

type FiguresProps = { token: HotToken; period: HotPeriod };

const Figures = memo(
  function Figures({ token, period, isSeen }: FiguresProps & { isSeen: boolean }) {
    return (
      <>
        <TokenAvatar src={token.tokenLogoUrl} size={28} />
        <span className="flex min-w-0 flex-1 flex-col">
          <bdi className={classNames('font-semibold', !SURELY_FITS.test(token.tokenSymbol) && 'truncate')}>
            {token.tokenSymbol}
          </bdi>
          <LiveMarketCap token={token} isSeen={isSeen} />
        </span>
        <Sparkline values={token.trend} width={44} height={22} fill={false} className="shrink-0 max-2xl:hidden" />
        <LivePriceAndChange token={token} period={period} isSeen={isSeen} />
      </>
    );
  },
  (before, after) =>
    before.isSeen === after.isSeen &&
    before.period === after.period &&
    before.token.price === after.token.price &&
    before.token.periodChange === after.token.periodChange &&
    before.token.marketCap === after.token.marketCap &&
    before.token.tokenContractAddress === after.token.tokenContractAddress,
);

const STRIP_TOKENS = 12;

/** The same tokens in one line to be pushed sideways, where the page has no room for the list. */
export function HotStrip({ current }: { current: string }) {
  const t = useT();
  const { data } = useHotTokens('1h');
  const search = useSearchText();
  return (
    <nav
      aria-label={t('token.hot.list')}
      className="-mx-2 flex h-10 gap-1.5 overflow-x-auto px-2 [scrollbar-width:none] sm:-mx-3 sm:px-3 pointer-coarse:h-11"
      data-testid="hot-strip"
    >
      {data?.lists.slice(0, STRIP_TOKENS).map((token) => (
        <LightLink
          key={token.tokenContractAddress}
          href={`/token/${token.tokenContractAddress}${search}`}
          aria-current={token.tokenContractAddress === current ? 'page' : undefined}
          className="flex shrink-0 items-center gap-1.5 rounded-full border border-line bg-surface px-2.5 text-sm focus-visible:-outline-offset-2 aria-[current=page]:border-accent"
        >
          <TokenAvatar src={token.tokenLogoUrl} size={20} />
          <bdi className="max-w-24 truncate font-semibold">{token.tokenSymbol}</bdi>
          <LiveHourChange token={token} />
        </LightLink>
      ))}
    </nav>
  );
}

function LiveHourChange({ token }: { token: HotToken }) {
  return <Percent value={(useLivePrice(token.tokenContractAddress) ?? token).change1h} className="text-xs" />;
}

// Only what moves listens to the price: a link renders far slower than two figures.
function LiveMarketCap({ token, isSeen }: { token: HotToken; isSeen: boolean }) {
  const tick = useLivePrice(token.tokenContractAddress, isSeen);
  const { price, marketCap } = tick ?? token;
  return <Usd value={isPriced(price) ? marketCap : null} className="text-xs text-faint" />;
}

function LivePriceAndChange({ token, period, isSeen }: { token: HotToken; period: HotPeriod; isSeen: boolean }) {
  const tick = useLivePrice(token.tokenContractAddress, isSeen);
  const price = tick?.price ?? token.price;
  // Ticks carry the changes of an hour and a day; those of the other periods come with the list.
  const live = period === '1h' ? tick?.change1h : period === '24h' ? tick?.change : undefined;
  return (
    <span className="flex flex-col items-end">
      <Flash value={price} className="font-medium">
        <Price value={price} />
      </Flash>
      <Percent value={live === undefined ? token.periodChange : live} className="text-xs" />
    </span>
  );
}

function LoadingRows() {
  return Array.from({ length: 12 }, (_, row) => (
    <li key={row} className="flex h-[50px] items-center gap-2.5 px-3" aria-hidden="true">
      <Skeleton width={28} height={28} className="rounded-full" />
      <Skeleton width="35%" />
      <Skeleton width="25%" className="ml-auto" />
    </li>
  ));
}
