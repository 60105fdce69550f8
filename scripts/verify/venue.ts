import type { Chain } from './chain.ts';
import type { PoolOnChain } from './recompute.ts';

type PoolView = { address: string; vault: string; virtualSol: string; virtualTokens: string; rentReserve: string };

/** Where a venue's pools are, and the constants of their curve. Their reserves are read from the chain. */
export class Venue {
  readonly #url: string;
  readonly #pools = new Map<string, PoolView>();
  #feeBps: bigint | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  async pool(chain: Chain, mint: string): Promise<PoolOnChain> {
    const view = this.#pools.get(mint) ?? (await this.#load(mint));
    this.#feeBps ??= BigInt(((await (await fetch(`${this.#url}/swap/v2/venue`)).json()) as { feeBps: number }).feeBps);
    const [lamports, vault] = await Promise.all([chain.lamports(view.address), chain.tokens(view.vault)]);
    return {
      lamports: lamports - BigInt(view.rentReserve),
      tokens: vault.amount,
      virtualLamports: BigInt(view.virtualSol),
      virtualTokens: BigInt(view.virtualTokens),
      feeBps: this.#feeBps,
    };
  }

  async #load(mint: string): Promise<PoolView> {
    const reply = await fetch(`${this.#url}/tokens/v2/search?query=${mint}`);
    const rows = (await reply.json()) as { id: string; pool: PoolView }[];
    const view = rows.find((row) => row.id === mint)?.pool;
    if (!view) throw new Error(`the venue does not know ${mint}`);
    this.#pools.set(mint, view);
    return view;
  }
}
