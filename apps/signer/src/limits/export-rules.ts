import type { Denial } from '../denial.ts';

/**
 * Whoever can read the owner's mail, or is the server itself, can set a new password. The owner needs time to notice
 * before that password shows the key.
 */
export const EXPORT_PAUSE_AFTER_RESET_MS = 72 * 60 * 60_000;

const EXPORT_WINDOW_MS = 24 * 60 * 60_000;
/** How long a key can be fetched once its delay is over; afterwards the delay starts anew. */
const FETCH_MS = 72 * 60 * 60_000;

/** `trip` stops all signing: so many wallets shown within a day are a theft under way, not their owners. */
export type ExportDecision =
  | { kind: 'show' }
  | { kind: 'wait'; until: number; isNew: boolean }
  | { kind: 'deny'; denial: Denial }
  | { kind: 'trip' };

/** An export that waits for its delay. */
export type AskedExport = { at: number; readyAt: number };

export function decideExport(input: {
  now: number;
  walletId: string;
  /** The last reset of password or second factors. */
  resetAt: number | null;
  /** When each wallet's key was last shown. */
  shown: ReadonlyMap<string, number>;
  walletsPerDay: number;
  /** Whether the wallet holds so much that its key is shown only after a delay. */
  isLarge: boolean;
  asked: AskedExport | null;
  delayMs: number;
}): ExportDecision {
  const { now, asked } = input;
  const until = (input.resetAt ?? -Infinity) + EXPORT_PAUSE_AFTER_RESET_MS;
  if (until > now) {
    const reason = 'password or second factor were reset without the old ones';
    return { kind: 'deny', denial: { code: 'EXPORT_AFTER_RESET', reason, until } };
  }
  if (asked !== null && asked.readyAt > now) return { kind: 'wait', until: asked.readyAt, isNew: false };
  const isReady = asked !== null && now < asked.readyAt + FETCH_MS;
  if (input.isLarge && !isReady && input.delayMs > 0) return { kind: 'wait', until: now + input.delayMs, isNew: true };
  if (tooManyOthers(input.shown, input.walletId, input.walletsPerDay, now)) return { kind: 'trip' };
  return { kind: 'show' };
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
