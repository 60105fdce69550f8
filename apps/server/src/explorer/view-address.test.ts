import type { Address } from '@hunter/solana/address';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { ParsedAccountInfo } from '@hunter/solana/rpc-replies';
import { expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { viewAddress } from './view-address.ts';

const tokenOf = (mint: Address) => ({ tokenContractAddress: mint, tokenSymbol: null, tokenLogoUrl: null });
const view = (account: ParsedAccountInfo | null) => viewAddress(mintNamed('A'), account, [], null, tokenOf);
const anAccount = (overrides: Partial<ParsedAccountInfo>): ParsedAccountInfo => ({
  lamports: 1_250_000_000n,
  owner: SYSTEM_PROGRAM,
  executable: false,
  parsed: null,
  ...overrides,
});
const parsed = (type: string, info: Record<string, unknown>) =>
  anAccount({ owner: TOKEN_PROGRAM, parsed: { program: 'spl-token', type, info } });

it('tells wallets, programs, accounts of programs and addresses without an account apart', () => {
  expect(view(anAccount({}))).toMatchObject({ kind: 'wallet', sol: '1.25', program: { name: 'System Program' } });
  expect(view(anAccount({ executable: true, owner: 'Loader' as Address })).kind).toBe('program');
  expect(view(anAccount({ owner: 'Somebody' as Address }))).toMatchObject({ kind: 'account', program: { name: null } });
  expect(view(null)).toMatchObject({ kind: 'none', sol: '0', program: null });
});

it('reads a mint with its supply and who may still change it', () => {
  const mint = parsed('mint', { supply: '1000000000', decimals: 6, mintAuthority: null, freezeAuthority: 'Boss' });
  expect(view(mint)).toMatchObject({
    kind: 'mint',
    mint: { supply: '1000', decimals: 6, mintAuthority: null, freezeAuthority: 'Boss' },
  });
});

it('reads a token account with its owner and amount', () => {
  const info = { mint: TOKEN_PROGRAM, owner: 'W', state: 'frozen', tokenAmount: { amount: '2500', decimals: 3 } };
  expect(view(parsed('account', info))).toMatchObject({
    kind: 'token-account',
    tokenAccount: { tokenContractAddress: TOKEN_PROGRAM, owner: 'W', amount: '2.5', frozen: true },
  });
});

it('lists what a wallet holds, without empty accounts', () => {
  const held = (mint: Address, amount: bigint) => ({
    address: `account of ${mint}` as Address,
    lamports: 0n,
    tokenProgram: TOKEN_PROGRAM,
    mint,
    owner: 'A' as Address,
    amount,
    decimals: 2,
    state: 'initialized',
  });
  const reply = viewAddress(
    mintNamed('A'),
    anAccount({}),
    [held(mintNamed('M'), 150n), held(mintNamed('N'), 0n)],
    tokenOf(mintNamed('P')),
    tokenOf,
  );
  expect(reply.tokens).toEqual([{ ...tokenOf(mintNamed('M')), account: 'account of M', amount: '1.5' }]);
  expect(reply.poolOf).toMatchObject({ tokenContractAddress: 'P' });
});
