import { describe, expect, it } from 'vitest';
import { refuseCoin, type CopyableCoin } from './copyable-coin.ts';
import { lamports } from '../numbers/lamports.ts';

const SOL = 1_000_000_000n;

function aCoin(overrides: Partial<CopyableCoin> = {}): CopyableCoin {
  return {
    badges: ['ok', 'warn'],
    mintAuthority: 'given-up',
    ageMs: 3_600_000,
    poolLamports: lamports(50n * SOL),
    spot: { numerator: 1_000n, denominator: 1n },
    reference: { numerator: 1_000n, denominator: 1n },
    ...overrides,
  };
}

describe('a coin that followers may buy', () => {
  it('passes at the edge of every rule', () => {
    expect(refuseCoin(aCoin())).toBeNull();
    expect(refuseCoin(aCoin({ spot: { numerator: 20_000n, denominator: 20n } }))).toBeNull();
  });

  it.each([
    ['a known danger', { badges: ['ok', 'danger'] }, 'token-risk'],
    ['badges that could not be read', { badges: ['unknown', 'ok'] }, 'token-risk'],
    ['a mint authority that somebody kept', { mintAuthority: 'kept' }, 'mintable'],
    ['a mint authority that could not be read', { mintAuthority: 'unknown' }, 'mintable'],
    ['a pool below 50 SOL', { poolLamports: lamports(50n * SOL - 1n) }, 'pool-too-small'],
    ['a pool that nobody knows', { poolLamports: null }, 'pool-too-small'],
    ['a pool younger than an hour', { ageMs: 3_599_999 }, 'pool-too-young'],
    ['no reference price', { reference: null }, 'no-reference-price'],
    ['no price at all', { spot: null }, 'no-reference-price'],
    ['a base unit worth more than 1,000 lamports', { spot: { numerator: 2_001n, denominator: 2n } }, 'coarse-token'],
  ] as const)('is refused for %s', (_name, overrides, reason) => {
    expect(refuseCoin(aCoin(overrides))).toBe(reason);
  });
});
