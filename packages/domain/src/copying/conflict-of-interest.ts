import { COPY_MINIMUM_LAMPORTS } from './copying.ts';
import type { Lamports } from '../numbers/lamports.ts';

/** A creator's own books stay out of a coin for this long around his strategy's purchase of it. */
export const CREATOR_APART_MS = 10 * 60_000;

/** How long another book of a creator still has to wait before it may sell a coin that his strategy bought. */
export function creatorWaitMs(strategyBoughtAtMs: number | null, nowMs: number): number {
  return strategyBoughtAtMs === null ? 0 : Math.max(0, strategyBoughtAtMs + CREATOR_APART_MS - nowMs);
}

/** As long as the reference price looks back: within it a lifted price costs a follower more than the coin was worth. */
export const BOUGHT_LATELY_MS = 60 * 60_000;

export type CreatorsPurchases = {
  /** When another book that the creator steers bought the coin and holds it still; null where that is long ago or never was. */
  readonly boughtAtMs: number | null;
  /** What his wallet and wallets one transfer away from it paid for the coin on chain within the hour and have not sold again. */
  readonly nearbyLamports: Lamports;
};

/**
 * Whether followers buy a coin with or after their creator: not where he, or somebody near him, lifted its price for himself
 * within the hour, because he could then sell to them what he bought.
 */
export function mayFollowersBuy({ boughtAtMs, nearbyLamports }: CreatorsPurchases, nowMs: number): boolean {
  if (boughtAtMs !== null && nowMs - boughtAtMs < BOUGHT_LATELY_MS) return false;
  return nearbyLamports < COPY_MINIMUM_LAMPORTS;
}
