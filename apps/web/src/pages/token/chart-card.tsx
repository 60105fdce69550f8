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
import type { LevelLine } from '../../chart/level-lines.ts';
import { late } from '../../ui/late.tsx';
import { browserStorage } from '../../ui/browser-storage.ts';
import { useLoggedIn } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { averageCost } from '../../features/positions/position-sum.ts';
import { triggerLines } from '../../features/triggers/trigger-lines.ts';
import type { TokenPrices } from '../../features/triggers/trigger-lines.ts';
import type { Trigger } from '../../features/triggers/trigger.ts';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { ChartToolbar } from './chart-toolbar.tsx';
import { useFullScreen } from './use-full-screen.ts';
import { useKeptChoice } from './use-kept-choice.ts';
import { useTokenChart } from './use-token-chart.ts';

const CandleChart = late(() => import('../../chart/candle-chart.tsx'), { fallback: <ChartSkeleton /> });
const MoveDialog = late(() => import('../../features/triggers/move-dialog.tsx'));

type Token = CallReply<'getTokenBaseInfo'>['token'];
const NO_LINES: readonly LevelLine[] = [];

/** The chart with its interval, scale, indicators, drawing tools and what the user has in the token. */
export function ChartCard({
  address,
  token,
  triggers,
  interval: keptInterval,
  onInterval,
}: {
  address: string;
  token: Token | undefined;
  /** The user's orders that wait on this token. */
  triggers: readonly Trigger[];
  interval: CandleInterval;
  onInterval: (interval: CandleInterval) => void;
}) {
  const t = useT();
  const [view, setView] = useState(() => readView(browserStorage));
  const [interval, setInterval] = useKeptChoice(keptInterval, onInterval);
  const kept = useTokenChart(address);
  const [isFull, setFull] = useFullScreen();
  const board = useRef<DrawingBoard | null>(null);
  const onReady = useCallback((ready: DrawingBoard | null) => {
    board.current = ready;
  }, []);
  const ownTrades = useOwnTrades(address, view.marks);
  const scale = useScale(view, token);
  const cost = useCostLine(address, token, scale);
  const [moved, setMoved] = useState<{ trigger: Trigger; price: { usd: number; sol: number } } | null>(null);
  const [moves, setMoves] = useState(0);
  const orders = useOrderLines(triggers, token, scale, moves);
  const lines = useMemo(() => [...cost, ...orders], [cost, orders]);

  function closeMove(): void {
    setMoved(null);
    setMoves((count) => count + 1);
  }

  function onLineMoved(id: string, value: number): void {
    const trigger = triggers.find((each) => each.id === id);
    // It fired while it was held: what was dropped is a line without an order. The axis may reach below zero, where no price is.
    if (!trigger || !token || value <= 0) return closeMove();
    const usdPerSol = Number(token.price) / Number(token.priceSol);
    const price = value / scale.factor;
    setMoved({
      trigger,
      price: scale.unit === 'usd' ? { usd: price, sol: price / usdPerSol } : { usd: price * usdPerSol, sol: price },
    });
  }

  function show(change: Partial<ChartView>): void {
    const next = { ...view, interval, ...change };
    setView(next);
    writeView(browserStorage, next);
    if (change.interval) setInterval(change.interval);
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
          <CandleChart
            address={address}
            symbol={token.tokenSymbol}
            interval={interval}
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
              interval,
              what: t(`token.chart.${view.value}`),
              unit: view.unit === 'usd' ? 'USD' : 'SOL',
            })}
            onReady={onReady}
          />
        ) : (
          <ChartSkeleton />
        )}
      </div>
      {moved && token && (
        <MoveDialog
          trigger={triggers.find(({ id }) => id === moved.trigger.id) ?? { ...moved.trigger, state: 'ended' }}
          price={moved.price}
          prices={tokenPrices(token)}
          onClose={closeMove}
        />
      )}
    </section>
  );
}

function pricesOf(token: Token): { usd: number; sol: number } {
  return { usd: Number(token.price), sol: Number(token.priceSol) };
}

function tokenPrices(token: Token): TokenPrices {
  return { ...pricesOf(token), supply: Number(token.supply) };
}

/** `moves` counts the answers about dragged lines: each time the lines are drawn anew, where their orders are. */
function useOrderLines(
  triggers: readonly Trigger[],
  token: Token | undefined,
  scale: ChartScale,
  moves: number,
): readonly LevelLine[] {
  const t = useT();
  // Dollars of a level in SOL follow the price of SOL; lines are drawn anew when the orders change, not with every price.
  const prices = token && tokenPrices(token);
  const isKnown = prices !== undefined;
  return useMemo(
    () =>
      prices === undefined
        ? NO_LINES
        : triggerLines(triggers, prices, t).map(({ price, ...line }) => ({ ...line, value: onScale(price, scale) })),
    // oxlint-disable-next-line react/exhaustive-deps -- see above.
    [triggers, isKnown, scale, t, moves],
  );
}

function useScale({ unit, value }: ChartView, token: Token | undefined): ChartScale {
  const factor = value === 'cap' ? Number(token?.supply ?? 1) : 1;
  return useMemo(() => ({ unit, factor }), [unit, factor]);
}

/** Where the user's own position is neither gain nor loss, fees aside. In dollars: at today's price of SOL. */
function useCostLine(address: string, token: Token | undefined, scale: ChartScale): readonly LevelLine[] {
  const t = useT();
  const loggedIn = useLoggedIn();
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
