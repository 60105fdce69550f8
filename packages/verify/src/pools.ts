import { addressBytes, BytesError } from './bytes.ts';
import type { Account, Chain } from './chain.ts';
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
const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]);
/** A token account begins with mint and owner, 32 bytes each, and its amount. */
const AMOUNT_OFFSET = 64;
const TOKEN_ACCOUNT_LENGTH = 165;

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

  /**
   * A coin whose pool is not published, or is not there, is left out; so is one of `foreign`, whose published vault is no token account
   * of this coin that belongs to the pool: few tokens of another coin would make a high price.
   */
  async load(
    chain: Chain,
    mints: readonly string[],
  ): Promise<{ found: Map<string, PoolOnChain>; foreign: readonly string[] }> {
    const unknown = mints.filter((mint) => !this.#known.has(mint));
    for (const pool of await this.#published.pools(unknown)) this.#known.set(pool.tokenContractAddress, pool);
    const pools = mints.flatMap((mint) => this.#known.get(mint) ?? []);
    const found = new Map<string, PoolOnChain>();
    const foreign: string[] = [];
    if (pools.length === 0) return { found, foreign };
    const accounts = await chain.accounts(pools.flatMap(({ address, vault }) => [address, vault]));
    for (const [index, pool] of pools.entries()) {
      const [own, vault] = accounts.slice(index * 2);
      if (!own || !vault) continue;
      if (!isVaultOf(pool, vault)) {
        foreign.push(pool.tokenContractAddress);
        continue;
      }
      found.set(pool.tokenContractAddress, {
        lamports: own.lamports - BigInt(pool.rentReserve),
        tokens: new DataView(vault.data.buffer).getBigUint64(AMOUNT_OFFSET, true),
        virtualLamports: BigInt(pool.virtualSol),
        virtualTokens: BigInt(pool.virtualTokens),
        feeBps: BigInt(pool.feeBps),
      });
    }
    return { found, foreign };
  }
}

function isVaultOf({ tokenContractAddress, address }: PublishedPool, { program, data }: Account): boolean {
  if (!TOKEN_PROGRAMS.has(program) || data.length < TOKEN_ACCOUNT_LENGTH) return false;
  try {
    const begins = [...addressBytes(tokenContractAddress), ...addressBytes(address)];
    return begins.every((byte, index) => data[index] === byte);
  } catch (error) {
    if (error instanceof BytesError) return false;
    throw error;
  }
}
