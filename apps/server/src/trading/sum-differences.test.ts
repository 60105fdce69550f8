import { TOKEN_PROGRAM, SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import { address } from '@hunter/solana/address';
import type { AccountInfo } from '@hunter/solana/rpc-replies';
import { expect, it } from 'vitest';
import { SOL } from '../ledger/journal.ts';
import { sumDifferences } from './sum-differences.ts';

const MINT = address('So11111111111111111111111111111111111111112');
type Amounts = Readonly<Record<string, bigint>>;

/** The ids of the wallets that differ; `books` has their amounts in the order of the accounts in `chain`. */
function differing(
  books: Readonly<Record<string, Amounts>>,
  accounts: readonly { walletId: string }[],
  chain: readonly (AccountInfo | null)[],
): string[] {
  const wallets = Object.keys(books).map((walletId) => ({ walletId, address: SYSTEM_PROGRAM }));
  const amounts = Object.entries(books).flatMap(([walletId, of]) =>
    Object.entries(of).map(([asset, amount]) => ({ walletId, asset: asset === SOL ? SOL : address(asset), amount })),
  );
  return sumDifferences(wallets, amounts, accounts, chain).map(({ walletId }) => walletId);
}

const solAccount = (lamports: bigint) =>
  ({ lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }) as unknown as AccountInfo;

/** Of the wallet with the address of zeros. */
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
  const books = {
    right: { SOL: 7n, [MINT]: 9n },
    less: { SOL: 6n },
    tokens: { [MINT]: 1n },
    empty: { SOL: 0n, [MINT]: 0n },
    unknown: {},
  };
  const chain = [solAccount(7n), solAccount(7n), null, solAccount(0n), null, tokenAccount(9n), tokenAccount(2n)];
  const accounts = [{ walletId: 'right' }, { walletId: 'unknown' }];
  expect(differing(books, accounts, chain)).toEqual(['less', 'tokens', 'unknown']);
});

it('adds up the accounts of one token', () => {
  const accounts = [{ walletId: 'wallet' }, { walletId: 'wallet' }];
  const chain = [null, tokenAccount(2n), tokenAccount(3n)];
  expect(differing({ wallet: { [MINT]: 5n } }, accounts, chain)).toEqual([]);
  expect(differing({ wallet: { [MINT]: 3n } }, accounts, chain)).toEqual(['wallet']);
});

it('counts tokens by their amount and not by the deposit of their account', () => {
  const books = { wallet: { [MINT]: 5n } };
  expect(differing(books, [{ walletId: 'wallet' }], [null, tokenAccount(5n)])).toEqual([]);
  expect(differing(books, [{ walletId: 'wallet' }], [null, tokenAccount(4n)])).toEqual(['wallet']);
});

it('counts no SOL that a stranger sent to where a token account was', () => {
  const books = { wallet: { SOL: 10n } };
  expect(differing(books, [{ walletId: 'wallet' }], [solAccount(10n), solAccount(2n)])).toEqual([]);
  expect(differing(books, [{ walletId: 'wallet' }], [solAccount(8n), solAccount(2n)])).toEqual(['wallet']);
});

it('counts no tokens in an account that another owns by now', () => {
  const given = tokenAccount(5n);
  given.data[63] = 1;
  expect(differing({ wallet: { [MINT]: 5n } }, [{ walletId: 'wallet' }], [null, given])).toEqual(['wallet']);
  expect(differing({ wallet: {} }, [{ walletId: 'wallet' }], [null, given])).toEqual([]);
});

it('leaves a wallet that came after the page was read to the next pass', () => {
  const accounts = [{ walletId: 'newer' }];
  const books = [{ walletId: 'newer', asset: MINT, amount: 5n }];
  const wallets = [{ walletId: 'wallet', address: SYSTEM_PROGRAM }];
  expect(sumDifferences(wallets, books, accounts, [null, tokenAccount(5n)])).toEqual([]);
});
