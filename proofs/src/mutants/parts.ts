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

/** What copying, protection and records decide. */
const copying = [
  'capacity',
  'copy-skip',
  'copyable-coin',
  'copying',
  'creator-score',
  'drawdown',
  'follow-guard',
  'follow-plan',
  'follow-protection',
  'follower-return',
  'off-market',
  'ranking',
  'rebalance-plan',
  'record-trip',
  'round-depth',
  'round-plan',
  'smallest-sensible-amount',
  'total-return',
  'unit-nav',
  'weights',
  'win-rate',
];

const DOMAIN = 'packages/domain/src';

const signer = [
  'network-fee',
  'return-rules',
  'signing-policy',
  'stop-switch',
  'strategy-funds',
  'strategy-rules',
  'swap-velocity',
  'token-instruction',
  'transaction-check',
  'transfer-check',
  'wallet-register',
  'wire-transaction',
];

export const mutantParts: Readonly<Record<string, MutantPart>> = {
  domain: {
    mutate: [
      `${DOMAIN}/*.ts`,
      `!${DOMAIN}/*.test.ts`,
      `!${DOMAIN}/*-for-test.ts`,
      ...copying.map((name) => `!${DOMAIN}/${name}.ts`),
    ],
    tests: [`${DOMAIN}/!(${copying.join('|')}).test.ts`],
    scoreMin: 92,
  },
  triggers: {
    mutate: [`${DOMAIN}/triggers/*.ts`, `!${DOMAIN}/triggers/*.test.ts`, `!${DOMAIN}/triggers/*-for-test.ts`],
    tests: [`${DOMAIN}/triggers/*.test.ts`],
    scoreMin: 92,
  },
  copying: {
    mutate: copying.map((name) => `${DOMAIN}/${name}.ts`),
    tests: copying.map((name) => `${DOMAIN}/${name}.test.ts`),
    scoreMin: 92,
  },
  trading: {
    mutate: trading.map((name) => `apps/server/src/trading/${name}.ts`),
    tests: ['apps/server/src/trading/*.test.ts'],
    scoreMin: 85,
  },
  signer: {
    mutate: signer.map((name) => `apps/signer/src/${name}.ts`),
    tests: ['hostile-transactions', 'strategy-funds', 'strategy-wallets', 'swap-velocity'].map(
      (name) => `apps/signer/src/${name}.test.ts`,
    ),
    scoreMin: 85,
  },
};
