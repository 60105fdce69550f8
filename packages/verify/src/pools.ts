import type { Chain } from './chain.ts';
import type { Published, PublishedPool } from './published.ts';

export type PoolOnChain = {
  lamports: bigint;
  tokens: bigint;
  virtualLamports: bigint;
  virtualTokens: bigint;
  feeBps: bigint;
};

/** What a network transaction with two signatures costs. */
const SALE_FEE_LAMPORTS = 10_000n;
/** Where a token account of the SPL program keeps its amount. */
const AMOUNT_OFFSET = 64;

/** What selling all of it along the pool's curve returns, fees taken off. */
export function sellingReturns(pool: PoolOnChain, tokens: bigint): bigint {
  if (tokens === 0n) return 0n;
  const net = tokens * (10_000n - pool.feeBps);
  const out = (net * (pool.lamports + pool.virtualLamports)) / ((pool.tokens + pool.virtualTokens) * 10_000n + net);
  const paid = (out < pool.lamports ? out : pool.lamports) - SALE_FEE_LAMPORTS;
  return paid > 0n ? paid : 0n;
}

/** Pools of one strategy's coins: accounts and constants as published, reserves from the chain. */
export class Pools {
  readonly #published: Published;
  readonly #known = new Map<string, PublishedPool>();

  constructor(published: Published) {
    this.#published = published;
  }

  /** A coin whose pool is not published is left out. */
  async load(chain: Chain, mints: readonly string[]): Promise<Map<string, PoolOnChain>> {
    const unknown = mints.filter((mint) => !this.#known.has(mint));
    for (const pool of await this.#published.pools(unknown)) this.#known.set(pool.tokenContractAddress, pool);
    const pools = mints.flatMap((mint) => this.#known.get(mint) ?? []);
    if (pools.length === 0) return new Map();
    const accounts = await chain.accounts(pools.flatMap(({ address, vault }) => [address, vault]));
    const found = new Map<string, PoolOnChain>();
    for (const [index, pool] of pools.entries()) {
      const [own, vault] = accounts.slice(index * 2);
      if (!own || !vault) continue;
      found.set(pool.tokenContractAddress, {
        lamports: own.lamports - BigInt(pool.rentReserve),
        tokens: new DataView(vault.data.buffer).getBigUint64(AMOUNT_OFFSET, true),
        virtualLamports: BigInt(pool.virtualSol),
        virtualTokens: BigInt(pool.virtualTokens),
        feeBps: BigInt(pool.feeBps),
      });
    }
    return found;
  }
}
