import { isAtLoss } from '@hunter/domain/record/win-rate';
import type { UnsoldTrip } from '../../ledger/positions.ts';
import { holdingValue, type Pools } from '../book-holdings.ts';

/** How many of these trips would end with a loss if they were sold now. One that cannot be priced is left out. */
export function countAtLoss(trips: readonly UnsoldTrip[], pools: Pools): number {
  return trips.filter((trip) => {
    const value = holdingValue(pools, trip.mint, trip.quantity);
    return value !== null && isAtLoss(trip, value);
  }).length;
}
