import { lamports } from '@hunter/domain/lamports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { startTradingWorld, type Trader, type TradingWorld } from '../trading/world-for-test.ts';
import { cancelFollow } from './cancel-follow.ts';
import { placeStrategyRound } from './copying/place-strategy-round.ts';
import { createStrategy } from './create-strategy.ts';
import { endStrategy } from './end-strategy.ts';
import { followStrategy } from './follow-strategy.ts';
import { rebalance } from './rebalance.ts';
import type { Strategies } from './strategies.ts';
import { differencesToChain, strategiesOn } from './strategies-for-test.ts';

let testDatabase: TestDatabase;
let world: TradingWorld;
let parts: Strategies;
let mints: string[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  world = await startTradingWorld(testDatabase.url);
  parts = strategiesOn(world);
  const rows = (await (await fetch(`${world.venueUrl}/tokens/v2/toptraded/24h?limit=50`)).json()) as {
    id: string;
    tokenProgram: string;
    liquidity: number;
  }[];
  mints = rows
    .filter((row) => row.tokenProgram.startsWith('Tokenkeg'))
    .sort((left, right) => right.liquidity - left.liquidity)
    .map((row) => row.id);
});

afterAll(async () => {
  await world?.close();
  await testDatabase?.drop();
});

const SOL = 1_000_000_000n;
let names = 0;

async function aStrategy(creator: Trader, overrides: { autoClear?: boolean; coins?: [string, string][] } = {}) {
  names += 1;
  const coins = overrides.coins ?? [
    [mints[0]!, '40'],
    [mints[1]!, '20'],
  ];
  const { strategy } = await createStrategy(
    parts,
    creator.userId,
    {
      name: `Strategy ${names}`,
      description: '',
      capital: lamports(2n * SOL),
      coins: coins.map(([tokenContractAddress, weight]) => ({ tokenContractAddress, weight })),
      autoClear: overrides.autoClear ?? true,
    },
    `key ${names}`,
  );
  return strategy;
}

function follow(trader: Trader, slug: string, amount = SOL, mode: 'sol' | 'position' = 'sol') {
  return followStrategy(
    parts,
    trader.userId,
    { slug, mode, amount: lamports(amount), multiplier: '1' },
    `${slug} ${trader.userId}`,
  );
}

async function tokensIn(bookId: string): Promise<number> {
  const rows = await world.database.query(
    `select 1 from balance where book_id = $1 and asset <> 'SOL' and amount > 0`,
    [bookId],
  );
  return rows.length;
}

async function copiesOf(roundId: string) {
  return world.database.query<{ state: string; reason: string | null; filledIn: bigint; filledOut: bigint }>(
    `select state, reason, filled_in as "filledIn", filled_out as "filledOut" from copy where round_id = $1`,
    [roundId],
  );
}

async function expectBooksEqualChain(traders: readonly Trader[]): Promise<void> {
  for (const trader of traders) expect(await differencesToChain(world, trader)).toEqual({});
}

describe('strategies on a real chain', () => {
  it('publishes with its coins bought, is followed at its weights, traded as one round and cancelled without a rest', async () => {
    const [creator, ...followers] = await world.traders(6, 5n * SOL);
    const strategy = await aStrategy(creator!);
    expect(strategy.status).toBe('running');
    expect(await tokensIn(strategy.bookId)).toBe(2);
    const follows = await Promise.all(
      followers.map((trader, index) => follow(trader, strategy.slug, SOL, index === 4 ? 'position' : 'sol')),
    );
    expect(follows.map(({ status }) => status)).toEqual(Array(5).fill('active'));
    expect(await tokensIn(follows[0]!.bookId)).toBe(2);
    expect(await tokensIn(follows[4]!.bookId)).toBe(0);

    const round = await placeStrategyRound(parts, {
      strategyId: strategy.id,
      side: 'buy',
      mint: mints[2]!,
      amountIn: SOL / 10n,
      slippageBps: 500,
      kind: 'trade',
    });
    const copies = await copiesOf(round.order.id);
    expect(copies.map(({ state }) => state)).toEqual(Array(5).fill('filled'));
    const prices = [{ filledIn: round.order.filledIn!, filledOut: round.order.filledOut! }, ...copies];
    for (const { filledIn, filledOut } of prices) {
      // One price for everyone; each share is rounded down to a base unit.
      const fair = (filledIn * prices[0]!.filledOut) / prices[0]!.filledIn;
      expect(fair - filledOut <= 1n && filledOut - fair <= 1n).toBe(true);
    }
    expect(copies[4] !== undefined).toBe(true);

    const cancelled = await Promise.all(followers.map((trader) => cancelFollow(parts, trader.userId, strategy.slug)));
    expect(cancelled.map(({ status }) => status)).toEqual(Array(5).fill('closed'));
    for (const { bookId, returnedLamports } of cancelled) {
      expect(await tokensIn(bookId)).toBe(0);
      expect(returnedLamports! > (SOL * 9n) / 10n).toBe(true);
    }
    await expectBooksEqualChain([creator!, ...followers]);
  });

  it('sells everybody out at one price when it ends with auto clear', async () => {
    const [creator, ...followers] = await world.traders(5, 5n * SOL);
    const strategy = await aStrategy(creator!);
    const follows = await Promise.all(followers.map((trader) => follow(trader, strategy.slug)));
    await endStrategy(parts, strategy.id);
    const rows = await world.database.query(`select status from follow where strategy_id = $1`, [strategy.id]);
    expect(rows).toEqual(followers.map(() => ({ status: 'closed' })));
    for (const bookId of [strategy.bookId, ...follows.map((one) => one.bookId)]) expect(await tokensIn(bookId)).toBe(0);
    await expectBooksEqualChain([creator!, ...followers]);
    await expect(follow(followers[0]!, strategy.slug)).resolves.toMatchObject({ status: 'closed' });
  });

  it('hands positions over as they are when it ends without auto clear', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!, { autoClear: false });
    const one = await follow(follower!, strategy.slug);
    await endStrategy(parts, strategy.id);
    expect(await tokensIn(one.bookId)).toBe(0);
    expect(await tokensIn(follower!.bookId)).toBe(2);
    expect(await tokensIn(creator!.bookId)).toBe(2);
    const rows = await world.database.query<{ cost: bigint }>(
      `select cost_lamports as cost from position where book_id = $1`,
      [follower!.bookId],
    );
    expect(rows.every(({ cost }) => cost > 0n)).toBe(true);
    await expectBooksEqualChain([creator!, follower!]);
  });

  it('rebalances with its followers and keeps their weights alike', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [[mints[0]!, '50']] });
    const one = await follow(follower!, strategy.slug);
    const orders = await rebalance(
      parts,
      creator!.userId,
      { slug: strategy.slug, coins: [{ tokenContractAddress: mints[1]!, weight: '60' }] },
      'once',
    );
    expect(orders.map(({ side, state }) => [side, state])).toEqual([
      ['sell', 'confirmed'],
      ['buy', 'confirmed'],
    ]);
    const held = await world.database.query<{ asset: string }>(
      `select asset from balance where book_id = $1 and asset <> 'SOL' and amount > 0`,
      [one.bookId],
    );
    expect(held).toEqual([{ asset: mints[1] }]);
    await expectBooksEqualChain([creator!, follower!]);
  });

  it('refuses what the product forbids', async () => {
    const [creator, follower] = await world.traders(2, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [] });
    await expect(follow(creator!, strategy.slug)).rejects.toMatchObject({ errorName: 'FOLLOW_OWN' });
    await expect(follow(follower!, strategy.slug, 50n * SOL)).rejects.toMatchObject({
      errorName: 'FOLLOW_AMOUNT_EXCEEDS',
    });
    await expect(follow(follower!, strategy.slug, 1_000n)).rejects.toMatchObject({ errorName: 'AMOUNT_TOO_SMALL' });
    await follow(follower!, strategy.slug);
    await expect(
      followStrategy(
        parts,
        follower!.userId,
        { slug: strategy.slug, mode: 'sol', amount: lamports(SOL), multiplier: '1' },
        'again',
      ),
    ).rejects.toMatchObject({ errorName: 'ALREADY_FOLLOWING' });
    await expect(cancelFollow(parts, creator!.userId, strategy.slug)).rejects.toMatchObject({
      errorName: 'NOT_FOLLOWING',
    });
    await expect(follow(follower!, 'no-such')).rejects.toMatchObject({ errorName: 'STRATEGY_NOT_FOUND' });
  });
});
