import { BASIS_POINTS_WHOLE } from '../numbers/basis-points.ts';
import { divide } from '../numbers/rounding.ts';
import type { Ratio } from '../market/swap-maths.ts';
import { inUnit } from './trigger-price.ts';
import type { Level } from './trigger.ts';

/** A level as its owner says it: a price, or basis points away from the average cost. */
export type ProtectiveLevel =
  | { readonly unit: 'sol' | 'usd' | 'market-cap'; readonly value: bigint }
  | { readonly unit: 'percent'; readonly value: bigint };

/** The stop or target of a position that cost this much per base unit; null where its cost is not known. */
export function protectiveLevel(
  wanted: ProtectiveLevel,
  when: Level['when'],
  averageCost: Ratio | null,
  decimals: number,
): Level | null {
  if (wanted.unit !== 'percent') return { unit: wanted.unit, value: wanted.value, when };
  if (averageCost === null) return null;
  const { numerator, denominator } = inUnit(averageCost, 'sol', { decimals, supply: null, solUsdMicro: null })!;
  const part = when === 'below' ? BASIS_POINTS_WHOLE - wanted.value : BASIS_POINTS_WHOLE + wanted.value;
  const value = divide(numerator * part, denominator * BASIS_POINTS_WHOLE, when === 'below' ? 'floor' : 'ceil');
  return { unit: 'sol', value, when };
}
