import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { divFloor, larger, smaller } from '@hunter/domain/numbers/rounding';
import type { Pool } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import type { TokenFacts } from '../market/token-facts.ts';
import type { PoolCache } from '../venue/pool-cache.ts';

/** Whole tokens of the quote that stands for a pool nobody tells. */
const SAMPLE_TOKENS = 1_000n;
/** Strangers make tokens of as many decimals as they like; what is asked for must fit an amount. */
const SAMPLE_MAX = 10n ** 18n;
/** So deep that hardly a holding bends its price, and still an amount with another one added to it. */
const RESERVE_MAX = 2n ** 62n;

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

  async load(mints: readonly Address[]): Promise<Map<Address, Pool>> {
    const pools = await this.#reader.load(mints);
    const untold = [...new Set(mints)].filter((mint) => !pools.has(mint));
    if (untold.length === 0) return pools;
    const facts = await this.#tokens.load(untold);
    // Without its decimals nobody can say how much of a token to ask a price for.
    const samples = [...facts.values()].map(({ mint, decimals }) => ({
      mint,
      tokens: baseUnits(smaller(SAMPLE_TOKENS * 10n ** BigInt(decimals), SAMPLE_MAX)),
    }));
    const values = await this.#reader.values(samples);
    samples.forEach(({ mint, tokens }, index) => {
      const value = values[index] ?? null;
      if (value !== null && value > 0n) pools.set(mint, flatPool(value, tokens));
    });
    return pools;
  }
}

function flatPool(value: Lamports, tokens: BaseUnits): Pool {
  const times = larger(1n, smaller(divFloor(RESERVE_MAX, value), divFloor(RESERVE_MAX, tokens)));
  return {
    solReserve: lamports(value * times),
    tokenReserve: baseUnits(tokens * times),
    virtualSol: lamports(0n),
    virtualTokens: baseUnits(0n),
    feeBps: 0n,
  };
}
