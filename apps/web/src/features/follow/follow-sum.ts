import type { CallReply } from '@hunter/contract/calls';
import { addDecimals } from '@hunter/domain/numbers/decimal';

export type Follow = CallReply<'getMyFollows'>['lists'][number];

type FollowSum = {
  count: number;
  equity: string | null;
  pnl: string | null;
  /** False where active follows may wait on pages that are not loaded yet. */
  complete: boolean;
};

/**
 * The active follows together, out of the very rows that are shown: valued at another moment the sum would not be theirs.
 * What one of them does not know, the sum does not know either.
 */
export function sumFollows(rows: readonly Follow[], hasMore: boolean): FollowSum {
  const active = rows.filter(({ status }) => status !== 'closed');
  return {
    count: active.length,
    equity: sumOf(active.map(({ equity }) => equity)),
    pnl: sumOf(active.map(({ pnl }) => pnl)),
    // The closed ones come last: after the first of them no active one follows.
    complete: !hasMore || active.length < rows.length,
  };
}

function sumOf(values: readonly (string | null)[]): string | null {
  return values.includes(null) ? null : addDecimals(...(values as string[]));
}
