import { describe, expect, it } from 'vitest';
import { basisPoints } from '../numbers/basis-points.ts';
import { overallSafety, safetyBadges, transferTaxOf, type MintExtension, type MintFacts } from './token-safety.ts';

function aMint(overrides: Partial<MintFacts> = {}): MintFacts {
  return {
    mintAuthority: null,
    freezeAuthority: null,
    extensions: [],
    topTenShare: basisPoints(1_420),
    devShare: basisPoints(100),
    ageMs: 86_400_000,
    liquidityLamports: 100_000_000_000n,
    ...overrides,
  };
}

const unread: MintFacts = {
  mintAuthority: undefined,
  freezeAuthority: undefined,
  extensions: undefined,
  topTenShare: undefined,
  devShare: undefined,
  ageMs: undefined,
  liquidityLamports: undefined,
};

describe('the safety badges of a token', () => {
  it('are all fine for one that gave up its powers and is widely held', () => {
    const badges = safetyBadges(aMint());
    expect(badges.map(({ level }) => level)).toEqual(Array.from({ length: 7 }, () => 'ok'));
    expect(badges.map(({ key, value }) => [key, value])).toEqual([
      ['mint-authority', null],
      ['freeze-authority', null],
      ['top-10-share', '14.2'],
      ['dev-share', '1'],
      ['extensions', null],
      ['age', '86400000'],
      ['liquidity', '100000000000'],
    ]);
    expect(overallSafety(badges)).toBe('ok');
  });

  it('say unknown for whatever could not be read', () => {
    const badges = safetyBadges(unread);
    expect(badges.every(({ level, value }) => level === 'unknown' && value === null)).toBe(true);
    expect(overallSafety(badges)).toBe('unknown');
    expect(overallSafety([])).toBe('unknown');
  });

  it.each([
    ['mint-authority', { mintAuthority: 'someone' }, 'warn'],
    ['freeze-authority', { freezeAuthority: 'someone' }, 'danger'],
    ['top-10-share', { topTenShare: basisPoints(2_500) }, 'warn'],
    ['top-10-share', { topTenShare: basisPoints(5_000) }, 'danger'],
    ['dev-share', { devShare: basisPoints(500) }, 'warn'],
    ['dev-share', { devShare: basisPoints(1_499) }, 'warn'],
    ['dev-share', { devShare: basisPoints(1_500) }, 'danger'],
    ['top-10-share', { topTenShare: basisPoints(4_999) }, 'warn'],
    ['age', { ageMs: 86_399_999 }, 'warn'],
    ['liquidity', { liquidityLamports: 49_999_999_999n }, 'warn'],
    ['liquidity', { liquidityLamports: 4_999_999_999n }, 'danger'],
    ['age', { ageMs: 3_600_000 }, 'warn'],
    ['age', { ageMs: 3_599_999.5 }, 'danger'],
    ['liquidity', { liquidityLamports: 5_000_000_000n }, 'warn'],
    ['liquidity', { liquidityLamports: 0n }, 'danger'],
  ] as const)('warn about %s', (key, overrides, level) => {
    const badges = safetyBadges(aMint(overrides));
    expect(badges.find((badge) => badge.key === key)?.level).toBe(level);
    expect(overallSafety(badges)).toBe(level);
  });

  it('name the extensions that give someone power over holders', () => {
    const extensions: MintExtension[] = [
      { kind: 'harmless', name: 'metadata-pointer' },
      { kind: 'permanent-delegate' },
      { kind: 'transfer-fee', feeBps: 100, canChange: false },
    ];
    const badge = safetyBadges(aMint({ extensions })).find(({ key }) => key === 'extensions');
    expect(badge).toEqual({ key: 'extensions', level: 'danger', value: 'permanent-delegate, transfer-fee' });
    const odd = safetyBadges(aMint({ extensions: [{ kind: 'unreadable', type: 99 }] }));
    expect(odd.find(({ key }) => key === 'extensions')?.level).toBe('unknown');
  });
});

it.each<[MintExtension[] | undefined, ReturnType<typeof transferTaxOf>]>([
  [
    [{ kind: 'permanent-delegate' }, { kind: 'transfer-fee', feeBps: 525, canChange: true }],
    { percent: '5.25', canChange: true },
  ],
  [[{ kind: 'transfer-fee', feeBps: 100, canChange: false }], { percent: '1', canChange: false }],
  [[{ kind: 'transfer-fee', feeBps: 0, canChange: true }], { percent: '0', canChange: true }],
  [[{ kind: 'transfer-fee', feeBps: 0, canChange: false }], null],
  [[], null],
  [undefined, null],
])('the tax of %j is %j', (extensions, tax) => {
  expect(transferTaxOf(extensions)).toEqual(tax);
});

describe('the badge of extensions', () => {
  it.each<[MintExtension, string]>([
    [{ kind: 'transfer-fee', feeBps: 1, canChange: false }, 'danger'],
    [{ kind: 'transfer-fee', feeBps: 0, canChange: true }, 'danger'],
    [{ kind: 'transfer-fee', feeBps: 0, canChange: false }, 'ok'],
    [{ kind: 'permanent-delegate' }, 'danger'],
    [{ kind: 'transfer-hook', active: true }, 'danger'],
    [{ kind: 'transfer-hook', active: false }, 'ok'],
    [{ kind: 'non-transferable' }, 'danger'],
    [{ kind: 'default-frozen' }, 'danger'],
    [{ kind: 'pausable' }, 'danger'],
    [{ kind: 'unreadable', type: 99 }, 'unknown'],
    [{ kind: 'harmless', name: 'metadata' }, 'ok'],
  ])('weighs %j as %s', (extension, level) => {
    const badge = safetyBadges({ ...unread, extensions: [extension] }).find(({ key }) => key === 'extensions');
    expect(badge?.level).toBe(level);
  });
});
