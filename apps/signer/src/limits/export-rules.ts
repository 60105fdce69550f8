import type { Denial } from '../denial.ts';

/**
 * Whoever can read the owner's mail, or is the server itself, can set a new password. The owner needs time to notice
 * before that password shows the key.
 */
export const EXPORT_PAUSE_AFTER_RESET_MS = 72 * 60 * 60_000;

const EXPORT_WINDOW_MS = 24 * 60 * 60_000;
/** How long a key can be fetched once its delay is over; afterwards the delay starts anew. */
const FETCH_MS = 72 * 60 * 60_000;

export type ExportDecision =
  | { kind: 'show' }
  | { kind: 'wait'; until: number; isNew: boolean; isCrowded: boolean }
  | { kind: 'deny'; denial: Denial };

/** An export that waits for its time. */
export type AskedExport = { at: number; readyAt: number };

export function decideExport(input: {
  now: number;
  walletId: string;
  /** The last reset of password or second factors. */
  resetAt: number | null;
  /** When each wallet's key was last shown. */
  shown: ReadonlyMap<string, number>;
  /** The exports that wait, by wallet. */
  waiting: ReadonlyMap<string, AskedExport>;
  walletsPerDay: number;
  /** Whether the wallet holds so much that its key is shown only after a delay. */
  isLarge: boolean;
  delayMs: number;
}): ExportDecision {
  const { now } = input;
  const until = (input.resetAt ?? -Infinity) + EXPORT_PAUSE_AFTER_RESET_MS;
  if (until > now) {
    const reason = 'password or second factor were reset without the old ones';
    return { kind: 'deny', denial: { code: 'EXPORT_AFTER_RESET', reason, until } };
  }
  const asked = input.waiting.get(input.walletId);
  if (asked !== undefined) {
    if (asked.readyAt > now) return { kind: 'wait', until: asked.readyAt, isNew: false, isCrowded: false };
    if (now < asked.readyAt + FETCH_MS) return { kind: 'show' };
  }
  const ownTime = input.isLarge ? now + input.delayMs : now;
  const free = nextFreePlace(input);
  if (ownTime <= now && free <= now) return { kind: 'show' };
  return { kind: 'wait', until: Math.max(ownTime, free), isNew: true, isCrowded: free > ownTime };
}

/**
 * The keys of at most so many wallets become visible in 24 hours, in the order in which they were asked for. Whoever takes over the
 * server gets no more of them a day while operators are told; a stop of everything could be had by anybody with that many empty wallets,
 * who can now only be ahead of others, by a day for as many wallets as there are places. A wallet is never behind itself.
 */
function nextFreePlace({
  now,
  walletId,
  shown,
  waiting,
  walletsPerDay,
}: Pick<Parameters<typeof decideExport>[0], 'now' | 'walletId' | 'shown' | 'waiting' | 'walletsPerDay'>): number {
  const taken: number[] = [];
  for (const [other, at] of shown) if (other !== walletId) taken.push(at);
  for (const [other, { readyAt }] of waiting) if (other !== walletId) taken.push(readyAt);
  taken.sort((left, right) => right - left);
  const last = taken[Math.max(walletsPerDay, 1) - 1];
  return last === undefined ? now : Math.max(now, last + EXPORT_WINDOW_MS);
}

export function countWithinDay(happened: ReadonlyMap<string, number>, now: number): bigint {
  let count = 0n;
  for (const at of happened.values()) if (at > now - EXPORT_WINDOW_MS) count += 1n;
  return count;
}

/** A wallet counts once, so that one owner who does it again and again stops nobody. */
export function tooManyOthers(
  happened: ReadonlyMap<string, number>,
  walletId: string,
  walletsPerDay: number,
  now: number,
): boolean {
  let others = 0;
  for (const [other, at] of happened) if (other !== walletId && at > now - EXPORT_WINDOW_MS) others += 1;
  return others >= walletsPerDay;
}
