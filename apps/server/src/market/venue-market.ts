import { parseDecimal } from '@hunter/domain/decimal';
import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import { z } from 'zod';
import type { MarketToken } from './market-source.ts';

const TIMEOUT_MS = 10_000;
const MINTS_PER_CALL = 100;

const venueInfo = z.object({ address: z.string(), rounds: z.boolean().default(false) });
const tokenView = z.object({
  id: z.string(),
  name: z.string(),
  symbol: z.string(),
  icon: z.string().nullish(),
  decimals: z.number().int(),
  tokenProgram: z.string(),
  createdAt: z.string().nullish(),
  dev: z.string().nullish(),
  totalSupply: z.number().nullish(),
  firstPool: z.object({ id: z.string(), createdAt: z.string().nullish() }).nullish(),
});
const prices = z.record(z.string(), z.object({ usdPrice: z.number() }));
const history = z.record(z.string(), z.array(z.object({ time: z.number(), usdPrice: z.number() })));

/** What the market reads from the venue: the list of tokens and the dollar price of SOL. */
export class VenueMarket {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, apiKey?: string) {
    this.#url = url.replace(/\/$/, '');
    this.#headers = apiKey ? { 'x-api-key': apiKey } : {};
  }

  /** The key that every swap of the venue mentions. */
  async address(): Promise<string> {
    return venueInfo.parse(await this.#get('/swap/v2/venue')).address;
  }

  async liveliest(): Promise<MarketToken[]> {
    const lists = await Promise.all([this.#get('/tokens/v2/toptraded/24h?limit=100'), this.#get('/tokens/v2/recent')]);
    return lists.flatMap((list) => z.array(tokenView).parse(list).map(asToken));
  }

  async tokens(mints: readonly string[]): Promise<MarketToken[]> {
    const found: MarketToken[] = [];
    for (let start = 0; start < mints.length; start += MINTS_PER_CALL) {
      const chunk = mints.slice(start, start + MINTS_PER_CALL);
      const list = await this.#get(`/tokens/v2/search?query=${chunk.join(',')}`);
      found.push(...z.array(tokenView).parse(list).map(asToken));
    }
    return found;
  }

  async solUsdMicro(): Promise<bigint> {
    const reply = prices.parse(await this.#get(`/price/v3?ids=${WRAPPED_SOL_MINT}`));
    const price = reply[WRAPPED_SOL_MINT];
    if (!price) throw new Error('the venue has no price for SOL');
    return toMicro(price.usdPrice);
  }

  /** Points of the past, oldest first; empty where the venue keeps no history. */
  async solUsdHistory(
    fromSeconds: number,
    toSeconds: number,
    intervalSeconds: number,
  ): Promise<{ atMs: number; usdMicro: bigint }[]> {
    const query = `ids=${WRAPPED_SOL_MINT}&from=${fromSeconds}&to=${toSeconds}&interval=${intervalSeconds}`;
    const reply = history.safeParse(await this.#get(`/price/v3/history?${query}`).catch(() => null));
    if (!reply.success) return [];
    return (reply.data[WRAPPED_SOL_MINT] ?? []).map(({ time, usdPrice }) => ({
      atMs: time * 1000,
      usdMicro: toMicro(usdPrice),
    }));
  }

  async #get(path: string): Promise<unknown> {
    const reply = await fetch(this.#url + path, { headers: this.#headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!reply.ok) throw new Error(`the venue answered ${reply.status} to ${path.split('?')[0]}`);
    return reply.json();
  }
}

/** Reference prices arrive as JSON numbers; the millionth of a dollar is finer than they are. */
function toMicro(price: number): bigint {
  return parseDecimal(price.toFixed(6), 6);
}

function asToken(view: z.infer<typeof tokenView>): MarketToken {
  const createdAt = view.firstPool?.createdAt ?? view.createdAt;
  return {
    mint: view.id,
    name: view.name,
    symbol: view.symbol,
    decimals: view.decimals,
    tokenProgram: view.tokenProgram,
    logoUrl: view.icon ?? null,
    creator: view.dev ?? null,
    pool: view.firstPool?.id ?? null,
    supply: BigInt(Math.round(view.totalSupply ?? 0)) * 10n ** BigInt(view.decimals),
    createdAtMs: createdAt ? Date.parse(createdAt) : Date.now(),
  };
}
