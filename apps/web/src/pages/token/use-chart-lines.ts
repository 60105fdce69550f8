import type { CallReply } from '@hunter/contract/calls';
import { useMemo, useState } from 'react';
import { onScale } from '../../chart/chart-scale.ts';
import type { ChartScale } from '../../chart/chart-scale.ts';
import type { LevelLine } from '../../chart/level-lines.ts';
import { useLoggedIn } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { averageCost } from '../../features/positions/position-sum.ts';
import { triggerLines } from '../../features/triggers/trigger-lines.ts';
import type { TokenPrices } from '../../features/triggers/trigger-lines.ts';
import type { Trigger } from '../../features/triggers/trigger.ts';
import { useT } from '../../i18n/i18n.ts';

type Token = CallReply<'getTokenBaseInfo'>['token'];
type DraggedOrder = { trigger: Trigger; price: { usd: number; sol: number } };
const NO_LINES: readonly LevelLine[] = [];

/** The lines over the candles: what the user's position cost, and the orders that wait. Those can be dragged. */
export function useChartLines(
  address: string,
  token: Token | undefined,
  triggers: readonly Trigger[],
  scale: ChartScale,
) {
  const cost = useCostLine(address, token, scale);
  const [dragged, setDragged] = useState<DraggedOrder | null>(null);
  const [moves, setMoves] = useState(0);
  const orders = useOrderLines(triggers, token, scale, moves);
  const lines = useMemo(() => [...cost, ...orders], [cost, orders]);

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
