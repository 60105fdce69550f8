import type { CallReply } from '@hunter/contract/calls';
import type { CandleInterval } from '@hunter/domain/candle-interval';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { readTokenChart, readView, writeTokenChart, writeView } from '../../chart/chart-choices.ts';
import type { ChartView, Drawing, IndicatorName } from '../../chart/chart-choices.ts';
import { onScale } from '../../chart/chart-scale.ts';
import type { ChartScale } from '../../chart/chart-scale.ts';
import { ChartSkeleton } from '../../chart/chart-skeleton.tsx';
import type { DrawingBoard } from '../../chart/drawings.ts';
import type { OwnTrade } from '../../chart/group-trades.ts';
import type { LevelLine } from '../../chart/level-lines.ts';
import { useUser } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { averageCost } from '../../features/positions/position-sum.ts';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { ChartToolbar } from './chart-toolbar.tsx';
import { useFullScreen } from './use-full-screen.ts';

const CandleChart = lazy(() => import('../../chart/candle-chart.tsx'));

type Token = CallReply<'getTokenBaseInfo'>['token'];
const NO_LINES: readonly LevelLine[] = [];

/** The chart with its interval, scale, indicators, drawing tools and what the user has in the token. */
export function ChartCard({
  address,
  token,
  interval,
  onInterval,
}: {
  address: string;
  token: Token | undefined;
  interval: CandleInterval;
  onInterval: (interval: CandleInterval) => void;
}) {
  const t = useT();
  const [view, setView] = useState(() => readView(localStorage));
  const kept = useTokenChart(address);
  const [isFull, setFull] = useFullScreen();
  const board = useRef<DrawingBoard | null>(null);
  const onReady = useCallback((ready: DrawingBoard | null) => {
    board.current = ready;
  }, []);
  const ownTrades = useOwnTrades(address, view.marks);
  const scale = useScale(view, token);
  const cost = useCostLine(address, token, scale);

  function show(change: Partial<ChartView>): void {
    const next = { ...view, interval, ...change };
    setView(next);
    writeView(localStorage, next);
    if (change.interval) onInterval(change.interval);
  }

  const price = token && onScale(pricesOf(token), scale);
  return (
    <section
      className={classNames('card flex flex-col', isFull && 'fixed inset-0 z-40 rounded-none! border-0!')}
      aria-label={t('token.chart.title')}
    >
      <ChartToolbar
        view={{ ...view, interval }}
        onView={show}
        indicators={kept.indicators}
        onIndicators={kept.setIndicators}
        onDraw={(tool) => board.current?.draw(tool)}
        onClear={() => board.current?.clear()}
        isFull={isFull}
        onFull={setFull}
      />
      <div className={isFull ? 'min-h-0 flex-1' : 'h-[max(340px,45dvh)] sm:h-[max(440px,calc(100dvh-27rem))]'}>
        {token !== undefined && price !== undefined ? (
          <Suspense fallback={<ChartSkeleton />}>
            <CandleChart
              address={address}
              symbol={token.tokenSymbol}
              interval={interval}
              scale={scale}
              isLog={view.log}
              price={price}
              indicators={kept.indicators}
              drawings={kept.drawings}
              onDrawings={kept.setDrawings}
              ownTrades={ownTrades}
              lines={cost}
              onLineMoved={() => {}}
              label={t('token.chart.label', {
                symbol: token.tokenSymbol,
                interval,
                what: t(`token.chart.${view.value}`),
                unit: view.unit === 'usd' ? 'USD' : 'SOL',
              })}
              onReady={onReady}
            />
          </Suspense>
        ) : (
          <ChartSkeleton />
        )}
      </div>
    </section>
  );
}

function pricesOf(token: Token): { usd: number; sol: number } {
  return { usd: Number(token.price), sol: Number(token.priceSol) };
}

function useScale({ unit, value }: ChartView, token: Token | undefined): ChartScale {
  const factor = value === 'cap' ? Number(token?.supply ?? 1) : 1;
  return useMemo(() => ({ unit, factor }), [unit, factor]);
}

/** Indicators and drawings of this account on this token. */
function useTokenChart(address: string) {
  const account = useUser((user) => user?.email ?? 'visitor');
  const [chart, setChart] = useState(() => readTokenChart(localStorage, account, address));
  const save = useCallback(
    (change: (before: typeof chart) => typeof chart) =>
      setChart((before) => {
        const next = change(before);
        writeTokenChart(localStorage, account, address, next);
        return next;
      }),
    [account, address],
  );
  return {
    ...chart,
    setIndicators: (indicators: readonly IndicatorName[]) => save((before) => ({ ...before, indicators })),
    // The chart shows and tells those of one unit; the others stay as they are.
    setDrawings: (drawings: readonly Drawing[], unit: ChartScale['unit']) =>
      save((before) => ({
        ...before,
        drawings: [...before.drawings.filter((drawing) => drawing.unit !== unit), ...drawings],
      })),
  };
}

/** Where the user's own position is neither gain nor loss, fees aside. In dollars: at today's price of SOL. */
function useCostLine(address: string, token: Token | undefined, scale: ChartScale): readonly LevelLine[] {
  const t = useT();
  const loggedIn = useUser((user) => user !== null);
  const positions = useApiQuery(
    'getMyPositions',
    { tokenContractAddress: address, pageSize: 100 },
    { quiet: true, enabled: loggedIn },
  );
  const cost = averageCost(positions.data?.lists ?? []);
  const usdPerSol = token && Number(token.price) / Number(token.priceSol);
  const value =
    cost === null || !usdPerSol ? null : onScale({ sol: Number(cost), usd: Number(cost) * usdPerSol }, scale);
  // Moves with the price of SOL; small moves are not worth drawing the line anew.
  const drawn = value === null ? null : Number(value.toPrecision(4));
  const label = t('token.chart.averageCost');
  return useMemo(
    () => (drawn === null ? NO_LINES : [{ id: 'cost', value: drawn, label, tone: 'accent', draggable: false }]),
    [drawn, label],
  );
}

/** The user's trades as marks on the chart; none while they are switched off. */
function useOwnTrades(address: string, marks: boolean): readonly OwnTrade[] {
  const mine = useApiQuery(
    'getTokenTransactionData',
    { tokenContractAddress: address, type: 'mine', limit: 200 },
    { quiet: true },
  );
  const trades = mine.data?.lists;
  return useMemo(
    () =>
      marks && trades
        ? trades.map(({ time, side, price, priceSol, tokenAmount }) => ({
            time,
            side,
            usd: Number(price),
            sol: Number(priceSol),
            tokens: Number(tokenAmount),
          }))
        : [],
    [marks, trades],
  );
}
