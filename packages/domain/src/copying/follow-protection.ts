import type { BaseUnits } from '../numbers/base-units.ts';
import { BASIS_POINTS_WHOLE, shareOf, type BasisPoints } from '../numbers/basis-points.ts';
import type { CopyLimitReason } from './copy-skip.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { divCeil, divFloor, larger, smaller } from '../numbers/rounding.ts';
import { liquidationValue, quotePool, spotPrice, worthAt, type Pool, type Ratio } from '../market/swap-maths.ts';

// What protects a follower in one purchase of the creator. Every rule is a function of its own that answers the most that this
// follower may spend; the copy is the smallest of them, and its receipt names the rule that bound it.

/** What a follower chose; each has a default and bounds. */
export type FollowSettings = {
  /** What may be paid above the reference price, per coin and day. */
  readonly runUpLimit: BasisPoints;
  /** Null copies the creator's own weights. */
  readonly coinCap: BasisPoints | null;
  readonly capPerTradeLamports: Lamports | null;
  readonly stopLoss: BasisPoints | null;
  readonly takeProfit: bigint | null;
};

export const RUN_UP_DEFAULT_BPS = 300;
export const COIN_CAP_DEFAULT_BPS = 5_000;
const RUN_UP_TOTAL = 1_000n as BasisPoints;
const COST_HOUR = 200n as BasisPoints;
const COST_DAY = 600n as BasisPoints;
const COIN_CAP_YOUNG = 2_500n;
const COIN_CAP_SHALLOW = 1_000n;
const SOL = 1_000_000_000n;
const YOUNG_MS = 7 * 24 * 3_600_000;

export type CoinFacts = {
  readonly ageMs: number;
  /** SOL that is really in its main pool. */
  readonly poolLamports: Lamports;
};

export type FollowState = {
  readonly equityLamports: Lamports;
  /** What the follow's holding of this coin is worth now. */
  readonly coinLamports: Lamports;
  /** Paid above the reference price in the last 24 h: for this coin, and for all. */
  readonly runUpUsedLamports: Lamports;
  readonly runUpUsedTotalLamports: Lamports;
  /** Fees and impact of the last hour and of the last 24 h. */
  readonly costHourLamports: Lamports;
  readonly costDayLamports: Lamports;
};

/** At which price the round is expected to buy, against what the coin is worth. */
export type RoundPrice = {
  /** Average of the whole round, the pool's fee included. Rounds are only ever made smaller after this, so it is the highest. */
  readonly expected: Ratio;
  readonly spot: Ratio;
  readonly reference: Ratio;
  readonly networkFeeLamports: Lamports;
};

export type Limit = { readonly reason: CopyLimitReason; readonly lamports: Lamports };
/** Of one follow by itself: what its creator has at stake is shared by all. */
export type FollowLimit = Limit & { readonly reason: Exclude<CopyLimitReason, 'creator-stake'> };

/** The limits of one follower in the order in which they are named where several bind alike. */
export function followLimits(
  settings: FollowSettings,
  state: FollowState,
  coin: CoinFacts,
  price: RoundPrice,
): readonly FollowLimit[] {
  return [
    runUpLimit(settings, state, price),
    coinCapLimit(settings, state, coin),
    costLimit(state, price),
    ...(settings.capPerTradeLamports === null
      ? []
      : [{ reason: 'cap-per-trade' as const, lamports: settings.capPerTradeLamports }]),
  ];
}

/**
 * What is paid above the reference adds up to a bounded part of the follow; a pumped price shrinks the copy to fit. At or below the
 * reference nothing is paid above it, so such a purchase needs no budget, also where the day's is used up.
 */
export function runUpLimit(settings: FollowSettings, state: FollowState, price: RoundPrice): FollowLimit {
  const { equityLamports } = state;
  const left = smaller(
    shareOf(equityLamports, settings.runUpLimit, 'floor') - state.runUpUsedLamports,
    shareOf(equityLamports, RUN_UP_TOTAL, 'floor') - state.runUpUsedTotalLamports,
  );
  return { reason: 'run-up', lamports: spendWithin(larger(0n, left), price.expected, price.reference) };
}

/** No coin makes up more of a follow than its cap, which is lower where a coin is young or its pool shallow. */
export function coinCapLimit(settings: FollowSettings, state: FollowState, coin: CoinFacts): FollowLimit {
  const room = shareOf(state.equityLamports, coinCap(settings, coin), 'floor') - state.coinLamports;
  return { reason: 'coin-cap', lamports: lamports(larger(0n, room)) };
}

function coinCap({ coinCap: chosen }: FollowSettings, { ageMs, poolLamports }: CoinFacts): BasisPoints {
  if (chosen === null) return BASIS_POINTS_WHOLE as BasisPoints;
  if (poolLamports < 100n * SOL) return smaller<bigint>(chosen, COIN_CAP_SHALLOW) as BasisPoints;
  const isYoung = ageMs < YOUNG_MS || poolLamports < 500n * SOL;
  return isYoung ? (smaller<bigint>(chosen, COIN_CAP_YOUNG) as BasisPoints) : chosen;
}

/** A creator who trades back and forth costs a follower a bounded part of the follow per hour and day. */
export function costLimit(state: FollowState, price: RoundPrice): FollowLimit {
  const left = smaller(
    shareOf(state.equityLamports, COST_HOUR, 'floor') - state.costHourLamports,
    shareOf(state.equityLamports, COST_DAY, 'floor') - state.costDayLamports,
  );
  const budget = left - price.networkFeeLamports;
  // The network's fee alone may be more than what is left, whatever the price.
  return {
    reason: 'cost-limit',
    lamports: budget <= 0n ? lamports(0n) : spendWithin(budget, price.expected, price.spot),
  };
}

/** The most that can be spent at `paid` so that what is paid above `worth` stays within the budget; rounds down. */
function spendWithin(budgetLamports: bigint, paid: Ratio, worth: Ratio): Lamports {
  const paidScaled = paid.numerator * worth.denominator;
  const worthScaled = worth.numerator * paid.denominator;
  if (paidScaled <= worthScaled) return NO_LIMIT;
  return lamports(smaller<bigint>(NO_LIMIT, divFloor(budgetLamports * paidScaled, paidScaled - worthScaled)));
}

export const NO_LIMIT = lamports(2n ** 63n);

/** What a purchase at the round's price takes from the two budgets. */
export function budgetsUsed(
  spendLamports: Lamports,
  price: RoundPrice,
): { runUpLamports: Lamports; costLamports: Lamports } {
  return {
    runUpLamports: paidAbove(spendLamports, price.expected, price.reference),
    costLamports: lamports(paidAbove(spendLamports, price.expected, price.spot) + price.networkFeeLamports),
  };
}

/** A purchase, and what was sold of its coin after it until the round trip closed. Fees are left out: they have a budget of their own. */
export type ClosedPurchase = {
  readonly runUpLamports: bigint;
  readonly paidLamports: bigint;
  readonly boughtTokens: bigint;
  readonly soldTokens: bigint;
  readonly soldLamports: bigint;
};

/**
 * What a purchase counts in the run-up budgets once its round trip has closed: at most what it lost itself, at the average price of the
 * sales after it. Where they brought back what was paid above the reference, nobody has gained it. What the trip gained with cheaper
 * purchases makes up for nothing, or a creator could take those gains away by one at a price that he lifted.
 */
export function runUpOfClosedPurchase(purchase: ClosedPurchase): bigint {
  const { runUpLamports, paidLamports, boughtTokens, soldTokens, soldLamports } = purchase;
  const back = soldTokens === 0n ? 0n : divFloor(smaller(boughtTokens, soldTokens) * soldLamports, soldTokens);
  return smaller(runUpLamports, larger(0n, paidLamports - back));
}

/** What a sale loses against the pool's price before it, in fees and impact. */
export function saleCost(tokens: BaseUnits, pool: Pool, networkFeeLamports: Lamports): Lamports {
  const worth = worthAt(tokens, spotPrice(pool), 'ceil');
  return lamports(larger(0n, worth - liquidationValue(pool, tokens)) + networkFeeLamports);
}

/** How much of what is spent at `paid` lies above `worth`; rounds up, because a budget is never used less than it was. */
function paidAbove(spendLamports: Lamports, paid: Ratio, worth: Ratio): Lamports {
  const paidScaled = paid.numerator * worth.denominator;
  const worthScaled = worth.numerator * paid.denominator;
  if (paidScaled <= worthScaled) return lamports(0n);
  return lamports(divCeil(spendLamports * (paidScaled - worthScaled), paidScaled));
}

/** The price of a round of this size, or null where the pool cannot fill it. */
export function roundPrice(
  pool: Pool,
  spendLamports: Lamports,
  reference: Ratio,
  networkFeeLamports: Lamports,
): RoundPrice | null {
  const quote = quotePool(pool, 'buy', spendLamports);
  if (quote.kind === 'refused') return null;
  const expected = { numerator: quote.amountIn, denominator: quote.amountOut };
  return { expected, spot: spotPrice(pool), reference, networkFeeLamports };
}
