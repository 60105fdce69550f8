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

/** What the signer reads out of the bytes that it is asked to sign. */
const signing = [
  'network-fee',
  'pool-certificates',
  'signing-policy',
  'token-instruction',
  'transaction-check',
  'transfer-check',
  'wire-transaction',
];

/** What the signer allows by its record of what was. */
const signer = [
  'anomalies',
  'export-rules',
  'own-limits',
  'return-rules',
  'strategy-funds',
  'strategy-rules',
  'swap-velocity',
  'wallet-register',
  'withdrawal-rules',
  'withdrawals',
];
const signerTests = [
  'anomalies',
  'export-rules',
  'own-limits',
  'strategy-funds',
  'strategy-wallets',
  'swap-velocity',
  'withdrawal-rules',
  'withdrawals',
];

/** Second factors and the switches of operators. */
const factors = ['factor-changes', 'factor-check', 'passkey', 'recovery-codes', 'settings', 'stops', 'totp'];

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
  signing: {
    mutate: signing.map((name) => `apps/signer/src/${name}.ts`),
    tests: ['network-fee', 'pool-certificates', 'signing-policy', 'transaction-check'].map(
      (name) => `apps/signer/src/${name}.test.ts`,
    ),
    scoreMin: 85,
  },
  signer: {
    mutate: signer.map((name) => `apps/signer/src/${name}.ts`),
    tests: signerTests.map((name) => `apps/signer/src/${name}.test.ts`),
    scoreMin: 85,
  },
  factors: {
    mutate: factors.map((name) => `apps/signer/src/${name}.ts`),
    tests: ['second-factors', 'settings', 'totp'].map((name) => `apps/signer/src/${name}.test.ts`),
    scoreMin: 85,
  },
};
