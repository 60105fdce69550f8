import { createHash } from 'node:crypto';
import { type AccountKey, accountKey, ASSOCIATED_TOKEN, keyBytes } from '../account-key.ts';

const P = (1n << 255n) - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const MARKER = Buffer.from('ProgramDerivedAddress');
const known = new Map<string, AccountKey>();
const KNOWN_MAX = 50_000;

/** The associated token account of an owner and a mint, derived here so that nobody has to be believed. */
export function ownTokenAccount(owner: AccountKey, mint: AccountKey, tokenProgram: AccountKey): AccountKey {
  const cacheKey = owner + mint + tokenProgram;
  const remembered = known.get(cacheKey);
  if (remembered !== undefined) return remembered;
  const seeds = Buffer.concat([keyBytes(owner), keyBytes(tokenProgram), keyBytes(mint)]);
  const program = keyBytes(ASSOCIATED_TOKEN);
  for (let bump = 255; bump >= 0; bump -= 1) {
    const digest = createHash('sha256')
      .update(seeds)
      .update(Uint8Array.of(bump))
      .update(program)
      .update(MARKER)
      .digest();
    if (isOnCurve(digest)) continue;
    if (known.size >= KNOWN_MAX) known.clear();
    const found = accountKey(digest);
    known.set(cacheKey, found);
    return found;
  }
  throw new Error('no program address exists for these seeds');
}

/** Euler's criterion on u·v, where x² = u / v with u = y² - 1 and v = d y² + 1. */
function isOnCurve(bytes: Buffer): boolean {
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & ((1n << 255n) - 1n);
  const squared = (y * y) % P;
  const product = ((((squared - 1n) * (D * squared + 1n)) % P) + P) % P;
  if (product === 0n) return true;
  let power = 1n;
  let base = product;
  for (let exponent = (P - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) power = (power * base) % P;
    base = (base * base) % P;
  }
  return power === 1n;
}
