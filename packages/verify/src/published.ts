// What the product says about a strategy, as anybody can read it without an account.

import type { AllocationProof } from './allocation-proof.ts';
import type { Fetch } from './chain.ts';

export type PublishedRow = {
  id: string;
  time: number;
  kind: 'trade' | 'flow';
  side: 'buy' | 'sell' | 'in' | 'out';
  tokenContractAddress: string | null;
  tokenSymbol: string | null;
  tokenAmount: string | null;
  solAmount: string;
  networkFee: string;
  txHash: string | null;
  nav: string;
  /** The creator's own part of a swap of the strategy's wallet; absent where the whole swap is his. */
  allocation?: AllocationProof | null;
};

export type PublishedDetail = {
  slug: string;
  name: string;
  status: string;
  capitalAmount: string;
  equity: string;
  freeSol: string;
  yieldRate: string;
  maxDrawdown: string | null;
  winRate: string | null;
  closedTrades: number;
  unsoldAtLoss: number;
  positions: { tokenContractAddress: string; tokenSymbol: string; amount: string; cost: string | null }[];
  /** `strategy` is a wallet that nobody else trades in: then its transactions must all be accounted for. */
  verify: { wallet: string; walletKind?: 'personal' | 'strategy' };
};

/** A pool's accounts and the constants of its curve; its reserves are read from the chain. */
export type PublishedPool = {
  tokenContractAddress: string;
  address: string;
  vault: string;
  virtualSol: string;
  virtualTokens: string;
  rentReserve: string;
  feeBps: number;
};

const PAGE = 500;
const POOLS_PER_CALL = 50;

/** The product refused a question, or could not be asked. */
export class PublishedError extends Error {
  override readonly name = 'PublishedError';
}

export class Published {
  readonly #url: string;
  readonly #fetch: Fetch;

  constructor(url: string, fetch: Fetch) {
    this.#url = url;
    this.#fetch = fetch;
  }

  detail(slug: string): Promise<PublishedDetail> {
    return this.#ask('/api/strategy/getStrategyDetail', { slug });
  }

  /** The whole public record, oldest first. */
  async record(slug: string, onProgress?: (rows: number) => void): Promise<PublishedRow[]> {
    const rows: PublishedRow[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = {
        slug,
        limit: String(PAGE),
        proofs: '1',
        ...(cursor === null ? {} : { cursor }),
      };
      const page = await this.#ask<{ lists: PublishedRow[]; nextCursor: string | null }>(
        '/api/strategy/getStrategyTrades',
        query,
      );
      rows.push(...page.lists);
      onProgress?.(rows.length);
      if (page.lists.length === 0 && page.nextCursor !== null) {
        throw new PublishedError('the record goes on without a row');
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    return rows.sort((left, right) => left.time - right.time || Number(BigInt(left.id) - BigInt(right.id)));
  }

  async pools(mints: readonly string[]): Promise<PublishedPool[]> {
    const pools: PublishedPool[] = [];
    for (let start = 0; start < mints.length; start += POOLS_PER_CALL) {
      const tokenContractAddress = mints.slice(start, start + POOLS_PER_CALL).join(',');
      const { lists } = await this.#ask<{ lists: PublishedPool[] }>('/api/token/getTokenPools', {
        tokenContractAddress,
      });
      pools.push(...lists);
    }
    return pools;
  }

  async slugs(): Promise<string[]> {
    const slugs: string[] = [];
    for (let pageNo = 1; ; pageNo += 1) {
      const { lists, total } = await this.#ask<{ lists: { slug: string }[]; total: number }>(
        '/api/strategy/getStrategyList',
        { pageSize: '100', pageNo: String(pageNo) },
      );
      slugs.push(...lists.map(({ slug }) => slug));
      if (lists.length === 0 || slugs.length >= total) return slugs;
    }
  }

  async #ask<Data>(path: string, query: Record<string, string>): Promise<Data> {
    const reply = await this.#fetch(`${this.#url}${path}?${new URLSearchParams(query).toString()}`).catch(
      (cause: unknown) => {
        throw new PublishedError(`${path} cannot be reached`, { cause });
      },
    );
    const { code, msg, data } = (await reply.json().catch((cause: unknown) => {
      throw new PublishedError(`${path} answered with HTTP ${reply.status} and no JSON`, { cause });
    })) as { code: number; msg: string; data: Data };
    if (code !== 200) throw new PublishedError(msg);
    return data;
  }
}
