import type { Lamports } from '../numbers/lamports.ts';
import type { Price } from '../numbers/price.ts';
import type { Rate } from '../numbers/rate.ts';
import { divFloor } from '../numbers/rounding.ts';

export const NOTICE_TRIGGERS = ['proven-wallets', 'volume-surge', 'breakout', 'creator-buy'] as const;

export type NoticeTrigger = (typeof NOTICE_TRIGGERS)[number];

/** One notice per token and trigger in this time: a second one would say the same. */
export const NOTICE_DEDUPE_MS = 30 * 60_000;

/** Closed trades of a wallet below which its profit may be an accident. */
export const PROVEN_TRIPS_MIN = 5;
/** Wash trading can make any wallet look good; this much profit at least has to be paid for. */
export const PROVEN_REALIZED_LAMPORTS_MIN = 1_000_000_000n;
/** What counts as bought: dust and gifts say nothing about what a wallet thinks of a token. */
export const REAL_BUY_LAMPORTS_MIN = 50_000_000n;
const PROVEN_WALLETS_MIN = 3;
const PROVEN_WALLETS_WINDOW_MS = 10 * 60_000;
const SURGE_FACTOR = 5n;
const SURGE_BUYERS_MIN = 8;
/** Five times nothing is nothing: 2 SOL in five minutes at least. */
const SURGE_LAMPORTS_MIN = 2_000_000_000n;
const BREAKOUT_PERCENT = 10n;
const BREAKOUT_HOLDER_PERCENT = 3n;

export type WalletRecord = {
  readonly closedTrips: number;
  readonly wonTrips: number;
  readonly realizedLamports: bigint;
};

/** Enough closed trades to be no accident, more won than lost, and real money made over all. */
export function isProvenWallet({ closedTrips, wonTrips, realizedLamports }: WalletRecord): boolean {
  return (
    closedTrips >= PROVEN_TRIPS_MIN && wonTrips * 2 > closedTrips && realizedLamports >= PROVEN_REALIZED_LAMPORTS_MIN
  );
}

/** `proven` says whether its wallet is. */
export type ProvenBuy = {
  readonly wallet: string;
  readonly atMs: number;
  readonly lamports: bigint;
  readonly proven: boolean;
};

/** Distinct wallets of proven profit that bought in the last ten minutes, or null where they are too few. */
export function decideProvenWallets(
  buys: readonly ProvenBuy[],
  nowMs: number,
): { readonly wallets: readonly string[] } | null {
  const isRecent = (atMs: number): boolean => atMs <= nowMs && nowMs - atMs <= PROVEN_WALLETS_WINDOW_MS;
  const recent = buys.filter(
    ({ proven, atMs, lamports }) => proven && isRecent(atMs) && lamports >= REAL_BUY_LAMPORTS_MIN,
  );
  const wallets = [...new Set(recent.map(({ wallet }) => wallet))];
  return wallets.length >= PROVEN_WALLETS_MIN ? { wallets } : null;
}

/** The hour is the one before the five minutes; its mean is that of its twelve five-minute parts. */
export function decideVolumeSurge(volume: {
  readonly fiveMinuteLamports: Lamports;
  readonly hourBeforeLamports: Lamports;
  readonly distinctBuyers: number;
}): { readonly factorBps: bigint } | null {
  const { fiveMinuteLamports, hourBeforeLamports, distinctBuyers } = volume;
  // Without an hour of history there is no mean to surge from.
  if (hourBeforeLamports === 0n || fiveMinuteLamports < SURGE_LAMPORTS_MIN) return null;
  if (distinctBuyers < SURGE_BUYERS_MIN) return null;
  if (fiveMinuteLamports * 12n < hourBeforeLamports * SURGE_FACTOR) return null;
  return { factorBps: divFloor(fiveMinuteLamports * 12n * 10_000n, hourBeforeLamports) };
}

/** A price above the highest of the last hours, carried by people who come and stay. */
export function decideBreakout(market: {
  readonly price: Price;
  readonly highestBefore: Price;
  readonly holdersNow: number;
  readonly holdersHourAgo: number;
}): { readonly newHolders: number } | null {
  const { price, highestBefore, holdersNow, holdersHourAgo } = market;
  if (highestBefore === 0n || holdersHourAgo <= 0) return null;
  if (price * 100n < highestBefore * (100n + BREAKOUT_PERCENT)) return null;
  if (BigInt(holdersNow) * 100n < BigInt(holdersHourAgo) * (100n + BREAKOUT_HOLDER_PERCENT)) return null;
  return { newHolders: holdersNow - holdersHourAgo };
}

export function decideCreatorBuy(buy: {
  readonly yieldRate: Rate;
  readonly spendLamports: Lamports;
}): { readonly yieldRate: Rate } | null {
  return buy.yieldRate > 0n && buy.spendLamports >= REAL_BUY_LAMPORTS_MIN ? { yieldRate: buy.yieldRate } : null;
}

/** `lastSameMs` is the time of the last notice of the same token and trigger. */
export function isRepeatedNotice(lastSameMs: number | null, nowMs: number): boolean {
  return lastSameMs !== null && nowMs - lastSameMs < NOTICE_DEDUPE_MS;
}
