import { type Address, addressFromBytes, isOnCurveAddress } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { Keypair } from '@hunter/solana/keypair';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import type { AccountInfo } from '@hunter/solana/rpc-replies';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideDestination } from './withdrawal-destination.ts';

const wallet = Keypair.generate().address;
const derived = associatedTokenAddress(wallet, Keypair.generate().address);
const loader = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;

const anAccount = (fields: Partial<AccountInfo>): AccountInfo => ({
  lamports: 1n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
  ...fields,
});
const aTokenRecord = (owner: Address, length: number, kind?: number): AccountInfo => {
  const data = new Uint8Array(length);
  if (kind !== undefined) data[165] = kind;
  return anAccount({ owner, data });
};

describe('decideDestination', () => {
  it.each([
    [SYSTEM_PROGRAM],
    [TOKEN_PROGRAM],
    [TOKEN_2022_PROGRAM],
    ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'],
    [WRAPPED_SOL_MINT],
    ['1nc1nerator11111111111111111111111111111111'],
    ['SysvarC1ock11111111111111111111111111111111'],
    ['SysvarRent111111111111111111111111111111111'],
    ['Sysvar1nstructions1111111111111111111111111'],
    ['Stake11111111111111111111111111111111111111'],
    ['Vote111111111111111111111111111111111111111'],
    ['KeccakSecp256k11111111111111111111111111111'],
    ['AddressLookupTab1e1111111111111111111111111'],
    [loader],
  ])('refuses the network’s own address %s whatever the node says about it', (address) => {
    expect(decideDestination(address as Address, null)).toBe('reserved');
    expect(decideDestination(address as Address, anAccount({}))).toBe('reserved');
  });

  it.each([
    ['a program', anAccount({ owner: loader, executable: true }), 'program'],
    ['an account of a program', anAccount({ owner: loader }), 'program-account'],
    ['a mint', aTokenRecord(TOKEN_PROGRAM, 82), 'mint'],
    ['a token account', aTokenRecord(TOKEN_PROGRAM, 165), 'token-account'],
    ['a Token-2022 mint with extensions', aTokenRecord(TOKEN_2022_PROGRAM, 234, 1), 'mint'],
    ['a Token-2022 account with extensions', aTokenRecord(TOKEN_2022_PROGRAM, 170, 2), 'token-account'],
  ])('refuses %s, on the curve or off it', (_name, account, problem) => {
    expect(decideDestination(wallet, account)).toBe(problem);
    expect(decideDestination(derived, account)).toBe(problem);
  });

  it('accepts an address off the curve only where the system program owns it', () => {
    expect(decideDestination(derived, null)).toBe('no-owner');
    expect(decideDestination(derived, anAccount({}))).toBeNull();
    expect(decideDestination(derived, anAccount({ data: new Uint8Array(80) }))).toBeNull();
  });

  it('accepts every key pair’s address, used before or not, and no unused address off the curve', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const own = Keypair.fromSeed(bytes).address;
        expect(decideDestination(own, null)).toBeNull();
        expect(decideDestination(own, anAccount({}))).toBeNull();
        const any = addressFromBytes(bytes);
        if (!isOnCurveAddress(any)) expect(decideDestination(any, null)).not.toBeNull();
      }),
    );
  });
});
