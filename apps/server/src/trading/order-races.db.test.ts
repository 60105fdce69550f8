import { lamports } from '@hunter/domain/numbers/lamports';
import { randomUUID } from 'node:crypto';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { describe, expect, it } from 'vitest';
import { postEntries, SOL } from '../ledger/journal.ts';
import { violates, type Database, type Sql } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { FAKE_MINT } from './fake-chain-for-test.ts';
import { SELL_ALL, type NewOrder } from './order.ts';
import { placeOrders, type Placed } from './place-orders.ts';
import { insertTraders, newTrader } from './world-for-test.ts';

const RACES = Number(process.env['RACES'] ?? 60);
/** Races side by side: each is about a balance of its own. */
const LANES = 4;
const DEPOSIT = 1_000_000_000n;

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

async function aTrader() {
  const trader = newTrader();
  await insertTraders(database, [trader], DEPOSIT);
  return trader;
}

describe('one order that is placed twice at the same moment', () => {
  it('is known to the second, which waits for the first, and needs the money once', async () => {
    const { userId, bookId } = await aTrader();
    const order = { id: randomUUID(), userId, bookId, mint: FAKE_MINT, slippageBps: 100, kind: 'trade' as const };
    const placement = {
      order: { ...order, side: 'buy' as const, amountIn: lamports(600_000_000n) },
      tokenProgram: TOKEN_PROGRAM,
    };
    const place = (sql: Sql) =>
      placeOrders(sql, [placement], { feeReserveLamports: lamports(10_000n), now: new Date() });
    let second: Promise<Placed[]> | null = null;
    const first = await database.transaction(async (sql) => {
      const placed = await place(sql);
      second = database.transaction(place);
      second.catch(() => {});
      await expect
        .poll(() =>
          database.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          ),
        )
        .toHaveLength(1);
      return placed;
    });
    expect(first).toMatchObject([{ kind: 'held' }]);
    expect(await second!).toMatchObject([{ kind: 'known', order: { id: order.id } }]);
  });
});

describe('two trades, a close and a withdrawal that race for one balance', () => {
  it('never overdraw it, and each ends as a hold or a refusal', { timeout: 1_800_000 }, async () => {
    const queue = Array.from({ length: RACES }).keys();
    const race = async (): Promise<void> => {
      const trader = await aTrader();
      await postEntries(database, [
        {
          kind: 'deposit',
          reference: `tokens:${trader.bookId}`,
          postings: [
            { bookId: trader.bookId, account: 'cash', asset: FAKE_MINT, amount: 500n },
            { bookId: null, account: 'external', asset: FAKE_MINT, amount: -500n },
          ],
        },
      ]);
      const place = async (order: Partial<NewOrder>): Promise<string> => {
        const { userId, bookId } = trader;
        const whole = { userId, bookId, mint: FAKE_MINT, slippageBps: 100, kind: 'trade' as const };
        const wanted = { ...whole, side: 'buy' as const, amountIn: lamports(600_000_000n), ...order };
        const placement = { order: wanted, tokenProgram: TOKEN_PROGRAM };
        const [placed] = await database.transaction((sql) =>
          placeOrders(sql, [placement], { feeReserveLamports: lamports(10_000n), now: new Date() }),
        );
        return placed!.kind;
      };
      const withdraw = async (): Promise<string> => {
        const { bookId } = trader;
        const postings = [
          { bookId, account: 'cash' as const, asset: SOL, amount: -700_000_000n },
          { bookId, account: 'held' as const, asset: SOL, amount: 700_000_000n },
        ];
        try {
          await database.transaction((sql) =>
            postEntries(sql, [{ kind: 'withdrawal-hold', reference: bookId, postings }]),
          );
          return 'held';
        } catch (error) {
          if (violates(error, 'balance_not_negative')) return 'refused';
          throw error;
        }
      };
      const ends = await Promise.all([
        place({}),
        withdraw(),
        place({ side: 'sell', amountIn: SELL_ALL, fit: true, kind: 'close' }),
        place({}),
      ]);
      // There is money for exactly one of the two buys and the withdrawal; the sale needs none.
      expect([ends[0], ends[1], ends[3]].filter((end) => end === 'held')).toHaveLength(1);
      expect(ends[2]).toBe('held');
    };
    const lane = async (): Promise<void> => {
      for (const _ of queue) await race();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const negative = await database.query(`select 1 from balance where amount < 0`);
    expect(negative).toEqual([]);
  });
});
