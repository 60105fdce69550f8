/** A mutant that no test can notice, because the program does the same with it. */
export type EquivalentMutant = {
  readonly file: string;
  readonly mutator: string;
  /** The mutated text and what stands there instead, with runs of white space as one blank. */
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
};

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'packages/domain/src/swap-maths.ts',
    mutator: 'StringLiteral',
    original: "'sell'",
    replacement: '""',
    reason: 'curveOf asks only whether the side is a buy',
  },
  {
    file: 'packages/domain/src/decimal.ts',
    mutator: 'EqualityOperator',
    original: 'scale <= decimals',
    replacement: 'scale < decimals',
    reason: 'of equal numbers the unit is one, and both ways give the digits',
  },
  {
    file: 'packages/domain/src/decimal.ts',
    mutator: 'EqualityOperator',
    original: 'difference < 0n',
    replacement: 'difference <= 0n',
    reason: 'zero was answered before',
  },
  {
    file: 'packages/domain/src/decimal.ts',
    mutator: 'EqualityOperator',
    original: 'places >= decimals',
    replacement: 'places > decimals',
    reason: 'of equal numbers one way multiplies by one and the other divides by one',
  },
  {
    file: 'packages/domain/src/display-number.ts',
    mutator: 'EqualityOperator',
    original: 'shifted >= 0',
    replacement: 'shifted > 0',
    reason: 'at zero the digits are multiplied by one',
  },
  {
    file: 'packages/domain/src/format-count.ts',
    mutator: 'EqualityOperator',
    original: 'number.digits < 0n',
    replacement: 'number.digits <= 0n',
    reason: 'the text of zero takes no sign',
  },
  {
    file: 'packages/domain/src/format-percent.ts',
    mutator: 'EqualityOperator',
    original: 'number.digits < 0n',
    replacement: 'number.digits <= 0n',
    reason: 'zero was answered before',
  },
  {
    file: 'packages/domain/src/format-price.ts',
    mutator: 'EqualityOperator',
    original: 'number.digits < 0n',
    replacement: 'number.digits <= 0n',
    reason: 'zero was answered before',
  },
  {
    file: 'packages/domain/src/format-sol.ts',
    mutator: 'EqualityOperator',
    original: 'number.digits < 0n',
    replacement: 'number.digits <= 0n',
    reason: 'zero was answered before',
  },
  {
    file: 'packages/domain/src/format-tokens.ts',
    mutator: 'EqualityOperator',
    original: 'number.digits < 0n',
    replacement: 'number.digits <= 0n',
    reason: 'zero is answered without its sign',
  },
  {
    file: 'packages/domain/src/format-usd.ts',
    mutator: 'EqualityOperator',
    original: 'digits * 10_000n >= 10n ** BigInt(scale)',
    replacement: 'digits * 10_000n > 10n ** BigInt(scale)',
    reason: '0.0001 reads the same with four decimals and with four significant digits',
  },
  {
    file: 'packages/domain/src/rounding.ts',
    mutator: 'EqualityOperator',
    original: 'numerator < 0n',
    replacement: 'numerator <= 0n',
    reason: 'zero divides exactly, and minus zero is zero',
  },
  {
    file: 'packages/domain/src/rounding.ts',
    mutator: 'EqualityOperator',
    original: 'denominator < 0n',
    replacement: 'denominator <= 0n',
    reason: 'zero was refused before',
  },
  {
    file: 'packages/domain/src/rounding.ts',
    mutator: 'EqualityOperator',
    original: 'value < 0n',
    replacement: 'value <= 0n',
    reason: 'minus zero is zero',
  },
  {
    file: 'packages/domain/src/rounding.ts',
    mutator: 'EqualityOperator',
    original: 'left < right',
    replacement: 'left <= right',
    reason: 'of equal values either is the smaller',
  },
  {
    file: 'packages/domain/src/rounding.ts',
    mutator: 'EqualityOperator',
    original: 'left > right',
    replacement: 'left >= right',
    reason: 'of equal values either is the larger',
  },
];
