import { BASIS_POINTS_WHOLE } from '../numbers/basis-points.ts';
import { baseUnits, type BaseUnits } from '../numbers/base-units.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { divFloor, smaller } from '../numbers/rounding.ts';
import { quotePool, spotPrice, type Pool } from '../market/swap-maths.ts';

/** A round moves the price by at most this much. */
const MOVE_MAX_BPS = 300n;
/**
 * What those who join buy within an hour moves the price by at most this much. Whoever held the coin before could sell into it: two
 * fees of a pool and the impact of his own sale are more than that.
 */
const JOIN_MOVE_MAX_BPS = 150n;
/** Less than this part of it is not bought, or every minute would bring a crumb. */
const JOIN_PARTS_MAX = 4n;
/** What all of a strategy hold together could be sold with at most this average impact. */
const EXIT_IMPACT_MAX_BPS = 1_000n;

/**
 * The most that creator and followers together may spend on a coin in one round: the price moves by at most 3 %, and everything
 * they then hold of it could still be sold with at most 10 % average impact. Both grow with the amount, so bisection finds it.
 */
export function depthLimit(pool: Pool, heldTokens: BaseUnits, moveMaxBps = MOVE_MAX_BPS): Lamports {
  const fits = (spend: bigint): boolean => {
    const quote = quotePool(pool, 'buy', lamports(spend));
    if (quote.kind === 'refused') return quote.reason === 'amount-too-small';
    const before = spotPrice(pool);
    const after = spotPrice(quote.poolAfter);
    const moved =
      after.numerator * before.denominator * BASIS_POINTS_WHOLE <=
      before.numerator * after.denominator * (BASIS_POINTS_WHOLE + moveMaxBps);
    if (!moved) return false;
    const exit = quotePool(quote.poolAfter, 'sell', baseUnits(heldTokens + quote.amountOut));
    if (exit.kind === 'refused') return exit.reason === 'amount-too-small';
    const { numerator, denominator } = exit.priceImpact;
    return numerator * BASIS_POINTS_WHOLE <= denominator * EXIT_IMPACT_MAX_BPS;
  };
  let low = 0n;
  let high: bigint = pool.solReserve + pool.virtualSol;
  while (high - low > 1n) {
    const middle = divFloor(low + high, 2n);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return lamports(low);
}

/** The most that joins may spend now, after what they spent on the coin within the last hour. */
export function joinDepthLimit(pool: Pool, heldTokens: BaseUnits, joinedLamports: Lamports): Lamports {
  const ofAnHour = depthLimit(pool, baseUnits(0n), JOIN_MOVE_MAX_BPS);
  const left = ofAnHour - joinedLamports;
  if (left * JOIN_PARTS_MAX < ofAnHour) return lamports(0n);
  return smaller(lamports(left), depthLimit(pool, heldTokens));
}
