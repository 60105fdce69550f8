import type { CallReply } from '@hunter/contract/calls';
import { useMemo, useState } from 'react';
import { onScale } from '../../chart/chart-scale.ts';
import type { ChartScale } from '../../chart/chart-scale.ts';
import type { LevelLine } from '../../chart/level-lines.ts';
import { usdPerSol, useLiveUsdPerSol } from '../../data/live-prices.ts';
import { useLoggedIn } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { averageCost } from '../../features/positions/position-sum.ts';
import type { Position } from '../../features/positions/position.ts';
import { plannedLines } from '../../features/trade/planned-lines.ts';
import type { PlannedOrders } from '../../features/trade/planned-lines.ts';
import type { Holding } from '../../features/trade/protect-lines.ts';
import { triggerLines } from '../../features/triggers/trigger-lines.ts';
import type { TokenPrices } from '../../features/triggers/trigger-lines.ts';
import type { Trigger } from '../../features/triggers/trigger.ts';
import { useT } from '../../i18n/i18n.ts';

type Token = CallReply<'getTokenBaseInfo'>['token'];
type DraggedOrder = { trigger: Trigger; price: { usd: number; sol: number } };
const NO_LINES: readonly LevelLine[] = [];

type Drawn = {
  address: string;
  token: Token | undefined;
  triggers: readonly Trigger[];
  planned: PlannedOrders | null;
  scale: ChartScale;
};

/**
 * The lines over the candles: what the user's position cost, the orders that wait, which can be dragged, and those that are being
 * composed. All of them stand at one price of SOL, that of the last trade, as the candle that they are compared with does.
 */
export function useChartLines({ address, token, triggers, planned, scale }: Drawn) {
  const loggedIn = useLoggedIn();
  const positions = useApiQuery(
    'getMyPositions',
    { tokenContractAddress: address, pageSize: 100 },
    { quiet: true, enabled: loggedIn },
  ).data?.lists;
  const liveRate = useLiveUsdPerSol(address);
  const rate = liveRate ?? (token && usdPerSol(token)) ?? null;
  const cost = useCostLine(positions, rate, scale);
  const composed = usePlannedLines(planned, positions, token, rate, scale);
  const [dragged, setDragged] = useState<DraggedOrder | null>(null);
  const [moves, setMoves] = useState(0);
  const orders = useOrderLines(triggers, rate, Number(token?.supply), scale, moves);
  const lines = useMemo(() => [...cost, ...orders, ...composed], [cost, orders, composed]);

  function closeMove(): void {
    setDragged(null);
    setMoves((count) => count + 1);
  }

  function onLineMoved(id: string, value: number): void {
    const trigger = triggers.find((each) => each.id === id);
    // It fired while it was held: what was dropped is a line without an order. The axis may reach below zero, where no price is.
    if (!trigger || rate === null || value <= 0) return closeMove();
    const price = value / scale.factor;
    setDragged({
      trigger,
      price: scale.unit === 'usd' ? { usd: price, sol: price / rate } : { usd: price * rate, sol: price },
    });
  }

  /** The order whose line was dropped elsewhere, as it is now. */
  const move =
    dragged && token
      ? {
          ...dragged,
          trigger: triggers.find(({ id }) => id === dragged.trigger.id) ?? {
            ...dragged.trigger,
            state: 'ended' as const,
          },
          prices: tokenPrices(token),
        }
      : null;
  return { lines, onLineMoved, move, closeMove };
}

export function pricesOf(token: Token): { usd: number; sol: number } {
  return { usd: Number(token.price), sol: Number(token.priceSol) };
}

function tokenPrices(token: Token): TokenPrices {
  return { ...pricesOf(token), supply: Number(token.supply) };
}

/** `moves` counts the answers about dragged lines: each time the lines are drawn anew, where their orders are. */
function useOrderLines(
  triggers: readonly Trigger[],
  rate: number | null,
  supply: number,
  scale: ChartScale,
  moves: number,
): readonly LevelLine[] {
  const t = useT();
  return useMemo(
    () =>
      rate === null
        ? NO_LINES
        : triggerLines(triggers, { usd: rate, sol: 1, supply }, t).map(({ price, ...line }) => ({
            ...line,
            value: onScale(price, scale),
          })),
    // oxlint-disable-next-line react/exhaustive-deps -- see above.
    [triggers, rate, supply, scale, t, moves],
  );
}

/** Where the user's own position is neither gain nor loss, fees aside. In dollars: at today's price of SOL. */
function useCostLine(
  positions: readonly Position[] | undefined,
  rate: number | null,
  scale: ChartScale,
): readonly LevelLine[] {
  const t = useT();
  const cost = averageCost(positions ?? []);
  const drawn = cost === null || rate === null ? null : drawnAt(Number(cost), rate, scale);
  const label = t('token.chart.averageCost');
  return useMemo(
    () => (drawn === null ? NO_LINES : [{ id: 'cost', value: drawn, label, tone: 'accent', draggable: false }]),
    [drawn, label],
  );
}

/** A price in SOL on the scale, without the last digits of a float. */
function drawnAt(sol: number, rate: number, scale: ChartScale): number {
  return Number(onScale({ sol, usd: sol * rate }, scale).toPrecision(8));
}

/** The same lines as long as they say the same: a form draws nothing anew by being typed into elsewhere. */
function usePlannedLines(
  orders: PlannedOrders | null,
  positions: readonly Position[] | undefined,
  token: Token | undefined,
  rate: number | null,
  scale: ChartScale,
): readonly LevelLine[] {
  const t = useT();
  const planned =
    orders === null || !token || rate === null
      ? []
      : plannedLines(
          orders,
          heldIn(orders.bookId, positions),
          { priceSol: Number(token.priceSol), usdPerSol: rate, supply: Number(token.supply) },
          t,
        );
  const lines = planned.map(({ priceSol, ...line }): LevelLine => ({
    ...line,
    value: drawnAt(priceSol, rate!, scale),
    draggable: false,
    isPlanned: true,
  }));
  const key = JSON.stringify(lines);
  // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the lines.
  return useMemo(() => (lines.length === 0 ? NO_LINES : lines), [key]);
}

function heldIn(bookId: string, positions: readonly Position[] | undefined): Holding | null {
  if (!positions) return null;
  const position = positions.find((each) => each.bookId === bookId);
  if (!position) return { amount: '0', cost: '0' };
  const { boughtAmount, cost } = position;
  return boughtAmount === null || cost === null ? null : { amount: boughtAmount, cost };
}
