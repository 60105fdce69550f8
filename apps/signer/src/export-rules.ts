import type { Denial } from './denial.ts';

/**
 * Whoever can read the owner's mail, or is the server itself, can set a new password. The owner needs time to notice
 * before that password shows the key.
 */
export const EXPORT_PAUSE_AFTER_RESET_MS = 72 * 60 * 60_000;

const EXPORT_WINDOW_MS = 24 * 60 * 60_000;

/** `trip` stops all signing: so many wallets shown within a day are a theft under way, not their owners. */
export type ExportDecision = { kind: 'show' } | { kind: 'deny'; denial: Denial } | { kind: 'trip' };

export function decideExport(input: {
  now: number;
  walletId: string;
  /** The last reset of password or second factors. */
  resetAt: number | null;
  /** When each wallet's key was last shown. */
  shown: ReadonlyMap<string, number>;
  walletsPerDay: number;
}): ExportDecision {
  const until = (input.resetAt ?? -Infinity) + EXPORT_PAUSE_AFTER_RESET_MS;
  if (until > input.now) {
    const reason = 'password or second factor were reset without the old ones';
    return { kind: 'deny', denial: { code: 'EXPORT_AFTER_RESET', reason, until } };
  }
  // A wallet counts once, so that one owner who looks again and again stops nobody.
  let others = 0;
  for (const [walletId, at] of input.shown) {
    if (walletId !== input.walletId && at > input.now - EXPORT_WINDOW_MS) others += 1;
  }
  return others >= input.walletsPerDay ? { kind: 'trip' } : { kind: 'show' };
}
