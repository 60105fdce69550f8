export type MutantPart = {
  /** Files whose every line must matter to a test. */
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Percent of mutants that tests must notice, over all files of the part. */
  readonly scoreMin: number;
};

/** No file may fall below this, whatever the others have. */
export const FILE_SCORE_MIN = 70;

const trading = ['chain-fill', 'decide-hold', 'decide-quote', 'order-limits', 'order-postings', 'order-view'];

export const mutantParts: Readonly<Record<string, MutantPart>> = {
  domain: {
    mutate: ['packages/domain/src/*.ts', '!packages/domain/src/*.test.ts', '!packages/domain/src/*-for-test.ts'],
    tests: ['packages/domain/src/*.test.ts'],
    scoreMin: 92,
  },
  trading: {
    mutate: trading.map((name) => `apps/server/src/trading/${name}.ts`),
    tests: ['apps/server/src/trading/*.test.ts'],
    scoreMin: 85,
  },
};
