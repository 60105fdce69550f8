import type { Denial, HoldReason } from '../denial.ts';
import type { OwnLimits } from './own-limits.ts';

/** One withdrawal as the signer remembers it, keyed by wallet and withdrawal id. */
export type WithdrawalRecord = {
  walletId: string;
  withdrawalId: string;
  destination: string;
  /** Zero where tokens were withdrawn. */
  lamports: bigint;
  token: { mint: string; amount: bigint } | null;
  /** When the password was last right for exactly this withdrawal. */
  authenticatedAt: number;
  /** When a second factor was right for exactly this withdrawal. */
  factorAt: number | null;
  heldUntil: number | null;
  /** Every different message signed for it, by its SHA-256. Each of them could land, so each counts with the amount. */
  signed: readonly { digest: string; at: number }[];
};

/** Of one wallet in 24 hours; what is large; of all wallets in 24 hours. */
export type WithdrawalLimits = { dailyLamports: bigint; largeLamports: bigint; totalLamports: bigint };

/** Messages that move tokens out of one wallet in 24 hours. The signer knows no price, so it counts. */
export const TOKEN_WITHDRAWALS_PER_DAY = 20;

export const DAY_MS = 24 * 60 * 60_000;
/** A server keeps no password, so it may come back for a held or expired withdrawal without one, for a while. */
export const AUTHENTICATION_MS = 3 * DAY_MS;
/** After a reset of the password: no export, no new destination, and the old password undoes the reset. */
export const RESET_PAUSE_MS = 3 * DAY_MS;
/** A blockhash may expire more than once; beyond that, repeated signing looks like draining by repetition. */
export const SIGNATURES_MAX = 5;

export type WithdrawalDecision =
  | { kind: 'sign' }
  | { kind: 'hold'; until: number; reason: HoldReason }
  | { kind: 'deny'; denial: Denial };

/** Pure: called with no await between reading the history and recording the outcome, or parallel requests would race. */
export function decideWithdrawal(input: {
  now: number;
  limits: WithdrawalLimits;
  lamports: bigint;
  isToken: boolean;
  destination: string;
  digest: string;
  known: WithdrawalRecord | null;
  /** All records of the wallet. */
  history: readonly WithdrawalRecord[];
  /** When each destination was first paid. */
  destinations: ReadonlyMap<string, number>;
  passwordChangedAt: number | null;
  passwordResetAt: number | null;
  /** What the owner chose. */
  own: OwnLimits;
}): WithdrawalDecision {
  const { now, limits, known } = input;
  if (known?.signed.some(({ digest }) => digest === input.digest)) return { kind: 'sign' };
  if (known !== null && known.signed.length >= SIGNATURES_MAX) {
    return refuse('WITHDRAWAL_RESIGNED_TOO_OFTEN', 'this withdrawal was signed too often');
  }

  // The signer does not see the chain: that an earlier message expired is only what the caller says.
  const since = now - DAY_MS;
  const counted = input.history.flatMap(({ destination, lamports, token, signed }) =>
    signed.filter(({ at }) => at > since).map(() => ({ destination, lamports, isToken: token !== null })),
  );
  const total = counted.reduce((sum, row) => sum + row.lamports, input.lamports);
  if (total > input.own.dailyLamports || total > limits.dailyLamports) {
    return refuse('VELOCITY', 'the limit of 24 hours would be passed');
  }
  if (input.isToken && counted.filter((row) => row.isToken).length >= TOKEN_WITHDRAWALS_PER_DAY) {
    return refuse('VELOCITY', 'too many withdrawals of tokens within 24 hours');
  }

  // Whoever reads the owner's mail can reset his password; until the owner has had time to notice, money goes only where
  // it went before.
  const resetUntil = (input.passwordResetAt ?? -Infinity) + RESET_PAUSE_MS;
  if (resetUntil > now && !((input.destinations.get(input.destination) ?? now) < input.passwordResetAt!)) {
    const reason = 'after a reset withdrawals go only to addresses used before';
    return { kind: 'deny', denial: { code: 'NEW_ADDRESS_AFTER_RESET', reason, until: resetUntil } };
  }

  const isNew = (destination: string): boolean => (input.destinations.get(destination) ?? now) > since;
  const isPasswordFresh = input.passwordChangedAt !== null && input.passwordChangedAt > since;
  if (!isPasswordFresh && !isNew(input.destination)) return { kind: 'sign' };
  // Small pieces add up, or a large withdrawal would simply be split.
  const exposed = counted
    .filter((row) => isPasswordFresh || isNew(row.destination))
    .reduce((sum, row) => sum + row.lamports, input.lamports);
  // What tokens are worth nobody here can know: to a new destination any of them count as much.
  const waits = input.isToken || exposed >= limits.largeLamports || (input.own.delaysNew && isNew(input.destination));
  if (!waits) return { kind: 'sign' };

  const isLarge = exposed >= limits.largeLamports;
  const reason: HoldReason = isPasswordFresh
    ? 'password-changed'
    : isLarge
      ? 'new-address'
      : input.isToken
        ? 'new-address-token'
        : 'own-delay';
  const wasHeldBefore = known !== null && known.heldUntil !== null;
  const changedSince = (input.passwordChangedAt ?? 0) > (known?.authenticatedAt ?? 0);
  if (wasHeldBefore && !changedSince) {
    return known.heldUntil! <= now ? { kind: 'sign' } : { kind: 'hold', until: known.heldUntil!, reason };
  }
  return { kind: 'hold', until: now + DAY_MS, reason };
}

function refuse(code: Denial['code'], reason: string): WithdrawalDecision {
  return { kind: 'deny', denial: { code, reason } };
}
