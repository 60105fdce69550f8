import type { Denial } from './denial.ts';

/**
 * Whoever can read the owner's mail, or is the server itself, can set a new password. The owner needs time to notice
 * before that password shows the key.
 */
export const EXPORT_PAUSE_AFTER_RESET_MS = 72 * 60 * 60_000;

/** Why the key is not shown now; null where it may be. */
export function decideExport(input: { now: number; passwordResetAt: number | null }): Denial | null {
  const until = (input.passwordResetAt ?? -Infinity) + EXPORT_PAUSE_AFTER_RESET_MS;
  if (until <= input.now) return null;
  return { code: 'EXPORT_AFTER_RESET', reason: 'the password was reset without the old one', until };
}
