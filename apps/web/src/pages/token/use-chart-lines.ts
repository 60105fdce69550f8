import type { CallReply } from '@hunter/contract/calls';
import { useMemo, useState } from 'react';
import { onScale } from '../../chart/chart-scale.ts';
import type { ChartScale } from '../../chart/chart-scale.ts';
import type { LevelLine } from '../../chart/level-lines.ts';
import { useLoggedIn } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { averageCost } from '../../features/positions/position-sum.ts';
import type { Position } from '../../features/positions/position.ts';
import { protectLines } from '../../features/trade/protect-lines.ts';
import type { ProtectedBuy } from '../../features/trade/protect-lines.ts';
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
  protectedBuy: ProtectedBuy | null;
  scale: ChartScale;
};

/**
 * The lines over the candles: what the user's position cost, the orders that wait, which can be dragged, and those that would be
 * placed with the buy that is being composed.
 */
export function useChartLines({ address, token, triggers, protectedBuy, scale }: Drawn) {
  const loggedIn = useLoggedIn();
  const positions = useApiQuery(
    'getMyPositions',
    { tokenContractAddress: address, pageSize: 100 },
    { quiet: true, enabled: loggedIn },
  ).data?.lists;
  const cost = useCostLine(positions, token, scale);
  const planned = usePlannedLines(protectedBuy, positions, token, scale);
  const [dragged, setDragged] = useState<DraggedOrder | null>(null);
  const [moves, setMoves] = useState(0);
  const orders = useOrderLines(triggers, token, scale, moves);
  const lines = useMemo(() => [...cost, ...orders, ...planned], [cost, orders, planned]);

  function closeMove(): void {
    setDragged(null);
    setMoves((count) => count + 1);
  }

  function onLineMoved(id: string, value: number): void {
    const trigger = triggers.find((each) => each.id === id);
    // It fired while it was held: what was dropped is a line without an order. The axis may reach below zero, where no price is.
    if (!trigger || !token || value <= 0) return closeMove();
    const usdPerSol = Number(token.price) / Number(token.priceSol);
    const price = value / scale.factor;
    setDragged({
      trigger,
      price: scale.unit === 'usd' ? { usd: price, sol: price / usdPerSol } : { usd: price * usdPerSol, sol: price },
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

/** Where the user's own position is neither gain nor loss, fees aside. In dollars: at today's price of SOL. */
function useCostLine(
  positions: readonly Position[] | undefined,
  token: Token | undefined,
  scale: ChartScale,
): readonly LevelLine[] {
  const t = useT();
  const cost = averageCost(positions ?? []);
  const drawn = cost === null ? null : drawnAt(Number(cost), token, scale);
  const label = t('token.chart.averageCost');
  return useMemo(
    () => (drawn === null ? NO_LINES : [{ id: 'cost', value: drawn, label, tone: 'accent', draggable: false }]),
    [drawn, label],
  );
}

/** A price in SOL on the scale. It moves with the price of SOL; small moves are not worth drawing a line anew. */
function drawnAt(sol: number, token: Token | undefined, scale: ChartScale): number | null {
  const usdPerSol = token && Number(token.price) / Number(token.priceSol);
  return usdPerSol ? Number(onScale({ sol, usd: sol * usdPerSol }, scale).toPrecision(4)) : null;
}

/** The same lines as long as they say the same: a form draws nothing anew by being typed into elsewhere. */
function usePlannedLines(
  buy: ProtectedBuy | null,
  positions: readonly Position[] | undefined,
  token: Token | undefined,
  scale: ChartScale,
): readonly LevelLine[] {
  const t = useT();
  const planned = buy === null ? [] : protectLines(buy, heldIn(buy.bookId, positions), t);
  const lines = planned.flatMap(({ priceSol, ...line }): LevelLine[] => {
    const value = drawnAt(priceSol, token, scale);
    return value === null ? [] : [{ ...line, value, draggable: false, isPlanned: true }];
  });
  const key = JSON.stringify(lines);
  // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the lines.
  return useMemo(() => (lines.length === 0 ? NO_LINES : lines), [key]);
}

function heldIn(bookId: string, positions: readonly Position[] | undefined): { amount: string; cost: string } | null {
  if (!positions) return null;
  const position = positions.find((each) => each.bookId === bookId);
  if (!position) return { amount: '0', cost: '0' };
  const { amount, cost } = position;
  return amount === null || cost === null ? null : { amount, cost };
}
