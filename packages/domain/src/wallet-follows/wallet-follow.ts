import type { Address } from '../address.ts';
import { baseUnits, type BaseUnits } from '../numbers/base-units.ts';
import { BASIS_POINTS_WHOLE, type BasisPoints } from '../numbers/basis-points.ts';
import { COPY_MINIMUM_LAMPORTS, decideCopySale } from '../copying/copying.ts';
import type { CoinRefusal } from '../copying/copyable-coin.ts';
import {
  budgetsUsed,
  followLimits,
  roundPrice,
  type CoinFacts,
  type FollowSettings,
  type FollowState,
} from '../copying/follow-protection.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { depthLimit } from '../copying/round-depth.ts';
import { mulDiv, smaller } from '../numbers/rounding.ts';
import {
  leastUnitsOut,
  liquidationValue,
  type Pool,
  type AmountOut,
  type Ratio,
  type Side,
} from '../market/swap-maths.ts';

// What a wallet on chain does, done after it in a book of one's own. It trades after that wallet, so the price is another one:
// how far it may be away is a limit of its own.

/** Why a trade of the wallet was not copied, or not wholly. A reason keeps its number for ever. */
export const WALLET_SKIP_CODES = {
  paused: 1,
  'side-off': 2,
  'size-out-of-range': 3,
  'not-first-buy': 4,
  'token-excluded': 5,
  'hour-excluded': 6,
  late: 7,
  'price-gap': 8,
  'below-minimum': 9,
  'insufficient-balance': 10,
  'nothing-to-sell': 11,
  'token-cap': 12,
  'cap-per-trade': 13,
  'token-risk': 14,
  mintable: 15,
  'pool-too-small': 16,
  'pool-too-young': 17,
  'coarse-token': 18,
  'no-reference-price': 19,
  'run-up': 20,
  'coin-cap': 21,
  'cost-limit': 22,
  depth: 23,
  'wallet-exited': 24,
  'venue-refused': 25,
  'failed-on-chain': 26,
  expired: 27,
  'account-frozen': 28,
  'own-trade': 29,
  'sold-later': 30,
} as const;

export type WalletSkipReason = keyof typeof WALLET_SKIP_CODES;
export const WALLET_SKIP_REASONS = Object.keys(WALLET_SKIP_CODES) as WalletSkipReason[];

export type WalletFollowSettings = {
  /** The same amount every time, or a share of what the wallet spends: in basis points, and it may be more than the whole. */
  readonly size:
    | { readonly kind: 'fixed'; readonly lamports: Lamports }
    | { readonly kind: 'share'; readonly shareBps: bigint };
  readonly copies: 'both' | 'buys' | 'sells';
  /** Buys of the wallet outside of this range are left alone. */
  readonly buyMinLamports: Lamports | null;
  readonly buyMaxLamports: Lamports | null;
  readonly firstBuyOnly: boolean;
  readonly excludedMints: readonly string[];
  /** Hours of the day in UTC. */
  readonly excludedHours: readonly number[];
  readonly capPerTokenLamports: Lamports | null;
  /** How far the price may lie above the one that the wallet paid. */
  readonly maxGap: BasisPoints;
  readonly protection: FollowSettings;
};

export type WatchedTrade = {
  readonly side: Side;
  readonly mint: Address;
  readonly lamports: Lamports;
  readonly tokens: BaseUnits;
  readonly atMs: number;
  /** What the wallet had before; null where nobody knows. */
  readonly heldTokensBefore: BaseUnits | null;
  readonly isFirstBuy: boolean;
};

export type OwnBook = {
  /** Less the deposit of the coin's token account where the wallet has none. */
  readonly freeLamports: Lamports;
  readonly coinTokens: BaseUnits;
  /** Of it, what sales of the wallet would have sold that were too small to be copied by themselves. */
  readonly owedTokens: BaseUnits;
  /** What was paid for the coin that is held. */
  readonly coinCostLamports: Lamports;
  readonly state: FollowState;
};

export type CoinMarket = {
  readonly refusal: CoinRefusal | null;
  readonly pool: Pool | null;
  readonly reference: Ratio | null;
  readonly coin: CoinFacts;
};

export type WalletCopy =
  | {
      readonly kind: 'buy';
      readonly amountIn: Lamports;
      /** At the price of the pool that it was decided with. */
      readonly expectedTokens: BaseUnits;
      readonly limitedBy: WalletSkipReason | null;
      readonly runUpLamports: Lamports;
      readonly costLamports: Lamports;
    }
  | { readonly kind: 'sell'; readonly amountIn: BaseUnits }
  /** So much is owed besides what is owed already, and sold with the next sale that is worth it. */
  | { readonly kind: 'sell-later'; readonly owedTokens: BaseUnits }
  | { readonly kind: 'skip'; readonly reason: WalletSkipReason };

/** Older than this a buy is no copy any more. Selling is never too late. */
export const LATE_MS = 60_000;

export function decideWalletCopy(
  settings: WalletFollowSettings,
  trade: WatchedTrade,
  own: OwnBook,
  market: CoinMarket,
  nowMs: number,
  networkFeeLamports: Lamports,
): WalletCopy {
  const unwanted = whyUnwanted(settings, trade, nowMs);
  if (unwanted !== null) return { kind: 'skip', reason: unwanted };
  return trade.side === 'sell'
    ? sale(trade, own, market.pool)
    : purchase(settings, trade, own, market, networkFeeLamports);
}

function whyUnwanted(settings: WalletFollowSettings, trade: WatchedTrade, nowMs: number): WalletSkipReason | null {
  const { side, mint, lamports: size, atMs } = trade;
  if (settings.copies === (side === 'buy' ? 'sells' : 'buys')) return 'side-off';
  // What was bought before a setting changed can still be sold along.
  if (side === 'sell') return null;
  if (settings.excludedMints.includes(mint)) return 'token-excluded';
  if (settings.excludedHours.includes(new Date(atMs).getUTCHours())) return 'hour-excluded';
  const { buyMinLamports: least, buyMaxLamports: most } = settings;
  if (size < (least ?? 0n) || (most !== null && size > most)) return 'size-out-of-range';
  if (settings.firstBuyOnly && !trade.isFirstBuy) return 'not-first-buy';
  return nowMs - atMs > LATE_MS ? 'late' : null;
}

/**
 * The fraction that the wallet sells; all where nobody knows what it had. Each sale costs a fee however small it is, so that a wallet
 * could make its followers pay for a thousand sales of dust: what is worth less than the minimum, a hundred such fees, is owed until
 * it is worth more or the wallet has sold all.
 */
function sale(trade: WatchedTrade, own: OwnBook, pool: Pool | null): WalletCopy {
  const owed = smaller<bigint>(own.owedTokens, own.coinTokens);
  const heldBefore = trade.heldTokensBefore ?? trade.tokens;
  const decision = decideCopySale({
    ownHeldTokens: baseUnits(own.coinTokens - owed),
    creatorSoldTokens: trade.tokens,
    creatorHeldTokensBefore: heldBefore,
  });
  const more = decision.kind === 'skip' ? baseUnits(0n) : decision.amountIn;
  const amountIn = baseUnits(owed + more);
  if (amountIn === 0n) return { kind: 'skip', reason: 'nothing-to-sell' };
  const isPart = trade.tokens < heldBefore;
  if (isPart && pool !== null && liquidationValue(pool, amountIn) < COPY_MINIMUM_LAMPORTS) {
    return { kind: 'sell-later', owedTokens: more };
  }
  return { kind: 'sell', amountIn };
}

function purchase(
  settings: WalletFollowSettings,
  trade: WatchedTrade,
  own: OwnBook,
  market: CoinMarket,
  networkFeeLamports: Lamports,
): WalletCopy {
  const skip = (reason: WalletSkipReason): WalletCopy => ({ kind: 'skip', reason });
  if (market.refusal !== null) return skip(market.refusal);
  const { pool, reference } = market;
  if (pool === null || reference === null) return skip('no-reference-price');
  const wanted =
    settings.size.kind === 'fixed'
      ? settings.size.lamports
      : lamports(mulDiv(trade.lamports, settings.size.shareBps, BASIS_POINTS_WHOLE, 'floor'));
  let amount: bigint = wanted;
  let limitedBy: WalletSkipReason | null = null;
  const take = (limit: { reason: WalletSkipReason; lamports: bigint }): void => {
    if (limit.lamports >= amount) return;
    amount = limit.lamports;
    limitedBy = limit.reason;
  };
  take({ reason: 'insufficient-balance', lamports: own.freeLamports - networkFeeLamports });
  take({ reason: 'depth', lamports: depthLimit(pool, own.coinTokens) });
  if (settings.capPerTokenLamports !== null) {
    take({ reason: 'token-cap', lamports: settings.capPerTokenLamports - own.coinCostLamports });
  }
  if (amount < COPY_MINIMUM_LAMPORTS) return skip(limitedBy ?? 'below-minimum');
  // At what can be bought at all: a share of what a large wallet spends would have a price that nobody is going to pay.
  const price = roundPrice(pool, lamports(amount), reference, networkFeeLamports);
  if (price === null) return skip('venue-refused');
  followLimits(settings.protection, own.state, market.coin, price).forEach(take);
  if (amount < COPY_MINIMUM_LAMPORTS) return skip(limitedBy!);
  const paid = roundPrice(pool, lamports(amount), reference, networkFeeLamports);
  if (paid === null) return skip('venue-refused');
  if (gapOf(paid.expected, trade) > settings.maxGap) return skip('price-gap');
  return {
    kind: 'buy',
    amountIn: lamports(amount),
    expectedTokens: baseUnits(paid.expected.denominator),
    limitedBy,
    ...budgetsUsed(lamports(amount), paid),
  };
}

/** How far a price lies above the one that the wallet paid, in basis points, rounded up; negative below it. */
export function gapOf(price: Ratio, trade: Pick<WatchedTrade, 'lamports' | 'tokens'>): bigint {
  const own = price.numerator * trade.tokens;
  const theirs = trade.lamports * price.denominator;
  if (theirs === 0n) return BASIS_POINTS_WHOLE;
  return mulDiv(own - theirs, BASIS_POINTS_WHOLE, theirs, 'ceil');
}

/** The least that a copy may bring, rounded up: for less its price would lie further above the wallet's than `maxGap`. */
export function leastTokens(
  spent: Lamports,
  trade: Pick<WatchedTrade, 'lamports' | 'tokens'>,
  maxGap: BasisPoints,
): AmountOut {
  const theirs = trade.lamports * (BASIS_POINTS_WHOLE + maxGap);
  return leastUnitsOut('buy', mulDiv(spent * BASIS_POINTS_WHOLE, trade.tokens, theirs, 'ceil'));
}

/** The middle value, the lower of two; null without any. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.toSorted((left, right) => left - right)[Math.floor((values.length - 1) / 2)]!;
}
