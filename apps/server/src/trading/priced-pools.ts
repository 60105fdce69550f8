import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Pool } from '@hunter/domain/market/swap-maths';
import type { TokenFacts } from '../market/token-facts.ts';
import type { PoolCache } from '../venue/pool-cache.ts';

/** Whole tokens of the quote that stands for a pool nobody tells. */
const SAMPLE_TOKENS = 1_000n;
/** So deep that no holding bends its price. */
const FLAT_DEPTH = 10n ** 15n;

/**
 * Pools as the venue tells them. An aggregator tells none; there a token is valued at the price of a quote, as if its pool
 * had no end. That overstates what a large holding would return, and such a pool limits no capacity.
 */
export class PricedPools {
  readonly #reader: Pick<PoolCache, 'load' | 'values'>;
  readonly #tokens: TokenFacts;

  constructor(reader: Pick<PoolCache, 'load' | 'values'>, tokens: TokenFacts) {
    this.#reader = reader;
    this.#tokens = tokens;
  }

  async load(mints: readonly string[]): Promise<Map<string, Pool>> {
    const pools = await this.#reader.load(mints);
    const untold = [...new Set(mints)].filter((mint) => !pools.has(mint));
    if (untold.length === 0) return pools;
    const facts = await this.#tokens.load(untold);
    // Without its decimals nobody can say how much of a token to ask a price for.
    const samples = [...facts.values()].map(({ mint, decimals }) => ({
      mint,
      tokens: baseUnits(SAMPLE_TOKENS * 10n ** BigInt(decimals)),
    }));
    const values = await this.#reader.values(samples);
    samples.forEach(({ mint, tokens }, index) => {
      const value = values[index] ?? null;
      if (value !== null && value > 0n) pools.set(mint, flatPool(value, tokens));
    });
    return pools;
  }
}

function flatPool(value: bigint, tokens: bigint): Pool {
  // Larger than any chain amount, on purpose, so the checked doors do not apply.
  const [solReserve, tokenReserve] = [(value * FLAT_DEPTH) as Lamports, (tokens * FLAT_DEPTH) as BaseUnits];
  return { solReserve, tokenReserve, virtualSol: lamports(0n), virtualTokens: baseUnits(0n), feeBps: 0n };
}
