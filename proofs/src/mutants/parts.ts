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

const DOMAIN = 'packages/domain/src';

const SIGNER = 'apps/signer/src';

/** What the signer allows by its record of what was. */
const signer = [
  'keys/wallet-register',
  'limits/anomalies',
  'limits/export-rules',
  'limits/own-limits',
  'limits/return-rules',
  'limits/swap-velocity',
  'limits/withdrawal-rules',
  'memory/strategy-funds',
  'requests/strategy-rules',
  'requests/withdrawals',
];

/** Second factors and the switches of operators. */
const factors = [
  'factors/factor-changes',
  'factors/factor-check',
  'factors/passkey',
  'factors/recovery-codes',
  'factors/totp',
  'limits/settings',
  'requests/stops',
];

/** All of some folders but their tests. */
function folders(base: string, names: readonly string[]): Pick<MutantPart, 'mutate' | 'tests'> {
  const within = names.map((name) => (name === '' ? base : `${base}/${name}`));
  return {
    mutate: within.flatMap((folder) => [`${folder}/*.ts`, `!${folder}/*.test.ts`, `!${folder}/*-for-test.ts`]),
    tests: within.map((folder) => `${folder}/*.test.ts`),
  };
}

export const mutantParts: Readonly<Record<string, MutantPart>> = {
  domain: {
    ...folders(DOMAIN, ['', 'alerts', 'format', 'market', 'names', 'numbers', 'wallet-follows']),
    scoreMin: 92,
  },
  triggers: { ...folders(DOMAIN, ['triggers']), scoreMin: 92 },
  copying: { ...folders(DOMAIN, ['copying', 'record']), scoreMin: 92 },
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
  /** What the signer reads out of the bytes that it is asked to sign; attacks by the hundred are no tests of a line. */
  signing: {
    ...folders(SIGNER, ['transactions']),
    tests: [`${SIGNER}/transactions/!(hostile-transactions).test.ts`],
    scoreMin: 85,
  },
  signer: {
    mutate: signer.map((name) => `${SIGNER}/${name}.ts`),
    tests: [
      `${SIGNER}/limits/!(settings).test.ts`,
      `${SIGNER}/memory/*.test.ts`,
      `${SIGNER}/requests/!(exports|stops).test.ts`,
    ],
    scoreMin: 85,
  },
  factors: {
    mutate: factors.map((name) => `${SIGNER}/${name}.ts`),
    tests: [`${SIGNER}/factors/*.test.ts`, `${SIGNER}/limits/settings.test.ts`, `${SIGNER}/requests/stops.test.ts`],
    scoreMin: 85,
  },
};
