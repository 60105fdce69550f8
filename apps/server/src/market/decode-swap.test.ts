import { expect, it } from 'vitest';
import { decodeSwap, touchedPools } from './decode-swap.ts';

type Transaction = Parameters<typeof decodeSwap>[0];

const token = (owner: string, accountIndex: number, amount: bigint, mint = 'Mint') => ({
  accountIndex,
  mint,
  owner,
  amount,
  decimals: 6,
});

/** A wallet that buys 40 tokens for 1,000 lamports and pays a fee of 5. */
function aBuy(overrides: Record<string, unknown> = {}): Transaction {
  return {
    err: null,
    fee: 5n,
    accountKeys: ['Wallet', 'Pool', 'WalletTokens', 'PoolTokens'],
    preBalances: [10_000n, 50_000n, 0n, 0n],
    postBalances: [8_995n, 51_000n, 0n, 0n],
    preTokenBalances: [token('Wallet', 2, 10n), token('Pool', 3, 900n)],
    postTokenBalances: [token('Wallet', 2, 50n), token('Pool', 3, 860n)],
    ...overrides,
  } as unknown as Transaction;
}

it('reads a buy from what the pool gained and gave', () => {
  expect(decodeSwap(aBuy())).toEqual({
    mint: 'Mint',
    wallet: 'Wallet',
    pool: 'Pool',
    isBuy: true,
    feeLamports: 5n,
    lamports: 1_000n,
    baseUnits: 40n,
    arrivedUnits: 40n,
    walletUnitsAfter: 50n,
    poolLamportsAfter: 51_000n,
    poolUnitsAfter: 860n,
  });
});

it('tells how much of a purchase came into the wallet where the token takes a tax', () => {
  const taxed = aBuy({ postTokenBalances: [token('Wallet', 2, 46n), token('Pool', 3, 860n)] });
  expect(decodeSwap(taxed)).toMatchObject({ baseUnits: 40n, arrivedUnits: 36n, walletUnitsAfter: 46n });
});

it('reads a sell the other way round', () => {
  const sell = aBuy({
    postBalances: [10_995n, 49_000n, 0n, 0n],
    postTokenBalances: [token('Wallet', 2, 0n), token('Pool', 3, 910n)],
  });
  expect(decodeSwap(sell)).toMatchObject({ isBuy: false, lamports: 1_000n, baseUnits: 10n, walletUnitsAfter: 0n });
});

it('reads a first buy into an account that did not exist before', () => {
  const first = aBuy({
    preTokenBalances: [token('Pool', 3, 900n)],
    postTokenBalances: [token('Wallet', 2, 40n), token('Pool', 3, 860n)],
  });
  expect(decodeSwap(first)).toMatchObject({ baseUnits: 40n, walletUnitsAfter: 40n });
});

it.each([
  ['a failed transaction', { err: { InstructionError: [0, 'Custom'] } }],
  ['a plain transfer of SOL', { preTokenBalances: [], postTokenBalances: [] }],
  ['a gift of tokens without SOL', { postBalances: [9_995n, 50_000n, 0n, 0n] }],
  ['a payment and tokens in the same direction', { postBalances: [10_995n, 49_000n, 0n, 0n] }],
])('does not take %s for a swap', (_name, overrides) => {
  expect(decodeSwap(aBuy(overrides))).toBeNull();
});

it('tells what a known pool holds after liquidity was pulled from it, and takes that for no swap', () => {
  const pulled = aBuy({
    postBalances: [40_000n, 20_000n, 0n, 0n],
    postTokenBalances: [token('Wallet', 2, 510n), token('Pool', 3, 400n)],
  });
  const mintOf = (address: string) => (address === 'Pool' ? 'Mint' : undefined);
  expect(decodeSwap(pulled)).toBeNull();
  expect(touchedPools(pulled, mintOf)).toEqual([{ pool: 'Pool', lamports: 20_000n, units: 400n }]);
  expect(touchedPools(pulled, () => undefined)).toEqual([]);
  expect(touchedPools({ ...pulled, err: { InstructionError: [0, 'Custom'] } }, mintOf)).toEqual([]);
});
