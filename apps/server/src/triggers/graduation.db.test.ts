import { address, type Address } from '@hunter/solana/address';
import { unitsIn } from '@hunter/domain/market/swap-maths';
import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { differencesToChain } from '../strategies/strategies-for-test.ts';
import { SELL_ALL } from '../trading/order.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import type { VenueToken } from '../venue/venue.ts';
import { loadMyTriggers } from './change-triggers.ts';
import { placeTriggers } from './place-triggers.ts';
import type { TriggerRequest } from './read-request.ts';
import { type TestTriggers, triggersOn } from './triggers-for-test.ts';

const SOL = 1_000_000_000n;

let world: TradingWorld;
let triggers: TestTriggers;

useTradingWorld(
  (started) => {
    world = started;
  },
  { tradesPerSecond: 1 },
);

/** A token that the launchpad has just brought to its curve. */
async function launched(): Promise<VenueToken> {
  const isOnCurve = ({ curveLamports, graduatedAtMs }: VenueToken) => curveLamports !== null && graduatedAtMs === null;
  return vi.waitFor(
    async () => {
      const token = (await world.venue.liveliestTokens()).find(isOnCurve);
      expect(token).toBeDefined();
      return token!;
    },
    { timeout: 120_000, interval: 500 },
  );
}

const poolOf = async (mint: Address) => (await world.venue.poolAccounts([mint]))[0]!.address;

async function trade(trader: Trader, side: 'buy' | 'sell', mint: Address, amountIn: bigint): Promise<void> {
  const { userId, bookId } = trader;
  const wanted = {
    userId,
    bookId,
    side,
    mint,
    amountIn: unitsIn(side, amountIn),
    slippageBps: 5_000,
    kind: 'close' as const,
    fit: true,
  };
  const placed = await world.engine.placeOrder(wanted, { waitMs: 30_000 });
  expect(['confirmed', 'finalized']).toContain(placed.state);
  triggers.loop.ordersSettled([placed]);
}

const place = ({ userId }: Trader, mint: Address, request: TriggerRequest) =>
  placeTriggers(triggers, { tokenContractAddress: mint, triggers: [request] }, { key: randomUUID(), userId });

const mine = async ({ userId }: Trader, state: 'open' | 'ended') =>
  (await loadMyTriggers(triggers, userId, { state, pageNo: 1, pageSize: 10 })).lists;

async function untilEnded(trader: Trader): Promise<(string | null)[]> {
  await vi.waitFor(
    async () => {
      await triggers.loop.pass();
      expect(await mine(trader, 'ended')).toHaveLength(1);
    },
    { timeout: 120_000, interval: 300 },
  );
  return (await mine(trader, 'ended')).map(({ outcome }) => outcome);
}

describe('a token that graduates from its launch curve into a pool', () => {
  it('is sold for whoever waited for that, and stays protected for others at the price of its new pool', async () => {
    const [whale, leaving, staying] = (await world.traders(3, 200n * SOL)) as [Trader, Trader, Trader];
    const token = await launched();
    const mint = address(token.mint);
    let hasGraduated = false;
    triggers = await triggersOn(world, { market: { token: () => token, hasGraduated: () => hasGraduated } });
    for (const trader of [leaving, staying]) await trade(trader, 'buy', mint, SOL / 2n);
    await place(leaving, mint, { kind: 'graduates' });
    await place(staying, mint, { kind: 'stop-loss', level: { unit: 'percent', value: '40' } });
    const curve = await poolOf(mint);
    await trade(whale, 'buy', mint, 120n * SOL);
    await vi.waitFor(async () => expect(await poolOf(mint)).not.toBe(curve), { timeout: 120_000, interval: 300 });
    await triggers.loop.pass();
    expect([...(await mine(leaving, 'open')), ...(await mine(staying, 'open'))].map(({ state }) => state)).toEqual([
      'open',
      'open',
    ]);
    hasGraduated = true;
    triggers.loop.tokensChanged([mint]);
    expect(await untilEnded(leaving)).toEqual(['filled']);
    expect((await mine(staying, 'open')).map(({ state }) => state)).toEqual(['open']);
    await trade(whale, 'sell', mint, SELL_ALL);
    triggers.loop.look(mint);
    expect(await untilEnded(staying)).toEqual(['filled']);
    expect(await differencesToChain(world)).toEqual({});
  });
});
