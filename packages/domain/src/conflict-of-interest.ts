/** A creator's own books stay out of a coin for this long around his strategy's purchase of it. */
export const CREATOR_APART_MS = 10 * 60_000;

/** How long another book of a creator still has to wait before it may sell a coin that his strategy bought. */
export function creatorWaitMs(strategyBoughtAtMs: number | null, nowMs: number): number {
  return strategyBoughtAtMs === null ? 0 : Math.max(0, strategyBoughtAtMs + CREATOR_APART_MS - nowMs);
}

/** Whether followers take part in a strategy's purchase: not where its creator bought the coin for himself just before. */
export function mayFollowersBuy(creatorBoughtAtMs: number | null, nowMs: number): boolean {
  return creatorBoughtAtMs === null || nowMs - creatorBoughtAtMs >= CREATOR_APART_MS;
}
