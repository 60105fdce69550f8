import { DAY_MS, type WithdrawalLimits } from './withdrawal-rules.ts';

/** One message that was signed; each of them could land. */
export type SignedAmount = { at: number; lamports: bigint };

export type TurnDecision = { kind: 'now' } | { kind: 'wait'; until: number } | { kind: 'never' };

/** How far back it counts what a wallet itself has taken. */
export const TAKEN_MS = 7 * DAY_MS;

/**
 * When one more withdrawal may leave, so that all wallets together never withdraw more than the total of 24 hours: half of it at once,
 * the other half evenly over a day. Beyond that they wait. A stop until operators release it could be had by anybody who moves his own
 * SOL in circles through many wallets, and would bind a server that was taken over no more than this does: it knows how much has left,
 * and would end just below.
 *
 * The signer cannot tell such circles from a theft, but whoever makes them has taken much: what is left of the first half belongs to
 * wallets that took less. Up to the large amount within a week a wallet may use all of it, up to its own limit of a day half, beyond
 * that a quarter.
 */
export function decideTurn(input: {
  now: number;
  limits: WithdrawalLimits;
  lamports: bigint;
  /** What this wallet took within `TAKEN_MS`. */
  taken: bigint;
  /** Of all wallets within a day, in the order in which it was signed. */
  signed: readonly SignedAmount[];
}): TurnDecision {
  const { now, limits, lamports } = input;
  // Tokens have no amount in SOL; each wallet's own count bounds them.
  if (lamports === 0n) return { kind: 'now' };
  const atOnce = limits.totalLamports / 2n;
  if (lamports > atOnce) return { kind: 'never' };
  const perDay = limits.totalLamports - atOnce;
  const taken = input.taken + lamports;
  const share = taken <= limits.largeLamports ? atOnce : atOnce / (taken <= limits.dailyLamports ? 2n : 4n);
  // One that is larger than its share goes alone.
  const room = share > lamports ? share : lamports;
  const beyond = inUse(input.signed, perDay, now) + lamports - room;
  if (beyond <= 0n) return { kind: 'now' };
  return { kind: 'wait', until: now + Number((beyond * BigInt(DAY_MS) + perDay - 1n) / perDay) };
}

/** What is taken of the first half: for no time since which something was signed is it less than that less what came free. */
function inUse(signed: readonly SignedAmount[], perDay: bigint, now: number): bigint {
  let most = 0n;
  let sum = 0n;
  for (const { at, lamports } of signed.toReversed()) {
    if (at <= now - DAY_MS) continue;
    sum += lamports;
    // A clock that was set back frees nothing.
    const since = sum - (perDay * BigInt(Math.max(now - at, 0))) / BigInt(DAY_MS);
    if (since > most) most = since;
  }
  return most;
}
