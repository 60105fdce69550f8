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
];
