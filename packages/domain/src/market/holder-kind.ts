// Who holds a token, as the market page counts it.

/** From the launch on. Block times are whole seconds, so a buy of the fifth second counts. */
export const SNIPER_WINDOW_MS = 5_000;
/** Fewer wallets in one slot are a coincidence. */
const BUNDLE_WALLETS_MIN = 4;
const FRESH_WALLET_MS = 24 * 3_600_000;

/** A wallet that bought in the first five seconds of a token. */
export function isSniperBuy(buy: { readonly atMs: number; readonly launchedAtMs: number }): boolean {
  return buy.atMs - buy.launchedAtMs <= SNIPER_WINDOW_MS;
}

/**
 * A wallet that bought in the launch slot: the slot of the token's first trade, where that came in the first five seconds. Without
 * such a trade nobody can have prepared one together with the launch.
 */
export function isLaunchSlotBuy(buy: {
  readonly slot: bigint;
  readonly firstSlot: bigint;
  readonly firstAtMs: number;
  readonly launchedAtMs: number;
}): boolean {
  return buy.slot === buy.firstSlot && isSniperBuy({ atMs: buy.firstAtMs, launchedAtMs: buy.launchedAtMs });
}

/** Buyers of the launch slot are bundlers only where they are enough to be no coincidence. */
export function bundledOf(launchSlot: HeldBy): HeldBy {
  return launchSlot.wallets >= BUNDLE_WALLETS_MIN ? launchSlot : { wallets: 0, units: 0n };
}

/** A wallet is fresh whose first trade on record, of any token, came after this. Without a trade its age is not known. */
export function freshSinceMs(nowMs: number): number {
  return nowMs - FRESH_WALLET_MS;
}

/** Wallets of one kind, and what they hold together now. */
export type HeldBy = { readonly wallets: number; readonly units: bigint };

/** What happened at a launch is known only where trades were already being recorded. Null: nothing is recorded yet. */
export function isLaunchKnown(launchedAtMs: number, recordedSinceMs: number | null): boolean {
  return recordedSinceMs !== null && launchedAtMs >= recordedSinceMs;
}

/** With less than a day on record every wallet would look fresh. */
export function isWalletAgeKnown(nowMs: number, recordedSinceMs: number | null): boolean {
  return recordedSinceMs !== null && nowMs - recordedSinceMs >= FRESH_WALLET_MS;
}
