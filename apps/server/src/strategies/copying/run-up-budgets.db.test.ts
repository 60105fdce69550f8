import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { runUpOfClosedPurchase } from '@hunter/domain/copying/follow-protection';
import { lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../platform/columns-of.ts';
import type { Database } from '../../platform/postgres.ts';
import { useTestDatabase } from '../../platform/postgres-for-test.ts';
import type { BuyCandidate } from './plan-buys.ts';
import { giveRunUpBack } from './run-up-budgets.ts';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-01-02T12:00:00Z');
const BOOKS = [randomUUID(), randomUUID(), randomUUID()];
const MINTS = ['one', 'other'] as Address[];
const USED = 10n ** 15n;

let database: Database;
useTestDatabase((started) => (database = started));

// Few moments, so that many things happen in one second and some lie a day back.
const moment = fc.integer({ min: 0, max: 5 }).map((step) => new Date(NOW.getTime() - step * 5 * HOUR_MS));
const amount = fc.bigInt({ min: 900n, max: 1_100n });

const aRound = fc.record({
  mint: fc.constantFrom(...MINTS),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  at: moment,
  filledIn: amount,
  filledOut: amount,
  parts: fc.uniqueArray(
    fc.record({
      bookId: fc.constantFrom(...BOOKS),
      amountIn: amount,
      runUp: fc.bigInt({ min: 0n, max: 200n }),
      reason: fc.constantFrom(null, null, null, 'failed-on-chain'),
    }),
    { selector: ({ bookId }) => bookId },
  ),
});

const aTrip = fc.record({
  bookId: fc.constantFrom(...BOOKS),
  mint: fc.constantFrom(...MINTS),
  times: fc.tuple(moment, moment).map((pair) => pair.toSorted((one, other) => one.getTime() - other.getTime())),
  closedBy: fc.constantFrom('sold', 'sold', 'sold', 'moved'),
  soldTokens: fc.constantFrom(10n, 10n, 10n, 9n),
});

type Round = typeof aRound extends fc.Arbitrary<infer R> ? R : never;
type Trip = typeof aTrip extends fc.Arbitrary<infer T> ? T : never;

async function save(orderBookId: string, rounds: readonly Round[], trips: readonly Trip[]): Promise<void> {
  await database.transaction(async (sql) => {
    // Only what the budgets read; the rest of the ledger has no part in them.
    await sql.write(`set local session_replication_role = replica`);
    await sql.write(`delete from round_trip`);
    const orders = rounds.map((round) => ({ ...round, id: randomUUID() }));
    await sql.write(
      `insert into trade_order (id, user_id, book_id, wallet_id, kind, side, mint, amount_in, swap_in, slippage_bps, state, is_round,
         created_at, settled_at, filled_in, filled_out)
       select id, $1, $1, $1, 'trade', side, mint, 1, 1, 100, 'finalized', true, at, at, filled_in, filled_out
       from unnest($2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::numeric[], $7::numeric[])
         v (id, side, mint, at, filled_in, filled_out)`,
      [orderBookId, ...columnsOf(orders, 'id', 'side', 'mint', 'at', 'filledIn', 'filledOut')],
    );
    const parts = orders.flatMap(({ id, at, parts }) => parts.map((part) => ({ ...part, id, at })));
    await sql.write(
      `insert into allocation (order_id, book_id, user_id, follow_id, amount_in, run_up_lamports, reason, at)
       select id, book_id, book_id, book_id, amount_in, run_up, reason, at
       from unnest($1::uuid[], $2::uuid[], $3::numeric[], $4::numeric[], $5::text[], $6::timestamptz[])
         v (id, book_id, amount_in, run_up, reason, at)`,
      columnsOf(parts, 'id', 'bookId', 'amountIn', 'runUp', 'reason', 'at'),
    );
    const rows = trips.map(({ times: [openedAt, closedAt], ...trip }) => ({ ...trip, openedAt, closedAt }));
    await sql.write(
      `insert into round_trip (book_id, mint, user_id, opened_at, closed_at, closed_by, open_lamports, open_tokens, bought_tokens,
         bought_lamports, sold_tokens, sold_lamports, quantity, cost_lamports, realised_lamports)
       select book_id, mint, book_id, opened_at, closed_at, closed_by, 1, 1, 10, 1, sold_tokens, 1, 0, 0, 0
       from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::numeric[])
         v (book_id, mint, opened_at, closed_at, closed_by, sold_tokens)`,
      columnsOf(rows, 'bookId', 'mint', 'openedAt', 'closedAt', 'closedBy', 'soldTokens'),
    );
  });
}

const isOfDay = (at: Date) => at.getTime() > NOW.getTime() - 24 * HOUR_MS;

/** Every purchase of every trip by itself. */
function givenTo(bookId: string, mints: readonly Address[], rounds: readonly Round[], trips: readonly Trip[]): bigint {
  const fills = rounds.flatMap(({ parts, ...round }) =>
    parts
      .filter((part) => part.bookId === bookId && part.reason === null && isOfDay(round.at))
      .map((part) => ({ ...round, ...part, amountOut: (part.amountIn * round.filledOut) / round.filledIn })),
  );
  return trips
    .filter((trip) => trip.bookId === bookId && mints.includes(trip.mint))
    .filter(({ times, closedBy, soldTokens }) => isOfDay(times[0]!) && closedBy === 'sold' && soldTokens >= 10n)
    .flatMap(({ mint, times: [openedAt, closedAt] }) => {
      const own = fills.filter((fill) => fill.mint === mint && fill.at >= openedAt! && fill.at <= closedAt!);
      const bought = own.filter(({ side, at }) => side === 'buy' && at < closedAt!);
      return bought.map(({ at, runUp, amountIn, amountOut }) => {
        const later = own.filter((fill) => fill.side === 'sell' && fill.at > at);
        const counted = runUpOfClosedPurchase({
          runUpLamports: runUp,
          paidLamports: amountIn,
          boughtTokens: amountOut,
          soldTokens: later.reduce((sum, fill) => sum + fill.amountIn, 0n),
          soldLamports: later.reduce((sum, fill) => sum + fill.amountOut, 0n),
        });
        return runUp - counted;
      });
    })
    .reduce((sum, given) => sum + given, 0n);
}

describe('what closed round trips give back to the run-up budgets', () => {
  it('is what each of their purchases did not lose, of whatever rounds and trips', async () => {
    const history = fc.tuple(
      fc.array(aRound, { minLength: 10, maxLength: 40 }),
      fc.array(aTrip, { minLength: 5, maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(history, async ([rounds, trips]) => {
        const orderBookId = randomUUID();
        await save(orderBookId, rounds, trips);
        const candidates = BOOKS.map((bookId) => {
          const hasUsed = rounds.some(
            ({ at, parts }) =>
              isOfDay(at) && parts.some((part) => part.bookId === bookId && part.runUp > 0n && part.reason === null),
          );
          const used = lamports(hasUsed ? USED : 0n);
          return { bookId, runUpUsed: used, runUpUsedTotal: used } as BuyCandidate;
        });
        const after = await giveRunUpBack(database, { bookId: orderBookId }, MINTS[0]!, candidates, NOW);
        expect(after).toEqual(
          candidates.map(({ bookId, runUpUsed, runUpUsedTotal }) => ({
            bookId,
            runUpUsed: runUpUsed - givenTo(bookId, [MINTS[0]!], rounds, trips),
            runUpUsedTotal: runUpUsedTotal - givenTo(bookId, MINTS, rounds, trips),
          })),
        );
      }),
      { numRuns: 60 },
    );
  });
});
