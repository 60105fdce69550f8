import type { CopySkipReason } from '@hunter/domain/copying/copy-skip';
import { runUpOfClosedPurchase } from '@hunter/domain/copying/follow-protection';
import { lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import { loadClosedTrips } from '../../ledger/positions.ts';
import type { Sql } from '../../platform/postgres.ts';
import { loadPurchasesOfTrips } from '../../trading/rounds/allocation-store.ts';
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
  const bookIds = candidates.map((candidate) => candidate.bookId);
  const trips = await loadClosedTrips(sql, bookIds, new Date(now.getTime() - DAY_MS));
  const back = new Map<string, { coin: bigint; total: bigint }>();
  for (const { place, ...purchase } of await loadPurchasesOfTrips(sql, bookId, trips, now)) {
    const trip = trips[place - 1]!;
    const given = purchase.runUpLamports - runUpOfClosedPurchase(purchase);
    const { coin, total } = back.get(trip.bookId) ?? { coin: 0n, total: 0n };
    back.set(trip.bookId, { coin: coin + (trip.mint === mint ? given : 0n), total: total + given });
  }
  return candidates.map((candidate) => {
    const { coin, total } = back.get(candidate.bookId) ?? { coin: 0n, total: 0n };
    const { runUpUsed, runUpUsedTotal } = candidate;
    return { ...candidate, runUpUsed: lamports(runUpUsed - coin), runUpUsedTotal: lamports(runUpUsedTotal - total) };
  });
}
