import { unitsIn } from '@hunter/domain/market/swap-maths';
import { randomUUID } from 'node:crypto';
import type { CallReply } from '@hunter/contract/calls';
import { expect, vi } from 'vitest';
import { SELL_ALL } from '../trading/order.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { loadMyTriggers } from './change-triggers.ts';
import { placeTriggers } from './place-triggers.ts';
import type { TriggerRequest } from './read-request.ts';
import type { TestTriggers } from './triggers-for-test.ts';

export const SOL = 1_000_000_000n;
type View = CallReply<'getMyTriggers'>['lists'][number];

type TriggerTest = { world: TradingWorld; triggers: TestTriggers; whale: Trader };

export const stopAt = (percent: string): TriggerRequest => ({
  kind: 'stop-loss',
  level: { unit: 'percent', value: percent },
});
export const targetAt = (percent: string): TriggerRequest => ({
  kind: 'take-profit',
  level: { unit: 'percent', value: percent },
});

/** What tests of triggers do over and over, each time in the world and with the server that the test has then. */
export function triggerSteps(current: () => TriggerTest) {
  const aTrader = async (sol = 5n): Promise<Trader> => (await current().world.traders(1, sol * SOL))[0]!;

  async function order(trader: Trader, side: 'buy' | 'sell', amountIn: bigint): Promise<void> {
    const { userId, bookId } = trader;
    const placed = await current().world.engine.placeOrder(
      {
        userId,
        bookId,
        side,
        mint: current().world.mint,
        amountIn: unitsIn(side, amountIn),
        slippageBps: 5_000,
        kind: 'close',
        fit: side === 'sell',
      },
      { waitMs: 30_000 },
    );
    expect(['confirmed', 'finalized']).toContain(placed.state);
    current().triggers.loop.ordersSettled([placed]);
  }

  /** Everybody's price rises or falls by some percent. */
  const pump = (): Promise<void> => order(current().whale, 'buy', 400n * SOL);
  const dump = (): Promise<void> => order(current().whale, 'sell', SELL_ALL);

  const place = async (trader: Trader, requests: TriggerRequest[], group?: 'one-cancels-other' | 'ladder') => {
    const request = { tokenContractAddress: current().world.mint, triggers: requests, ...(group ? { group } : {}) };
    const { lists } = await placeTriggers(current().triggers, request, { key: randomUUID(), userId: trader.userId });
    return lists;
  };

  const mine = async (trader: Trader, state: 'open' | 'ended', of = current().triggers): Promise<View[]> =>
    (await loadMyTriggers(of, trader.userId, { state, pageNo: 1, pageSize: 100 })).lists;

  /** Passes until nothing of the trader's is firing or waits for its buy. */
  async function passUntilQuiet(trader: Trader, of = current().triggers): Promise<View[]> {
    await of.loop.pass();
    await vi.waitFor(
      async () => {
        await of.loop.pass();
        const open = await mine(trader, 'open', of);
        expect(open.filter(({ state }) => state === 'firing' || state === 'waiting')).toEqual([]);
      },
      { timeout: 120_000, interval: 300 },
    );
    return mine(trader, 'ended', of);
  }

  const ordersOf = (trader: Trader) =>
    current().world.database.query<{ id: string; side: string; state: string }>(
      `select id, side, state from trade_order where user_id = $1 order by created_at`,
      [trader.userId],
    );

  return { aTrader, order, pump, dump, place, mine, passUntilQuiet, ordersOf };
}
