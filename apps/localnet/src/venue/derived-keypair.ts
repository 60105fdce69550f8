import { createHash } from 'node:crypto';
import { Keypair } from '@hunter/solana/keypair';

/**
 * Every key of the simulated market comes from the market's seed, so that the same seed gives the same market and a
 * restart needs no key file. They guard play money only; users' keys never come from here.
 */
export function derivedKeypair(seed: string, role: string, index: number): Keypair {
  return Keypair.fromSeed(createHash('sha256').update(`simulated-market:${seed}:${role}:${index}`).digest());
}
