import { BASIS_POINTS_WHOLE } from '../numbers/basis-points.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { divCeil, larger } from '../numbers/rounding.ts';

/** Fixed costs beyond this share of the amount make a follow lose before it begins. */
const FIXED_COST_SHARE_MAX_BPS = 200n;
/** Coins lighter than this in a strategy may fall below the minimum without spoiling the copy. */
const LIGHT_COIN_BPS = 500n;

export type SmallestAmountInput = {
  readonly strategyFreeLamports: Lamports;
  readonly strategyPositionsLamports: readonly Lamports[];
  readonly feeLamports: Lamports;
  readonly minimumLamports: Lamports;
};

/** The least worth following with: every coin of at least 5 % can be bought, and network fees for going in and out stay below 2 %. */
export function smallestSensibleAmount(input: SmallestAmountInput): Lamports {
  const { strategyPositionsLamports: values, minimumLamports } = input;
  const equity = values.reduce<bigint>((sum, value) => sum + value, input.strategyFreeLamports);
  const heavy = values.filter((value) => value > 0n && value * BASIS_POINTS_WHOLE >= equity * LIGHT_COIN_BPS);
  // A strategy that holds nothing yet will buy at least one coin.
  const coins = BigInt(Math.max(1, values.filter((value) => value > 0n).length));
  const forFees = divCeil(coins * 2n * input.feeLamports * BASIS_POINTS_WHOLE, FIXED_COST_SHARE_MAX_BPS);
  const forEntry = coins * input.feeLamports;
  const forCoins = heavy.reduce<bigint>(
    (least, value) => larger(least, divCeil((minimumLamports + 1n) * equity, value)),
    minimumLamports,
  );
  return lamports(larger(forFees, forCoins + forEntry));
}
