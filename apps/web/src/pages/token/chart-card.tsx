import type { CallReply } from '@hunter/contract/calls';
import type { CandleInterval } from '@hunter/domain/market/candle-interval';
import { useCallback, useMemo, useRef, useState } from 'react';
import { readView, writeView } from '../../chart/chart-choices.ts';
import type { ChartView } from '../../chart/chart-choices.ts';
import { onScale } from '../../chart/chart-scale.ts';
import type { ChartScale } from '../../chart/chart-scale.ts';
import { ChartSkeleton } from '../../chart/chart-skeleton.tsx';
import type { DrawingBoard } from '../../chart/drawings.ts';
import type { OwnTrade } from '../../chart/group-trades.ts';
import { late } from '../../ui/late.tsx';
import { browserStorage } from '../../ui/browser-storage.ts';
import { useLoggedIn } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import type { PlannedOrders } from '../../features/trade/planned-lines.ts';
import type { Trigger } from '../../features/triggers/trigger.ts';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { ChartToolbar } from './chart-toolbar.tsx';
import { pricesOf, useChartLines } from './use-chart-lines.ts';
import { useFullScreen } from './use-full-screen.ts';
import { useKeptChoice } from './use-kept-choice.ts';
import { useTokenChart } from './use-token-chart.ts';

const CandleChart = late(() => import('../../chart/candle-chart.tsx'), { fallback: <ChartSkeleton /> });
const MoveDialog = late(() => import('../../features/triggers/move-dialog.tsx'));

type Token = CallReply<'getTokenBaseInfo'>['token'];
type ChartCardProps = {
  address: string;
  token: Token | undefined;
  /** The user's orders that wait on this token. */
  triggers: readonly Trigger[];
  /** What is being composed. */
  planned: PlannedOrders | null;
  interval: CandleInterval;
  onInterval: (interval: CandleInterval) => void;
};

/** The chart with its interval, scale, indicators, drawing tools and what the user has in the token. */
export function ChartCard({ address, token, triggers, planned, interval, onInterval }: ChartCardProps) {
  const t = useT();
  const [view, show] = useChartView(interval, onInterval);
  const kept = useTokenChart(address);
  const card = useRef<HTMLElement>(null);
  const [isFull, setFull] = useFullScreen(card);
  const board = useRef<DrawingBoard | null>(null);
  const onReady = useCallback((ready: DrawingBoard | null) => {
    board.current = ready;
  }, []);
  const ownTrades = useOwnTrades(address, view.marks);
  const scale = useScale(view, token);
  const { lines, onLineMoved, move, closeMove } = useChartLines({ address, token, triggers, planned, scale });
  const price = token && onScale(pricesOf(token), scale);
  return (
    <section
      ref={card}
      className={classNames('card flex flex-col', isFull && 'fixed inset-0 z-40 rounded-none! border-0!')}
      aria-label={t('token.chart.title')}
    >
      <ChartToolbar
        view={view}
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
          <CandleChart
            address={address}
            symbol={token.tokenSymbol}
            interval={view.interval}
            scale={scale}
            isLog={view.log}
            price={price}
            indicators={kept.indicators}
            drawings={kept.drawings}
            drawingsRevision={kept.revision}
            onDrawings={kept.setDrawings}
            ownTrades={ownTrades}
            lines={lines}
            onLineMoved={onLineMoved}
            label={t('token.chart.label', {
              symbol: token.tokenSymbol,
              interval: view.interval,
              what: t(`token.chart.${view.value}`),
              unit: view.unit === 'usd' ? 'USD' : 'SOL',
            })}
            onReady={onReady}
          />
        ) : (
          <ChartSkeleton />
        )}
      </div>
      {move && <MoveDialog {...move} onClose={closeMove} />}
    </section>
  );
}

/** How the candles are shown: as the browser remembers it, with the interval that the address keeps. */
function useChartView(
  keptInterval: CandleInterval,
  onInterval: (interval: CandleInterval) => void,
): [ChartView, (change: Partial<ChartView>) => void] {
  const [remembered, setRemembered] = useState(() => readView(browserStorage));
  const [interval, setInterval] = useKeptChoice(keptInterval, onInterval);
  const view = { ...remembered, interval };

  function show(change: Partial<ChartView>): void {
    const next = { ...view, ...change };
    setRemembered(next);
    writeView(browserStorage, next);
    if (change.interval) setInterval(change.interval);
  }
  return [view, show];
}

function useScale({ unit, value }: ChartView, token: Token | undefined): ChartScale {
  const factor = value === 'cap' ? Number(token?.supply ?? 1) : 1;
  return useMemo(() => ({ unit, factor }), [unit, factor]);
}

/** The user's trades as marks on the chart; none while they are switched off. */
function useOwnTrades(address: string, marks: boolean): readonly OwnTrade[] {
  const loggedIn = useLoggedIn();
  const mine = useApiQuery(
    'getTokenTransactionData',
    { tokenContractAddress: address, type: 'mine', limit: 200 },
    { quiet: true, enabled: loggedIn },
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
