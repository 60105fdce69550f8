import { TOKEN_PROGRAM, SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import type { Address } from '@hunter/solana/address';
import type { AccountInfo } from '@hunter/solana/rpc-replies';
import { expect, it } from 'vitest';
import { sumDifferences } from './sum-differences.ts';

const MINT = 'So11111111111111111111111111111111111111112' as Address;
const known = (...wallets: string[]) =>
  wallets.map((walletId) => ({ walletId, address: walletId as Address, isWallet: true }));
const accountsOf = (...wallets: string[]) => known(...wallets).map((row) => ({ ...row, isWallet: false }));
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
  const books = [
    { walletId: 'right', asset: 'SOL', amount: 3n },
    { walletId: 'right', asset: 'SOL', amount: 4n },
    { walletId: 'right', asset: MINT, amount: 9n },
    { walletId: 'less', asset: 'SOL', amount: 6n },
    { walletId: 'tokens', asset: MINT, amount: 1n },
  ];
  const accounts = [solAccount(7n), tokenAccount(9n), solAccount(7n), null, solAccount(0n)];
  const rows = [...known('right'), ...accountsOf('right'), ...known('less', 'tokens', 'empty')];
  const found = sumDifferences(rows, accounts, books);
  expect([...found].sort()).toEqual(['less', 'tokens']);
});

it('counts what differs in a wallet once more than cancels out', () => {
  const books = [
    { walletId: 'wallet', asset: 'SOL', amount: 0n },
    { walletId: 'wallet', asset: 'SOL', amount: 5n },
    { walletId: 'wallet', asset: 'SOL', amount: 5n },
  ];
  expect(sumDifferences(known('wallet'), [solAccount(10n)], books).size).toBe(0);
  expect(sumDifferences(known('wallet'), [solAccount(5n)], books).size).toBe(1);
});

it('counts tokens by their amount and not by the deposit of their account', () => {
  const books = [{ walletId: 'wallet', asset: MINT, amount: 5n }];
  expect(sumDifferences(accountsOf('wallet'), [tokenAccount(5n)], books).size).toBe(0);
  expect([...sumDifferences(accountsOf('wallet'), [tokenAccount(4n)], books)]).toEqual(['wallet']);
});

it('counts no SOL that a stranger sent to where a token account was', () => {
  const books = [{ walletId: 'wallet', asset: 'SOL', amount: 10n }];
  const rows = [...known('wallet'), ...accountsOf('wallet')];
  expect(sumDifferences(rows, [solAccount(10n), solAccount(2n)], books).size).toBe(0);
  expect([...sumDifferences(rows, [solAccount(8n), solAccount(2n)], books)]).toEqual(['wallet']);
});
