import { readDecimal } from '../numbers/decimal.ts';

/** Weights are exact to a millionth of a percent point. */
export const WEIGHT_DECIMALS = 6;
export const WEIGHT_WHOLE = 100n * 10n ** BigInt(WEIGHT_DECIMALS);

export type WeightProblem = 'not-a-weight' | 'not-positive' | 'same-coin-twice' | 'sum-over-100';

export type WeightsReading<Mint extends string> =
  | { readonly ok: true; readonly targets: readonly { readonly mint: Mint; readonly weight: bigint }[] }
  | { readonly ok: false; readonly problem: WeightProblem; readonly mint: Mint };

/** Reads weights in percent points ("33.3"). The rest up to 100 stays SOL; no coins at all is a strategy in SOL. */
export function readWeights<Mint extends string>(
  coins: readonly { readonly mint: Mint; readonly weight: string }[],
): WeightsReading<Mint> {
  const targets: { mint: Mint; weight: bigint }[] = [];
  let sum = 0n;
  for (const { mint, weight } of coins) {
    const reading = readDecimal(weight, WEIGHT_DECIMALS);
    if (!reading.ok) return { ok: false, problem: 'not-a-weight', mint };
    if (reading.raw <= 0n) return { ok: false, problem: 'not-positive', mint };
    if (targets.some((target) => target.mint === mint)) return { ok: false, problem: 'same-coin-twice', mint };
    sum += reading.raw;
    if (sum > WEIGHT_WHOLE) return { ok: false, problem: 'sum-over-100', mint };
    targets.push({ mint, weight: reading.raw });
  }
  return { ok: true, targets };
}
