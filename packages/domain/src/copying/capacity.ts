import type { BaseUnits } from '../numbers/base-units.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { rate, rateOf, RATE_ONE, type Rate } from '../numbers/rate.ts';
import { divFloor, mulDiv } from '../numbers/rounding.ts';
import { liquidationValue, quotePool, type Pool } from '../market/swap-maths.ts';

/** Beyond this, what followers get differs too much from what the record shows. */
export const CAPACITY_GAP_MAX = (RATE_ONE / 20n) as Rate;

export type CapacityCoin = {
  readonly pool: Pool;
  /** What the strategy's holding of it is worth now. */
  readonly liquidationLamports: Lamports;
};

/**
 * The share of new money that is lost to moving the prices when it buys the coins at today's weights: the tokens it would get at
 * the price of a tiny order, against those it gets. Fees are the same for the smallest order and are left out.
 */
export function expectedGap(coins: readonly CapacityCoin[], freeLamports: Lamports, amountLamports: Lamports): Rate {
  if (amountLamports === 0n) return rate(0n);
  const equity = coins.reduce<bigint>((sum, coin) => sum + coin.liquidationLamports, freeLamports);
  if (equity === 0n) return rate(0n);
  let lost = 0n;
  for (const { pool, liquidationLamports } of coins) {
    const spend = lamports(divFloor(amountLamports * liquidationLamports, equity));
    const quote = quotePool(pool, 'buy', spend);
    // A pool that cannot sell this much loses all of it for the purpose of this estimate.
    if (quote.kind === 'refused') lost += quote.reason === 'not-enough-liquidity' ? spend : 0n;
    else lost += mulDiv(spend, quote.priceImpact.numerator, quote.priceImpact.denominator, 'ceil');
  }
  return rateOf(lost, amountLamports, 'ceil');
}

/**
 * How much more SOL the pools can take before the expected gap passes its maximum; null for a strategy without coins, which no
 * pool limits. The gap grows with the amount, so bisection finds it to the lamport.
 */
export function capacityLamports(
  coins: readonly CapacityCoin[],
  freeLamports: Lamports,
  gapMax: Rate = CAPACITY_GAP_MAX,
): Lamports | null {
  const held = coins.filter((coin) => coin.liquidationLamports > 0n);
  if (held.length === 0) return null;
  const fits = (amount: bigint): boolean => expectedGap(held, freeLamports, lamports(amount)) <= gapMax;
  let low = 0n;
  let high = 1_000_000_000n;
  const ceiling = 2n ** 63n;
  while (high < ceiling && fits(high)) {
    low = high;
    high *= 2n;
  }
  if (high >= ceiling) return lamports(ceiling);
  while (high - low > 1n) {
    const middle = divFloor(low + high, 2n);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return lamports(low);
}

/** The liquidation values that `expectedGap` weighs by, from holdings and their pools. */
export function capacityCoin(pool: Pool, tokens: BaseUnits): CapacityCoin {
  return { pool, liquidationLamports: liquidationValue(pool, tokens) };
}
