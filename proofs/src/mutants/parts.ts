export type MutantPart = {
  /** Files whose every line must matter to a test. */
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Percent of mutants that tests must notice, over all files of the part. */
  readonly scoreMin: number;
};

/** No file may fall below this, whatever the others have. */
export const FILE_SCORE_MIN = 70;

const trading = [
  'chain-fill',
  'decide-hold',
  'decide-quote',
  'decide-undo',
  'order-limits',
  'order-postings',
  'order-view',
  'priced-pools',
  'rounds/round',
  'sum-differences',
];

/** What other areas of the server decide without asking anybody; each file has tests of its own. */
const decisions = [
  'ledger/cover-outflow',
  'sending/decide-finality',
  'sending/decide-step',
  'strategies/closing-tries',
  'strategies/follow-settings',
  'strategies/slug',
  'treasury/withdrawal-destination',
  'treasury/withdrawal-rules',
  'triggers/outcome-of-error',
  'triggers/position-binding',
  'triggers/read-request',
  'wallet-follows/settings',
];

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
  'anomalies',
  'base58',
  'export-rules',
  'factor-changes',
  'factor-check',
  'network-fee',
  'own-limits',
  'passkey',
  'pool-certificates',
  'program-address',
  'recovery-codes',
  'return-rules',
  'settings',
  'signing-policy',
  'stop-switch',
  'stops',
  'strategy-funds',
  'strategy-rules',
  'swap-velocity',
  'token-instruction',
  'totp',
  'transaction-check',
  'transfer-check',
  'wallet-register',
  'wire-transaction',
  'withdrawal-rules',
  'withdrawals',
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
    tests: ['apps/server/src/trading/!(*.db).test.ts', 'apps/server/src/trading/rounds/!(*.db).test.ts'],
    scoreMin: 85,
  },
  decisions: {
    mutate: decisions.map((name) => `apps/server/src/${name}.ts`),
    tests: decisions.map((name) => `apps/server/src/${name}.test.ts`),
    scoreMin: 85,
  },
  signer: {
    mutate: signer.map((name) => `apps/signer/src/${name}.ts`),
    tests: [
      'anomalies',
      'exports',
      'hostile-transactions',
      'second-factors',
      'settings',
      'strategy-funds',
      'strategy-wallets',
      'swap-velocity',
      'totp',
      'withdrawals',
    ].map((name) => `apps/signer/src/${name}.test.ts`),
    scoreMin: 85,
  },
};
