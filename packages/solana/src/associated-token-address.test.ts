import { address as kitAddress, getAddressEncoder, getProgramDerivedAddress, isOffCurveAddress } from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address, addressFromBytes, isAddress, isOnCurveAddress } from './address.ts';
import { associatedTokenAddress, findProgramAddress } from './associated-token-address.ts';
import { isOnCurve } from './ed25519-curve.ts';
import { Keypair } from './keypair.ts';
import * as programs from './program-ids.ts';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('addresses', () => {
  it('tells on-curve from off-curve as kit does', () => {
    fc.assert(
      fc.property(bytes32, (bytes) => {
        const text = addressFromBytes(bytes);
        expect(isOnCurveAddress(text)).toBe(!isOffCurveAddress(kitAddress(text)));
      }),
      { numRuns: 200 },
    );
  });

  it('counts every public key as on the curve', () => {
    for (let index = 0; index < 20; index += 1) expect(isOnCurve(Keypair.generate().publicKey)).toBe(true);
  });

  it('finds the same associated token accounts as kit, for both token programs', async () => {
    await fc.assert(
      fc.asyncProperty(
        bytes32,
        bytes32,
        fc.constantFrom(programs.TOKEN_PROGRAM, programs.TOKEN_2022_PROGRAM),
        async (ownerBytes, mintBytes, tokenProgram) => {
          const owner = addressFromBytes(ownerBytes);
          const mint = addressFromBytes(mintBytes);
          const [expected] = await findAssociatedTokenPda({
            owner: kitAddress(owner),
            mint: kitAddress(mint),
            tokenProgram: kitAddress(tokenProgram),
          });
          expect(associatedTokenAddress(owner, mint, tokenProgram)).toBe(expected);
          expect(associatedTokenAddress(owner, mint, tokenProgram)).toBe(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds the same program address and bump as kit', async () => {
    const seed = Buffer.from('vault');
    const [expected, bump] = await getProgramDerivedAddress({
      programAddress: kitAddress(programs.TOKEN_PROGRAM),
      seeds: [seed, getAddressEncoder().encode(kitAddress(programs.WRAPPED_SOL_MINT))],
    });
    const found = findProgramAddress(
      [seed, Uint8Array.from(getAddressEncoder().encode(kitAddress(programs.WRAPPED_SOL_MINT)))],
      programs.TOKEN_PROGRAM,
    );
    expect(found).toEqual({ address: expected, bump });
  });

  it('accepts the well-known addresses and refuses what is not 32 bytes', () => {
    for (const known of Object.values(programs)) expect(address(known)).toBe(known);
    for (const wrong of ['', 'abc', '1'.repeat(31), '1'.repeat(45), 'z'.repeat(44), 'O'.repeat(40)]) {
      expect(isAddress(wrong)).toBe(false);
      expect(() => address(wrong)).toThrow('ADDRESS_INVALID');
    }
  });
});
