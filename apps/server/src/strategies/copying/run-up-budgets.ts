import type { CopySkipReason } from '@hunter/domain/copying/copy-skip';
import { runUpOfClosedPurchase } from '@hunter/domain/copying/follow-protection';
import { lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import { loadClosedTrips, type ClosedTrips } from '../../ledger/positions.ts';
import type { Sql } from '../../platform/postgres.ts';
import { loadRoundsOfDay, type RoundOfDay } from '../../trading/rounds/allocation-store.ts';
import type { Strategy } from '../strategy-store.ts';
import type { BuyCandidate } from './plan-buys.ts';

const DAY_MS = 24 * 3_600_000;

/** Whether a run-up budget made a part of a plan smaller; only then is it worth asking what closed trips give back. */
export function isRunUpBound(parts: readonly { limitedBy?: string | null; reason?: CopySkipReason | null }[]): boolean {
  return parts.some(({ limitedBy, reason }) => limitedBy === 'run-up' || reason === 'run-up');
}

/** The same candidates, whose purchases of closed round trips count in the run-up budgets with what they lost, at most. */
export async function giveRunUpBack(
  sql: Sql,
  { bookId }: Pick<Strategy, 'bookId'>,
  mint: Address,
  candidates: readonly BuyCandidate[],
  now: Date,
): Promise<BuyCandidate[]> {
  const bookIds = candidates.flatMap((candidate) => (candidate.runUpUsedTotal > 0n ? [candidate.bookId] : []));
  const trips = await loadClosedTrips(sql, bookIds, new Date(now.getTime() - DAY_MS));
  const rounds = trips.length === 0 ? [] : await loadRoundsOfDay(sql, bookId, bookIds, now);
  const back = new Map<string, { coin: bigint; total: bigint }>();
  for (const trip of trips) {
    const within = roundsWithin(trip, rounds);
    for (const tripBookId of trip.bookIds) {
      const given = givenBack(within, tripBookId, trip.closedAt);
      const { coin, total } = back.get(tripBookId) ?? { coin: 0n, total: 0n };
      back.set(tripBookId, { coin: coin + (trip.mint === mint ? given : 0n), total: total + given });
    }
  }
  return candidates.map((candidate) => {
    const { coin, total } = back.get(candidate.bookId) ?? { coin: 0n, total: 0n };
    const { runUpUsed, runUpUsedTotal } = candidate;
    return { ...candidate, runUpUsed: lamports(runUpUsed - coin), runUpUsedTotal: lamports(runUpUsedTotal - total) };
  });
}

function roundsWithin({ mint, openedAt, closedAt }: ClosedTrips, rounds: readonly RoundOfDay[]): RoundOfDay[] {
  return rounds.filter((round) => round.mint === mint && round.settledAt >= openedAt && round.settledAt <= closedAt);
}

/** The rounds are those of the trip, the latest first: a purchase meets the sales after it before itself. */
function givenBack(rounds: readonly RoundOfDay[], bookId: string, closedAt: Date): bigint {
  let [soldTokens, soldLamports, given] = [0n, 0n, 0n];
  for (const { side, settledAt, parts } of rounds) {
    const part = parts.get(bookId);
    if (part === undefined) continue;
    const { runUpLamports, amountIn, amountOut } = part;
    if (side === 'sell') {
      soldTokens += amountIn;
      soldLamports += amountOut;
    } else if (settledAt < closedAt) {
      // Blocks know seconds only. What was bought in the second of the last sale may be of the next trip, and counts whole.
      const purchase = { runUpLamports, paidLamports: amountIn, boughtTokens: amountOut };
      given += runUpLamports - runUpOfClosedPurchase({ ...purchase, soldTokens, soldLamports });
    }
  }
  return given;
}
