import { isDeepStrictEqual } from 'node:util';
import { powerOfTen } from '@hunter/domain/numbers/decimal';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, LAMPORTS_PER_SOL } from '@hunter/domain/numbers/lamports';
import { priceOfTrade } from '@hunter/domain/numbers/price';
import type { Database, Sql } from '../platform/postgres.ts';
import { passedOver, type PassedOver } from '../platform/read-transactions.ts';
import { columnsOf } from '../platform/columns-of.ts';
import type { MarketPool, MarketSink, MarketToken, MarketTrade } from './market-source.ts';
import { storeBatch, type PlacedTrade } from './store-batch.ts';
import { StoredPairs } from './stored-pairs.ts';
import type { StoredTrade } from './stored-trade.ts';
import { TokenDirectory, type TokenRow } from './token-directory.ts';
import { checkedLinks } from './token-links.ts';
import { isDust, loadLastPrices, TradePrices } from './trade-prices.ts';
import { TraderDirectory } from './trader-directory.ts';

const MICRO = 1_000_000n;
/** From a price with 18 decimals to micro-dollars. */
const PRICE_TO_MICRO_DECIMALS = 12;

/** Of prices and market caps: 10^16 dollars for a token. The change from the least price to it, in percent, is still within `real`. */
const FIGURE_MAX = 10n ** 34n;

type Listener = (trades: readonly StoredTrade[]) => void;

/** Writes trades with everything that follows from them in one transaction with the source's cursor. */
export class MarketStore implements MarketSink {
  readonly tokens: TokenDirectory;
  /** Whoever else writes holders has it forget their token, under the lock of the market's writers. */
  readonly storedPairs = new StoredPairs();
  readonly #database: Database;
  readonly #writes: Database;
  readonly #traders = new TraderDirectory();
  readonly #flagsOf: (token: MarketToken) => string[];
  readonly #shown: (token: MarketToken) => { name: string; symbol: string };
  readonly #listeners = new Set<Listener>();
  readonly #resetListeners = new Set<() => void>();
  /** Where each source was when the listeners were last told of its trades. */
  readonly #told = new Map<string, unknown>();

  /** `flagsOf` judges the name as the outside gave it; `shown` is what is kept of it for display. Tokens, trades and pools go to `writes`. */
  constructor(
    database: Database,
    flagsOf: (token: MarketToken) => string[],
    shown: (token: MarketToken) => { name: string; symbol: string },
    writes = database,
  ) {
    this.#database = database;
    this.#writes = writes;
    this.#flagsOf = flagsOf;
    this.#shown = shown;
    this.tokens = new TokenDirectory(database, writes);
  }

  /** Called after the commit with the trades that were new, oldest first. */
  onTrades(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called where the store is not what the listeners were told: whatever follows it has to be read again. */
  onReset(listener: () => void): () => void {
    this.#resetListeners.add(listener);
    return () => this.#resetListeners.delete(listener);
  }

  /** Another process stored them; told after its commit, in its order. */
  tell(trades: readonly StoredTrade[]): void {
    if (trades.length > 0) for (const listener of this.#listeners) listener(trades);
  }

  /** What this process was told may have a gap. */
  reset(): void {
    for (const listener of this.#resetListeners) listener();
  }

  async loadCursor(source: string): Promise<unknown> {
    const rows = await this.#database.query<{ cursor: unknown }>(`select cursor from market_cursor where source = $1`, [
      source,
    ]);
    const cursor = rows[0]?.cursor ?? null;
    if (this.#told.has(source) && !isDeepStrictEqual(this.#told.get(source), cursor)) {
      this.#told.delete(source);
      this.storedPairs.forgetAll();
      this.reset();
    }
    return cursor;
  }

  async storeTokens(tokens: readonly MarketToken[]): Promise<void> {
    // A source may list the same token in several of its lists.
    const distinct = [...new Map(tokens.map((token) => [token.mint, token])).values()];
    await this.tokens.save(
      distinct.map((token) => ({
        ...token,
        ...this.#shown(token),
        flags: this.#flagsOf(token),
        links: checkedLinks(token.links),
      })),
    );
  }

  async storeTrades(
    trades: readonly MarketTrade[],
    source: string,
    cursor: unknown,
    after?: unknown,
    pools: readonly MarketPool[] = [],
  ): Promise<void> {
    const ofTokens = trades.filter(
      (trade) => this.tokens.get(trade.mint) && trade.baseUnits > 0n && trade.lamports > 0n,
    );
    const known = ofTokens.filter((trade) => isPriceKept(trade, this.tokens.get(trade.mint)!));
    for (let index = known.length; index < ofTokens.length; index += 1) {
      passedOver.publish({ reader: 'market' } satisfies PassedOver);
    }
    const traderIds = await this.#traders.idsOf(this.#database, known);
    const placed = inOrder(
      known.map((trade, index) => ({ trade, tokenId: this.tokens.get(trade.mint)!.id, traderId: traderIds[index]! })),
    );
    const capOf = (trade: StoredTrade) => marketCapOf(trade, this.tokens.get(trade.mint)!);
    const dust = placed.filter(({ trade }) => isDust(trade)).map(({ tokenId }) => tokenId);
    const lastPrices = await loadLastPrices(this.#database, [...new Set(dust)]);
    const move = { source, cursor, after };
    const latest = this.#latestOf(pools);
    const fresh = await this.#storing(async (sql) => {
      const prices = new TradePrices(lastPrices);
      const priceOf = (one: PlacedTrade) => this.#price(one, prices);
      const stored = await storeBatch(sql, placed, move, this.storedPairs, priceOf, capOf);
      await this.#writePools(sql, latest);
      return stored;
    });
    this.#told.set(source, cursor);
    this.tell(fresh);
    if (latest.length > 0) this.tokens.changed(latest.map(({ mint }) => this.tokens.get(mint)!.id));
  }

  /** Of each token the last change of the pool that it is in: it may just have left another one. */
  #latestOf(pools: readonly MarketPool[]): MarketPool[] {
    const known = pools.filter(({ mint, pool }) => this.tokens.get(mint)?.pool === pool);
    return [...new Map(known.map((pool) => [pool.mint, pool])).values()];
  }

  /** After the trades of its batch, which tell whether one of them came later. */
  async #writePools(sql: Sql, known: readonly MarketPool[]): Promise<void> {
    if (known.length === 0) return;
    await sql.write(
      `update token_stats s set pool_lamports = v.lamports, pool_tokens = v.units,
         liquidity_usd = coalesce(trunc(2 * v.lamports * v.sol_usd / 1000000000), s.liquidity_usd)
       from unnest($1::int[], $2::bigint[], $3::numeric[], $4::numeric[], $5::numeric[])
         v (token_id, seq, lamports, units, sol_usd)
       where s.token_id = v.token_id and v.seq > s.last_seq`,
      [
        known.map(({ mint }) => this.tokens.get(mint)!.id),
        known.map(({ seq }) => seq),
        known.map(({ lamports: held }) => held),
        ...columnsOf(known, 'units', 'solUsdMicro'),
      ],
    );
  }

  async #storing<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    try {
      return await this.#writes.transaction(work);
    } catch (error) {
      // Perhaps because somebody wrote holders without a word: the next attempt asks for all of them.
      this.storedPairs.forgetAll();
      throw error;
    }
  }

  #price({ trade, tokenId, traderId }: PlacedTrade, prices: TradePrices): StoredTrade {
    const priceSol = prices.of(tokenId, trade, this.tokens.get(trade.mint)!.decimals);
    const priceUsd = usdOf(priceSol, trade);
    return {
      tokenId,
      traderId,
      mint: trade.mint,
      wallet: trade.wallet,
      signature: trade.signature,
      seq: trade.seq,
      atMs: trade.atMs,
      isBuy: trade.isBuy,
      lamports: trade.lamports,
      baseUnits: trade.baseUnits,
      arrivedUnits: trade.arrivedUnits,
      unitsAfter: trade.walletUnitsAfter,
      priceSol,
      priceUsd,
      valueUsd: (trade.lamports * trade.solUsdMicro) / LAMPORTS_PER_SOL,
      solUsdMicro: trade.solUsdMicro,
      poolLamportsAfter: trade.poolLamportsAfter,
      poolUnitsAfter: trade.poolUnitsAfter,
      feeLamports: trade.feeLamports,
    };
  }
}

/** Oldest first, each once: a source may repeat a trade inside one batch. */
function inOrder(trades: PlacedTrade[]): PlacedTrade[] {
  trades.sort((a, b) => (a.trade.seq < b.trade.seq ? -1 : a.trade.seq > b.trade.seq ? 1 : a.tokenId - b.tokenId));
  return trades.filter((one, index) => {
    const last = trades[index - 1];
    return last === undefined || last.trade.seq !== one.trade.seq || last.tokenId !== one.tokenId;
  });
}

function usdOf(priceSol: bigint, { solUsdMicro }: Pick<MarketTrade, 'solUsdMicro'>): bigint {
  return (priceSol * solUsdMicro) / MICRO;
}

/**
 * Anybody can trade a base unit of an 18-decimal token at any price. What the columns cannot hold would have the whole batch refused, and the
 * market of all tokens stand still; nobody deals at it.
 */
function isPriceKept(trade: MarketTrade, token: TokenRow): boolean {
  const priceSol = priceOfTrade(lamports(trade.lamports), baseUnits(trade.baseUnits), token.decimals);
  const priceUsd = usdOf(priceSol, trade);
  return priceSol < FIGURE_MAX && priceUsd < FIGURE_MAX && marketCapOf({ priceUsd }, token) < FIGURE_MAX;
}

function marketCapOf({ priceUsd }: Pick<StoredTrade, 'priceUsd'>, { supply, decimals }: TokenRow): bigint {
  return (priceUsd * supply) / powerOfTen(decimals + PRICE_TO_MICRO_DECIMALS);
}
