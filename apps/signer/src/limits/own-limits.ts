/** What the owner of a wallet chose for the withdrawals from it, besides the limits of the installation. */
export type OwnLimits = {
  /** SOL that may leave in 24 hours. */
  dailyLamports: bigint;
  /** Whether every withdrawal to a new destination waits, not only a large one. */
  delaysNew: boolean;
};

/** What holds now, and what will hold from a time on. */
export type ChosenLimits = { now: OwnLimits; next: (OwnLimits & { from: number }) | null };

export const NO_OWN_LIMITS: ChosenLimits = { now: { dailyLamports: 2n ** 64n, delaysNew: false }, next: null };

const RAISE_AFTER_MS = 24 * 60 * 60_000;

export function limitsAt({ now, next }: ChosenLimits, at: number): ChosenLimits {
  if (next === null || next.from > at) return { now, next };
  const { dailyLamports, delaysNew } = next;
  return { now: { dailyLamports, delaysNew }, next: null };
}

export function isLooser(before: OwnLimits, wanted: OwnLimits): boolean {
  return wanted.dailyLamports > before.dailyLamports || (before.delaysNew && !wanted.delaysNew);
}

/** Stricter holds at once; looser after a day, so that whoever has the session for an hour gains nothing by it. */
export function chooseLimits(chosen: ChosenLimits, wanted: OwnLimits, at: number): ChosenLimits {
  const { now } = limitsAt(chosen, at);
  if (!isLooser(now, wanted)) return { now: wanted, next: null };
  const dailyLamports = wanted.dailyLamports < now.dailyLamports ? wanted.dailyLamports : now.dailyLamports;
  return {
    now: { dailyLamports, delaysNew: now.delaysNew || wanted.delaysNew },
    next: { ...wanted, from: at + RAISE_AFTER_MS },
  };
}
