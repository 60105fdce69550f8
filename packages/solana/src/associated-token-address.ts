import { createHash } from 'node:crypto';
import { type Address, addressBytes, addressFromBytes } from './address.ts';
import { BoundedCache } from './bounded-cache.ts';
import { isOnCurve } from './ed25519-curve.ts';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from './program-ids.ts';
import { SolanaError } from './solana-error.ts';

const PDA_MARKER = Buffer.from('ProgramDerivedAddress');
// A fan-out to a thousand followers asks for the same pairs again and again; an entry is ~250 bytes.
const CACHE_ENTRIES_MAX = 100_000;
const cache = new BoundedCache<string, Address>(CACHE_ENTRIES_MAX);

/** The first program-derived address below bump 255 that lies off the curve. */
export function findProgramAddress(seeds: readonly Uint8Array[], program: Address): { address: Address; bump: number } {
  const programBytes = addressBytes(program);
  const prefix = createHash('sha256');
  for (const seed of seeds) prefix.update(seed);
  for (let bump = 255; bump >= 0; bump -= 1) {
    const digest = prefix.copy().update(Uint8Array.of(bump)).update(programBytes).update(PDA_MARKER).digest();
    if (!isOnCurve(digest)) return { address: addressFromBytes(digest), bump };
  }
  throw new SolanaError('PROGRAM_ADDRESS_NOT_FOUND', { program });
}

/** The one token account of an owner for a mint that wallets and venues agree on. */
export function associatedTokenAddress(owner: Address, mint: Address, tokenProgram: Address = TOKEN_PROGRAM): Address {
  const key = `${owner}${mint}${tokenProgram}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const seeds = [addressBytes(owner), addressBytes(tokenProgram), addressBytes(mint)];
  const found = findProgramAddress(seeds, ASSOCIATED_TOKEN_PROGRAM).address;
  cache.set(key, found);
  return found;
}
