import { TOKEN_PROGRAM, SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import type { Address } from '@hunter/solana/address';
import type { AccountInfo } from '@hunter/solana/rpc-replies';
import { expect, it } from 'vitest';
import { sumDifferences } from './sum-differences.ts';

const MINT = 'So11111111111111111111111111111111111111112' as Address;
const wallet = (walletId: string, amounts: Record<string, bigint> = {}) => ({
  walletId,
  amounts: new Map(Object.entries(amounts)),
});
const ids = (found: readonly { walletId: string }[]) => found.map(({ walletId }) => walletId);
const solAccount = (lamports: bigint) =>
  ({ lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }) as unknown as AccountInfo;

function tokenAccount(amount: bigint): AccountInfo {
  const data = new Uint8Array(165);
  // The mint of wrapped SOL, an owner of zeros, the amount, and that the account is in use.
  data.set([
    6, 155, 136, 87, 254, 171, 129, 132, 251, 104, 127, 99, 70, 24, 192, 53, 218, 196, 57, 220, 26, 235, 59, 85,
  ]);
  data.set([152, 160, 240, 0, 0, 0, 0, 1], 24);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  data[108] = 1;
  return { lamports: 2_039_280n, owner: TOKEN_PROGRAM, data, executable: false };
}

it('finds the wallets whose books are not what the chain has, in any asset', () => {
  const wallets = [
    wallet('right', { SOL: 7n, [MINT]: 9n }),
    wallet('less', { SOL: 6n }),
    wallet('tokens', { [MINT]: 1n }),
    wallet('empty', { SOL: 0n, [MINT]: 0n }),
    wallet('unknown'),
  ];
  const chain = [solAccount(7n), solAccount(7n), null, solAccount(0n), null, tokenAccount(9n), tokenAccount(2n)];
  const found = sumDifferences(wallets, [{ walletId: 'right' }, { walletId: 'unknown' }], chain);
  expect(ids(found)).toEqual(['less', 'tokens', 'unknown']);
});

it('adds up the accounts of one token', () => {
  const accounts = [{ walletId: 'wallet' }, { walletId: 'wallet' }];
  const chain = [null, tokenAccount(2n), tokenAccount(3n)];
  expect(sumDifferences([wallet('wallet', { [MINT]: 5n })], accounts, chain)).toEqual([]);
  expect(ids(sumDifferences([wallet('wallet', { [MINT]: 3n })], accounts, chain))).toEqual(['wallet']);
});

it('counts tokens by their amount and not by the deposit of their account', () => {
  const books = [wallet('wallet', { [MINT]: 5n })];
  expect(sumDifferences(books, [{ walletId: 'wallet' }], [null, tokenAccount(5n)])).toEqual([]);
  expect(ids(sumDifferences(books, [{ walletId: 'wallet' }], [null, tokenAccount(4n)]))).toEqual(['wallet']);
});

it('counts no SOL that a stranger sent to where a token account was', () => {
  const books = [wallet('wallet', { SOL: 10n })];
  expect(sumDifferences(books, [{ walletId: 'wallet' }], [solAccount(10n), solAccount(2n)])).toEqual([]);
  expect(ids(sumDifferences(books, [{ walletId: 'wallet' }], [solAccount(8n), solAccount(2n)]))).toEqual(['wallet']);
});
