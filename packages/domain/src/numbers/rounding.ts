import { InvariantError } from '../invariant-error.ts';

/** `nearest` rounds halves away from zero, as people do on paper. */
export type Rounding = 'floor' | 'ceil' | 'nearest';

/** Rounds towards minus infinity; bigint's own division rounds towards zero, which differs below zero. */
export function divFloor(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) throw new InvariantError('DIVISION_BY_ZERO', { numerator });
  const quotient = numerator / denominator;
  if (numerator < 0n === denominator < 0n) return quotient;
  return quotient * denominator === numerator ? quotient : quotient - 1n;
}

/** Rounds towards plus infinity. */
export function divCeil(numerator: bigint, denominator: bigint): bigint {
  return -divFloor(-numerator, denominator);
}

function divNearest(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) throw new InvariantError('DIVISION_BY_ZERO', { numerator });
  const top = absolute(numerator);
  const bottom = absolute(denominator);
  const magnitude = (top * 2n + bottom) / (bottom * 2n);
  return numerator < 0n === denominator < 0n ? magnitude : -magnitude;
}

const dividers = { floor: divFloor, ceil: divCeil, nearest: divNearest } satisfies Record<Rounding, typeof divFloor>;

export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  return dividers[rounding](numerator, denominator);
}

/** `a × b ÷ c` with the full product kept before the one rounding. */
export function mulDiv(a: bigint, b: bigint, c: bigint, rounding: Rounding): bigint {
  return divide(a * b, c, rounding);
}

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export function smaller<Amount extends bigint>(left: Amount, right: Amount): Amount {
  return left < right ? left : right;
}

export function larger<Amount extends bigint>(left: Amount, right: Amount): Amount {
  return left > right ? left : right;
}

/** Rounded down; nothing below zero has one, and gets zero. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value < 0n ? 0n : value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
