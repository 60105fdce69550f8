import { randomUUID } from 'node:crypto';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { spotPrice, type Pool } from '@hunter/domain/market/swap-maths';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '@hunter/solana/address';
import { mintNamed } from '@hunter/domain/address-for-test';
import { createTestDatabase, type TestDatabase } from '../../../../../scripts/database-for-test.ts';
import type { PastPrices } from '../../market/reference-prices.ts';
import { postEntries, reversalOf, type JournalEntry } from '../../ledger/journal.ts';
import { insertFills } from '../../ledger/positions.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { Database } from '../../platform/postgres.ts';
import { loadCreator } from '../../portfolio/creator-page.ts';
import { loadStrategyList } from '../../portfolio/strategy-cards.ts';
import { loadCreatorHoldings, loadOffMarket } from '../../portfolio/strategy-evidence.ts';
import { loadUnrecorded } from '../../portfolio/unrecorded-events.ts';
import type { Strategies } from '../strategies.ts';
import { keepRecord, type RecordDeps } from './keep-record.ts';

const NOW = Date.UTC(2026, 10, 16, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SOL = 1_000_000_000n;
const TOKENS = 1_000_000n;
/** A token costs 500 lamports at the market: 0.5 SOL for a million. */
const pool: Pool = {
  solReserve: lamports(50_000n * SOL),
  tokenReserve: baseUnits(100_000n * TOKENS),
  virtualSol: lamports(0n),
  virtualTokens: baseUnits(0n),
  feeBps: 50n,
};
const market = spotPrice(pool);

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database(testDatabase.url, createLog('silent'));
});

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

type Told = { nowMs?: number; prices?: PastPrices | null; isCopyable?: boolean };

function pass({ nowMs = NOW, prices = { reference: market, around: market }, isCopyable = true }: Told = {}) {
  const deps: RecordDeps = {
    database,
    clock: { ...systemClock, nowMs: () => nowMs },
    pools: { load: async (mints) => new Map(mints.map((mint) => [mint, pool])) },
    coinFacts: async () => ({
      badges: [isCopyable ? 'ok' : 'danger'],
      mintAuthority: 'given-up',
      ageMs: 30 * 24 * HOUR,
    }),
    referencePrice: async () => prices?.reference ?? null,
    pricesAt: async () => prices,
  };
  return keepRecord(deps);
}

type Published = { id: string; userId: string; bookId: string; personalId: string; name: string };
let made = 0;

async function aStrategy(how: { userId?: string; ageHours?: number; equity?: bigint } = {}): Promise<Published> {
  const { userId = randomUUID(), ageHours = 100, equity = 2n * SOL } = how;
  made += 1;
  const [id, bookId, personalId] = [randomUUID(), randomUUID(), randomUUID()];
  await database.write(
    `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2) on conflict do nothing`,
    [userId, `creator-${userId.slice(0, 8)}`],
  );
  await database.write(
    `insert into wallet (user_id, address, envelope) values ($1, $2, 'sealed') on conflict do nothing`,
    [userId, `wallet-${userId}`],
  );
  await database.write(
    `insert into book (id, user_id, kind, name, wallet_id)
     select v.id, $1, v.kind, 'x', w.id from wallet w, unnest($2::uuid[], $3::text[]) v (id, kind) where w.user_id = $1
     on conflict do nothing`,
    [userId, [bookId, personalId], ['strategy', 'personal']],
  );
  const published = new Date(NOW - ageHours * HOUR);
  await database.write(
    `insert into strategy (id, user_id, book_id, wallet_id, slug, name, status, auto_clear, capital_lamports, published_at)
     select $1, $2, $3, wallet_id, $4, $4, 'running', true, $5, $6 from book where id = $3`,
    [id, userId, bookId, `s-${made}`, equity, published],
  );
  await database.write(
    `insert into strategy_stats (strategy_id, units, nav, peak, worst_peak, worst_low, equity_lamports, lowest_equity_lamports, marked_at)
     values ($1, 1, 1, 1, 1, 1, $2, $2, $3)`,
    [id, equity, published],
  );
  await database.write(`insert into nav_point (strategy_id, at, nav, equity_lamports) values ($1, $2, 1, $3)`, [
    id,
    published,
    equity,
  ]);
  const [personal] = await database.query<{ id: string }>(
    `select id from book where user_id = $1 and kind = 'personal'`,
    [userId],
  );
  return { id, userId, bookId, personalId: personal!.id, name: `creator-${userId.slice(0, 8)}` };
}

let events = 0;
async function event(
  { id }: Published,
  side: 'buy' | 'sell' | 'out',
  spent: bigint,
  minutesAgo: number,
  { mint = 'Coin', tokens = TOKENS } = {},
) {
  events += 1;
  await database.write(
    `insert into strategy_event (strategy_id, reference, kind, side, mint, tokens, lamports, at, nav)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 1)`,
    [
      id,
      `e-${events}`,
      side === 'out' ? 'flow' : 'trade',
      side,
      mint,
      tokens,
      spent,
      new Date(NOW - minutesAgo * MINUTE),
    ],
  );
}

async function tripsOf({ id }: Published) {
  return database.query<{ outcome: string | null; x: number | null; offMarket: string | null; closedAt: Date | null }>(
    `select outcome, x, off_market as "offMarket", closed_at as "closedAt" from record_trip where strategy_id = $1 order by opened_at, id`,
    [id],
  );
}

async function statsOf({ id }: Published) {
  const rows = await database.query<{ tier: string; score: number | null; trips: number; coins: number; won: number }>(
    `select tier, score, counted_trips as trips, counted_coins as coins, counted_won as won from strategy_stats where strategy_id = $1`,
    [id],
  );
  return rows[0]!;
}

describe('the record of a strategy', () => {
  it('takes a fill ten minutes after it, once, and counts the trip when it is closed', async () => {
    const strategy = await aStrategy();
    await event(strategy, 'buy', SOL / 2n, 60);
    await event(strategy, 'sell', (49n * SOL) / 100n, 9);
    await pass();
    expect(await tripsOf(strategy)).toEqual([{ outcome: null, x: null, offMarket: null, closedAt: null }]);
    await pass({ nowMs: NOW + MINUTE });
    await pass({ nowMs: NOW + 2 * MINUTE });
    const [trip] = await tripsOf(strategy);
    expect(trip).toMatchObject({ outcome: 'lost', offMarket: null, closedAt: new Date(NOW - 9 * MINUTE) });
    expect(trip!.x).toBeCloseTo(Math.log1p(-0.005), 9);
    expect(await statsOf(strategy)).toMatchObject({ tier: 'new', trips: 1, coins: 1, won: 0 });
  });

  it('waits while the market is behind', async () => {
    const strategy = await aStrategy();
    await event(strategy, 'buy', SOL / 2n, 30);
    await pass({ prices: null });
    expect(await tripsOf(strategy)).toEqual([]);
    await pass();
    expect(await tripsOf(strategy)).toHaveLength(1);
  });

  it('takes each fill at the worse of its own price and what others paid around it', async () => {
    const strategy = await aStrategy();
    await event(strategy, 'buy', SOL / 2n, 60);
    await event(strategy, 'sell', (515n * SOL) / 1_000n, 30);
    const around = { numerator: market.numerator * 98n, denominator: market.denominator * 100n };
    await pass({ prices: { reference: market, around } });
    const [trip] = await tripsOf(strategy);
    expect(trip!.x).toBeCloseTo(Math.log1p(-0.005), 9);
  });

  it.each([
    ['off-price', { spent: (52n * SOL) / 100n }],
    ['no-reference-price', { prices: { reference: null, around: null }, isCopyable: true }],
    ['not-copyable', { isCopyable: false }],
    ['own-trade', { own: true }],
  ] as const)('never counts a trip as won that is off-market by %s, and says so', async (reason, how) => {
    const strategy = await aStrategy();
    const spent = 'spent' in how ? how.spent : SOL / 2n;
    await event(strategy, 'buy', spent, 60);
    await event(strategy, 'sell', (51n * SOL) / 100n, 30);
    if ('own' in how) {
      await database.write(
        `insert into fill (reference, user_id, book_id, mint, kind, tokens, lamports, at)
         values ($1, $2, $3, 'Coin', 'sell', 5, 5, $4)`,
        [randomUUID(), strategy.userId, strategy.personalId, new Date(NOW - 55 * MINUTE)],
      );
    }
    const told = {
      prices: 'prices' in how ? how.prices : { reference: market, around: null },
      isCopyable: !('isCopyable' in how) || how.isCopyable,
    };
    await pass(told);
    const isLost = reason === 'off-price';
    expect(await tripsOf(strategy)).toMatchObject([{ offMarket: reason, outcome: isLost ? 'lost' : null }]);
    const shown = await loadOffMarket({ database } as Strategies, strategy.id);
    expect(shown).toMatchObject([{ mint: 'Coin', reason, isLost, total: 1 }]);
  });

  it('counts an open trip after a day by the lower of liquidation and reference value', async () => {
    const strategy = await aStrategy();
    await event(strategy, 'buy', SOL / 2n, 25 * 60);
    const half = { numerator: market.numerator, denominator: 2n * market.denominator };
    await pass();
    const [atMarket] = await tripsOf(strategy);
    expect(atMarket).toMatchObject({ outcome: 'lost', closedAt: null });
    await pass({ prices: { reference: half, around: half }, nowMs: NOW + 16 * MINUTE });
    const [marked] = await tripsOf(strategy);
    expect(marked!.x).toBeCloseTo(Math.log1p(-0.125), 9);
    expect((await statsOf(strategy)).trips).toBe(1);
  });

  it('closes a trip at its mark when the coins leave in kind', async () => {
    const strategy = await aStrategy();
    await event(strategy, 'buy', SOL / 2n, 60);
    await event(strategy, 'out', (4n * SOL) / 10n, 30);
    await pass();
    const [trip] = await tripsOf(strategy);
    expect(trip).toMatchObject({ outcome: 'lost', offMarket: null });
    expect(trip!.x).toBeCloseTo(Math.log1p(-0.05), 9);
  });

  it('ranks a strategy with its conditions met, and scores its creator over all strategies, ended ones too', async () => {
    const good = await aStrategy();
    for (let trip = 0; trip < 20; trip += 1) {
      const coin = { mint: `coin-${trip % 5}` };
      await event(good, 'buy', SOL / 2n, 3_000 - 20 * trip, coin);
      await event(good, 'sell', (51n * SOL) / 100n, 2_990 - 20 * trip, coin);
    }
    const around = { prices: { reference: market, around: null } };
    await pass(around);
    const alone = await statsOf(good);
    expect(alone).toMatchObject({ tier: 'ranked', trips: 20, coins: 5, won: 20 });
    expect(alone.score).toBeGreaterThan(0);

    const bad = await aStrategy({ userId: good.userId });
    for (let trip = 0; trip < 5; trip += 1) {
      await event(bad, 'buy', SOL / 2n, 500 - 20 * trip);
      await event(bad, 'sell', (486n * SOL) / 1_000n, 490 - 20 * trip);
    }
    await database.write(`update strategy set status = 'ended', ended_at = $2 where id = $1`, [bad.id, new Date(NOW)]);
    await pass(around);
    const after = await statsOf(good);
    expect(after.score).toBeLessThan(alone.score!);
    expect(await statsOf(bad)).toMatchObject({ tier: 'new', score: after.score, trips: 5, won: 0 });

    const deps = { database, tokens: { load: async () => new Map() }, clock: { ...systemClock, nowMs: () => NOW } };
    const reads = deps as unknown as Strategies;
    const request = { scope: 'all', status: 'all', keyword: good.name, pageNo: 1, pageSize: 20 } as const;
    const ranked = await loadStrategyList(reads, { ...request, tier: 'ranked' }, null);
    expect(ranked.lists).toMatchObject([{ tier: 'ranked', missing: [], creator: { name: good.name } }]);
    const all = await loadStrategyList(reads, { ...request, tier: 'all', sortBy: 'score' }, null);
    expect(all.lists.map(({ tier }) => tier)).toEqual(['ranked', 'new']);
    expect(all.lists[1]!.missing).toEqual([
      { condition: 'trips', count: 15 },
      { condition: 'coins', count: 4 },
    ]);
    expect((await loadStrategyList(reads, { ...request, tier: 'new' }, null)).total).toBe(1);
    const creator = await loadCreator(reads, good.name, null);
    expect(creator).toMatchObject({ countedTrips: 25, wonTrips: 20, ranked: 1, running: 1, ended: 1 });
    expect(creator.strategies.map(({ status }) => status)).toEqual(['running', 'ended']);
    await expect(loadCreator(reads, 'nobody', null)).rejects.toMatchObject({ errorName: 'CREATOR_NOT_FOUND' });
  });

  it('calls a follower return early that is of one large follow, however many small ones stand beside it', async () => {
    const { id, name } = await aStrategy({ ageHours: 100 });
    const deps = { database, tokens: { load: async () => new Map() }, clock: { ...systemClock, nowMs: () => NOW } };
    const isEarly = async (weights: readonly number[]) => {
      const sums = [weights.reduce((sum, each) => sum + each, 0), weights.reduce((sum, each) => sum + each ** 2, 0)];
      await database.write(
        `update strategy_stats set follower_sample = $2, follow_weight = $3, follow_weight_squares = $4 where strategy_id = $1`,
        [id, weights.length, ...sums],
      );
      const request = { scope: 'all', status: 'all', tier: 'all', keyword: name, pageNo: 1, pageSize: 20 } as const;
      const { lists } = await loadStrategyList(deps as unknown as Strategies, request, null);
      return lists.map(({ followerSample, followerReturnEarly }) => [followerSample, followerReturnEarly]);
    };
    expect(await isEarly([1, 1, 1, 1, 1])).toEqual([[5, false]]);
    expect(await isEarly([1, 1, 1, 1])).toEqual([[4, true]]);
    expect(await isEarly([100, ...Array<number>(50).fill(0.01)])).toEqual([[51, true]]);
  });

  it('keeps a strategy new whose creator once had less than 1 SOL in it, and one that is too young', async () => {
    const [poor, young] = [await aStrategy({ equity: SOL - 1n }), await aStrategy({ ageHours: 71 })];
    await pass();
    for (const strategy of [poor, young]) expect(await statsOf(strategy)).toMatchObject({ tier: 'new', score: null });
  });

  it('shows which of its coins the creator also holds himself, and since when', async () => {
    const strategy = await aStrategy();
    const hold = (bookId: string, mint: Address, quantity: bigint) =>
      database.write(
        `insert into holding (book_id, asset, quantity, cost_lamports, opened_at) values ($1, $2, $3, 0, $4)`,
        [bookId, mint, quantity, new Date(NOW - HOUR)],
      );
    await hold(strategy.bookId, mintNamed('Shared'), 5n);
    await hold(strategy.bookId, mintNamed('Alone'), 5n);
    await hold(strategy.personalId, mintNamed('Shared'), 7n);
    await hold(strategy.personalId, mintNamed('Sold'), 0n);
    const row = { bookId: strategy.bookId, userId: strategy.userId } as Parameters<typeof loadCreatorHoldings>[1];
    expect(await loadCreatorHoldings({ database } as Strategies, row)).toEqual([
      { mint: 'Shared', since: new Date(NOW - HOUR), where: 'personal' },
    ]);
  });
});

describe('what is not in the public record yet', () => {
  it('comes in the order of the chain where the times of blocks are equal, whatever was written first', async () => {
    const { id, userId, bookId } = await aStrategy();
    const at = new Date(NOW);
    const fill = { userId, bookId, mint: mintNamed(`twin-${bookId}`), at };
    const amounts = { tokens: baseUnits(TOKENS), lamports: lamports(SOL), feeLamports: lamports(5_000n) };
    const row = (kind: 'buy' | 'sell', slot: bigint) => ({
      ...fill,
      reference: `${kind} ${bookId}`,
      signature: `${kind} ${bookId}`,
      slot,
      fill: { kind, ...amounts },
    });
    await insertFills(database, [row('sell', 6n)]);
    await insertFills(database, [row('buy', 5n)]);
    expect((await loadUnrecorded(database, [id])).map(({ side }) => side)).toEqual(['buy', 'sell']);
  });

  it('has the fee of a token account that could not be closed, until that is taken back', async () => {
    const { id, bookId } = await aStrategy();
    const entry: JournalEntry = {
      kind: 'rent-return-failed',
      reference: `closing ${bookId}`,
      signature: `closing ${bookId}`,
      slot: 5n,
      postings: [
        { bookId, account: 'cash', asset: 'SOL', amount: -5_000n },
        { bookId: null, account: 'network-fee', asset: 'SOL', amount: 5_000n },
      ],
    };
    await postEntries(database, [
      {
        kind: 'deposit',
        reference: `in ${bookId}`,
        postings: [
          { bookId, account: 'cash', asset: 'SOL', amount: 10_000n },
          { bookId: null, account: 'chain', asset: 'SOL', amount: -10_000n },
        ],
      },
      entry,
    ]);
    expect(await loadUnrecorded(database, [id])).toMatchObject([
      { kind: 'flow', side: 'in', lamports: 0n, feeLamports: 5_000n, signature: `closing ${bookId}` },
    ]);
    await postEntries(database, [reversalOf(entry, { at: new Date(NOW), cause: 'the closing did not happen' })]);
    expect(await loadUnrecorded(database, [id])).toEqual([]);
  });
});
