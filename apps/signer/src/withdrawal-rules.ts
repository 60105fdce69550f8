import type { Denial } from './denial.ts';

/** One withdrawal as the signer remembers it, keyed by wallet and withdrawal id. */
export type WithdrawalRecord = {
  walletId: string;
  withdrawalId: string;
  destination: string;
  lamports: bigint;
  /** When the password was last right for exactly this withdrawal. */
  authenticatedAt: number;
  heldUntil: number | null;
  /** Every different message signed for it, by its SHA-256. Each of them could land, so each counts with the amount. */
  signed: readonly { digest: string; at: number }[];
};

export type WithdrawalLimits = { dailyLamports: bigint; largeLamports: bigint };

export const DAY_MS = 24 * 60 * 60_000;
/** A server keeps no password, so it may come back for a held or expired withdrawal without one, for a while. */
export const AUTHENTICATION_MS = 3 * DAY_MS;
/** A blockhash may expire more than once; beyond that, repeated signing looks like draining by repetition. */
export const SIGNATURES_MAX = 5;

export type WithdrawalDecision = { kind: 'sign' } | { kind: 'hold'; until: number } | { kind: 'deny'; denial: Denial };

/** Pure: called with no await between reading the history and recording the outcome, or parallel requests would race. */
export function decideWithdrawal(input: {
  now: number;
  limits: WithdrawalLimits;
  lamports: bigint;
  destination: string;
  digest: string;
  known: WithdrawalRecord | null;
  /** All records of the wallet. */
  history: readonly WithdrawalRecord[];
  /** When each destination was first paid. */
  destinations: ReadonlyMap<string, number>;
  passwordChangedAt: number | null;
}): WithdrawalDecision {
  const { now, limits, known } = input;
  if (known?.signed.some(({ digest }) => digest === input.digest)) return { kind: 'sign' };
  if (known !== null && known.signed.length >= SIGNATURES_MAX) {
    return refuse('WITHDRAWAL_RESIGNED_TOO_OFTEN', 'this withdrawal was signed too often');
  }

  // The signer does not see the chain: that an earlier message expired is only what the caller says.
  const since = now - DAY_MS;
  const counted = input.history.flatMap(({ destination, lamports, signed }) =>
    signed.filter(({ at }) => at > since).map(() => ({ destination, lamports })),
  );
  const total = counted.reduce((sum, row) => sum + row.lamports, input.lamports);
  if (total > limits.dailyLamports) return refuse('VELOCITY', 'the limit of 24 hours would be passed');

  const isNew = (destination: string): boolean => (input.destinations.get(destination) ?? now) > since;
  const isPasswordFresh = input.passwordChangedAt !== null && input.passwordChangedAt > since;
  if (!isPasswordFresh && !isNew(input.destination)) return { kind: 'sign' };
  // Small pieces add up, or a large withdrawal would simply be split.
  const exposed = counted
    .filter((row) => isPasswordFresh || isNew(row.destination))
    .reduce((sum, row) => sum + row.lamports, input.lamports);
  if (exposed < limits.largeLamports) return { kind: 'sign' };

  const wasHeldBefore = known !== null && known.heldUntil !== null;
  const changedSince = (input.passwordChangedAt ?? 0) > (known?.authenticatedAt ?? 0);
  if (wasHeldBefore && !changedSince) {
    return known.heldUntil! <= now ? { kind: 'sign' } : { kind: 'hold', until: known.heldUntil! };
  }
  return { kind: 'hold', until: now + DAY_MS };
}

function refuse(code: Denial['code'], reason: string): WithdrawalDecision {
  return { kind: 'deny', denial: { code, reason } };
}
