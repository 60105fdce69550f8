import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { createLog } from '../platform/log.ts';
import { Database } from '../platform/postgres.ts';
import { systemClock } from '../platform/clock.ts';
import { ReferencePrices } from './reference-prices.ts';
import { TokenDirectory } from './token-directory.ts';

const NOW = Date.UTC(2026, 10, 16, 12, 0, 0);
const MINUTE = 60_000;

let testDatabase: TestDatabase;
let database: Database;
let tokens: TokenDirectory;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database(testDatabase.url, createLog('silent'));
  await database.write(
    `insert into token (mint, name, symbol, decimals, token_program, supply, created_at)
     values ('Mint', 'Coin', 'COIN', 6, 'Program', 1, $1)`,
    [new Date(NOW - 100 * MINUTE)],
  );
  await database.write(`insert into trader (address) values ('stranger'), ('creator')`);
  tokens = new TokenDirectory(database);
  await tokens.load();
  let seq = 0;
  // SOL per whole token with 18 decimals: a tenth, then nine tenths by the creator, then a fifth.
  for (const [minutesAgo, price, trader] of [
    [90, 100_000_000_000_000_000n, 'stranger'],
    [70, 900_000_000_000_000_000n, 'creator'],
    [20, 200_000_000_000_000_000n, 'stranger'],
  ] as const) {
    seq += 1;
    const at = new Date(NOW - minutesAgo * MINUTE);
    await database.write(
      `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
       select t.id, $1, $2, true, 1, 1, $3, 1, 1, r.id, 'sig' from token t, trader r where r.address = $4`,
      [seq, at, price, trader],
    );
    await database.write(
      `insert into candle_1m (token_id, start, o, h, l, c, v, v_usd, buys, sells, first_seq, last_seq)
       select id, date_trunc('minute', $2::timestamptz), 1, 1, 1, 1, 1, 1, 1, 0, $1, $1 from token`,
      [seq, at],
    );
  }
});

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

function references(lagMs: number | null = 0, nowMs = NOW): ReferencePrices {
  return new ReferencePrices({
    sql: database,
    tokens,
    clock: { ...systemClock, nowMs: () => nowMs },
    lagMs: () => lagMs,
  });
}

/** In SOL per whole token. */
const asSol = (price: { numerator: bigint; denominator: bigint } | null) =>
  price === null ? null : Number((price.numerator * 10n ** 6n) / price.denominator) / 1e9;

describe('reference prices from stored trades', () => {
  it('take the price that stood for most of the hour, the trade before it included', async () => {
    expect(asSol(await references().of(mintNamed('Mint'), new Set()))).toBe(0.2);
    expect(asSol(await references(0, NOW - 15 * MINUTE).of(mintNamed('Mint'), new Set()))).toBe(0.2);
  });

  it('pass over what linked wallets traded, also before the hour', async () => {
    expect(asSol(await references().of(mintNamed('Mint'), new Set(['creator'])))).toBe(0.1);
    expect(await references().of(mintNamed('Mint'), new Set(['creator', 'stranger']))).toBeNull();
  });

  it('let what linked wallets traded lower what a purchase is measured against, and never raise it', async () => {
    const toBuy = (linked: string, nowMs = NOW) => references(0, nowMs).toBuy(mintNamed('Mint'), new Set([linked]));
    // The creator had lifted it before the hour: that does not count.
    expect(asSol(await toBuy('creator'))).toBe(0.1);
    expect(asSol(await references(0, NOW - 15 * MINUTE).of(mintNamed('Mint'), new Set(['stranger'])))).toBe(0.9);
    // Whoever pressed it since counts, also where the creator has made him his neighbour.
    expect(asSol(await toBuy('stranger', NOW - 15 * MINUTE))).toBe(0.2);
  });

  it('say what wallets paid for a coin within the hour', async () => {
    const lately = (wallet: string, nowMs = NOW) =>
      references(0, nowMs).boughtLately(mintNamed('Mint'), new Set([wallet]));
    expect(await lately('stranger')).toBe(1n);
    expect(await lately('creator')).toBe(0n);
    expect(await lately('creator', NOW - 20 * MINUTE)).toBe(1n);
    expect(await lately('nobody')).toBe(0n);
  });

  it('leave out what those wallets have sold again', async () => {
    const lately = () => references().boughtLately(mintNamed('Mint'), new Set(['stranger']));
    const sell = () =>
      database.write(
        `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
         select t.id, 99, $1, false, 5, 1, 1, 1, 1, r.id, 'sold' from token t, trader r where r.address = 'stranger'`,
        [new Date(NOW - MINUTE)],
      );
    expect(await lately()).toBe(1n);
    await sell();
    try {
      expect(await lately()).toBe(0n);
    } finally {
      await database.write(`delete from trade where seq = 99`);
    }
  });

  it('are unknown while the market is behind, for coins that are too young, and for coins nobody knows', async () => {
    expect(await references(null).of(mintNamed('Mint'), new Set())).toBeNull();
    expect(await references(2 * MINUTE).of(mintNamed('Mint'), new Set())).toBeNull();
    expect(await references(0, NOW - 60 * MINUTE).of(mintNamed('Mint'), new Set())).toBeNull();
    expect(await references().of(mintNamed('Other'), new Set())).toBeNull();
  });
});
