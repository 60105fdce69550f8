import type { Address } from '@hunter/solana/address';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { depthLimit } from '@hunter/domain/copying/round-depth';
import { liquidationValue, quotePool, type Pool } from '@hunter/domain/market/swap-maths';
import { describe, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { PricedPools } from './priced-pools.ts';

const told: Pool = {
  solReserve: lamports(10n ** 12n),
  tokenReserve: baseUnits(10n ** 12n),
  virtualSol: lamports(0n),
  virtualTokens: baseUnits(0n),
  feeBps: 50n,
};

function pools(quoted: bigint | null, decimals = 6): PricedPools {
  const fact = {
    mint: mintNamed('quoted'),
    symbol: 'Q',
    name: 'Q',
    decimals,
    logoUrl: '',
    tokenProgram: TOKEN_PROGRAM,
  };
  return new PricedPools(
    {
      load: async () => new Map([[mintNamed('told'), told]]),
      values: async (holdings) => holdings.map(() => (quoted === null ? null : lamports(quoted))),
    },
    { load: async () => new Map([[fact.mint, fact]]) },
  );
}

describe('pools for valuing', () => {
  it('are those that the venue tells', async () => {
    expect((await pools(null).load([mintNamed('told')])).get(mintNamed('told'))).toBe(told);
  });

  it('stand for a quote where the venue tells none', async () => {
    // A thousand tokens of six decimals bring 2 SOL, so half a million of them bring a thousand SOL.
    const pool = (await pools(2_000_000_000n).load([mintNamed('told'), mintNamed('quoted')])).get(mintNamed('quoted'))!;
    const value = liquidationValue(pool, baseUnits(500_000_000_000n));
    expect(value).toBeGreaterThan(999_999_000_000n);
    expect(value).toBeLessThanOrEqual(1_000_000_000_000n);
  });

  it.each([
    ['cheap', 1n, 6],
    ['dear', 10n ** 18n, 9],
    ['with more decimals than an amount can have', 2_000_000_000n, 30],
  ])(
    'can be traded in as any other where they stand for the quote of a token that is %s',
    async (_what, quoted, decimals) => {
      const pool = (await pools(quoted, decimals).load([mintNamed('quoted')])).get(mintNamed('quoted'))!;
      expect(quotePool(pool, 'buy', lamports(10n ** 12n)).kind).toBe('quote');
      expect(quotePool(pool, 'sell', baseUnits(10n ** 18n)).kind).toBe('quote');
      expect(depthLimit(pool, baseUnits(0n))).toBeGreaterThan(0n);
    },
  );

  it('are left out where nobody can say', async () => {
    expect((await pools(null).load([mintNamed('quoted')])).has(mintNamed('quoted'))).toBe(false);
  });

  it('are asked for a price only where the venue tells none', async () => {
    const asked: string[][] = [];
    const reader = { load: async () => new Map([[mintNamed('told'), told]]), values: async () => [lamports(0n)] };
    const tokens = {
      load: async (mints: readonly Address[]) => {
        asked.push([...mints]);
        return new Map();
      },
    };
    await new PricedPools(reader, tokens).load([mintNamed('told'), mintNamed('quoted'), mintNamed('quoted')]);
    await new PricedPools(reader, tokens).load([mintNamed('told')]);
    expect(asked).toEqual([['quoted']]);
  });

  it('are left out where a token brings nothing', async () => {
    expect((await pools(0n).load([mintNamed('quoted')])).has(mintNamed('quoted'))).toBe(false);
  });
});
