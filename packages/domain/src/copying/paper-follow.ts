/** A paper follow lasts this long at most: what it is replayed over is not kept for ever. */
export const PAPER_FOLLOW_DAYS = 30;
const LASTS_MS = PAPER_FOLLOW_DAYS * 86_400_000;

export type PaperEnd = { readonly by: 'follower' | 'strategy-end' | 'time'; readonly atMs: number };

/** What ended a paper follow first, its own stop loss and take profit aside; null while it runs. */
export function paperEnd(
  follow: {
    readonly startedAtMs: number;
    readonly endedAtMs: number | null;
    readonly strategyEndedAtMs: number | null;
  },
  nowMs: number,
): PaperEnd | null {
  const ends: { by: PaperEnd['by']; atMs: number | null }[] = [
    { by: 'strategy-end', atMs: follow.strategyEndedAtMs },
    { by: 'follower', atMs: follow.endedAtMs },
    { by: 'time', atMs: follow.startedAtMs + LASTS_MS },
  ];
  const over = ends.flatMap(({ by, atMs }) => (atMs !== null && atMs <= nowMs ? [{ by, atMs }] : []));
  return over.toSorted((left, right) => left.atMs - right.atMs)[0] ?? null;
}
