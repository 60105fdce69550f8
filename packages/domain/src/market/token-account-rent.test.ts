import { expect, it } from 'vitest';
import { TOKEN_ACCOUNT_RENT_LAMPORTS, token2022AccountRent } from './token-account-rent.ts';

it('is what the chain takes for an account of the Token program', () => {
  expect(TOKEN_ACCOUNT_RENT_LAMPORTS).toBe(2_039_280n);
});

it.each([
  ['no extension', [], 2_074_080n],
  ['metadata alone', [{ kind: 'harmless', name: 'tokenMetadata' }], 2_074_080n],
  ['a transfer fee', [{ kind: 'transfer-fee', feeBps: 100, canChange: true }], 2_157_600n],
  ['a transfer hook', [{ kind: 'transfer-hook', active: false }], 2_108_880n],
  ['accounts that can be paused', [{ kind: 'pausable' }], 2_101_920n],
  [
    'several of them',
    [
      { kind: 'transfer-fee', feeBps: 0, canChange: false },
      { kind: 'non-transferable' },
      { kind: 'permanent-delegate' },
    ],
    2_185_440n,
  ],
] as const)('of Token-2022 follows from the mint: %s', (_name, extensions, rent) => {
  expect(token2022AccountRent(extensions)).toBe(rent);
});

it('is not known where the mint was not read, or has an extension that nobody here knows', () => {
  expect(token2022AccountRent(undefined)).toBeNull();
  expect(token2022AccountRent([{ kind: 'pausable' }, { kind: 'unreadable', type: 40 }])).toBeNull();
});
