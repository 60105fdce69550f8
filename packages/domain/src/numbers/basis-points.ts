import { InvariantError } from '../invariant-error.ts';
import type { BaseUnits } from './base-units.ts';
import { printRatio } from './decimal.ts';
import type { Lamports } from './lamports.ts';
import { mulDiv, type Rounding } from './rounding.ts';

/** Hundredths of a percent, from 0 to 10 000. */
export type BasisPoints = bigint & { readonly unit: 'basis-points' };

export const BASIS_POINTS_WHOLE = 10_000n;

export function basisPoints(raw: bigint | number): BasisPoints {
  if (typeof raw === 'number' && !Number.isInteger(raw)) {
    throw new InvariantError('BASIS_POINTS_OUT_OF_RANGE', { raw: BigInt(Math.trunc(raw) || 0) });
  }
  const value = BigInt(raw);
  if (value < 0n || value > BASIS_POINTS_WHOLE) throw new InvariantError('BASIS_POINTS_OUT_OF_RANGE', { raw: value });
  return value as BasisPoints;
}

/** A share of an amount counts in its unit, and is never more. */
export function shareOf<Amount extends Lamports | BaseUnits>(
  amount: Amount,
  share: BasisPoints,
  rounding: Rounding,
): Amount;
export function shareOf(amount: bigint, share: BasisPoints, rounding: Rounding): bigint;
export function shareOf(amount: bigint, share: BasisPoints, rounding: Rounding): bigint {
  return mulDiv(amount, share, BASIS_POINTS_WHOLE, rounding);
}

/** The least that may arrive when `expected` may slip by `slippage`. Rounds up, in the favour of the one who trades. */
export function minimumAfterSlippage<Amount extends Lamports | BaseUnits>(
  expected: Amount,
  slippage: BasisPoints,
): Amount;
export function minimumAfterSlippage(expected: bigint, slippage: BasisPoints): bigint;
export function minimumAfterSlippage(expected: bigint, slippage: BasisPoints): bigint {
  return mulDiv(expected, BASIS_POINTS_WHOLE - slippage, BASIS_POINTS_WHOLE, 'ceil');
}

/** In percent points: 250 basis points are "2.5". */
export function printBasisPoints(share: BasisPoints): string {
  return printRatio(share, 100n, 2, 'floor');
}
