import { priceOfTrade } from '@hunter/domain/price';
import type { Database, Sql } from '../platform/postgres.ts';
import { mergeCandles, type PricedTrade } from './candle-batch.ts';
import { applyHolders, type HolderTrade } from './holder-batch.ts';
import type { MarketSink, MarketToken, MarketTrade } from './market-source.ts';
import { TokenDirectory } from './token-directory.ts';
import { TraderDirectory } from './trader-directory.ts';

const MICRO = 1_000_000n;
const LAMPORTS_PER_SOL = 1_000_000_000n;

export type StoredTrade = PricedTrade &
  HolderTrade & { mint: string; wallet: string; signature: string; priceSol: bigint; solUsdMicro: bigint };

type Listener = (trades: readonly StoredTrade[]) => void;

/** Writes trades with everything that follows from them in one transaction with the source's cursor. */
export class MarketStore implements MarketSink {
  readonly tokens: TokenDirectory;
  readonly #database: Database;
  readonly #traders = new TraderDirectory();
  readonly #flagsOf: (token: MarketToken) => string[];
  readonly #shown: (token: MarketToken) => { name: string; symbol: string };
  readonly #listeners = new Set<Listener>();

  /** `flagsOf` judges the name as the outside gave it; `shown` is what is kept of it for display. */
  constructor(
    database: Database,
    flagsOf: (token: MarketToken) => string[],
    shown: (token: MarketToken) => { name: string; symbol: string },
  ) {
    this.#database = database;
    this.#flagsOf = flagsOf;
    this.#shown = shown;
    this.tokens = new TokenDirectory(database);
  }

  /** Called after the commit with the trades that were new, oldest first. */
  onTrades(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async loadCursor(source: string): Promise<unknown> {
    const rows = await this.#database.query<{ cursor: unknown }>(`select cursor from market_cursor where source = $1`, [
      source,
    ]);
    return rows[0]?.cursor ?? null;
  }

  async storeTokens(tokens: readonly MarketToken[]): Promise<void> {
    // A source may list the same token in several of its lists.
    const distinct = [...new Map(tokens.map((token) => [token.mint, token])).values()];
    await this.tokens.save(distinct.map((token) => ({ ...token, ...this.#shown(token), flags: this.#flagsOf(token) })));
  }

  async storeTrades(trades: readonly MarketTrade[], source: string, cursor: unknown): Promise<void> {
    const known = trades.filter((trade) => this.tokens.get(trade.mint) && trade.baseUnits > 0n && trade.lamports > 0n);
    const traderIds = await this.#traders.idsOf(
      this.#database,
      known.map((trade) => trade.wallet),
    );
    const priced = known.map((trade) => this.#price(trade, traderIds.get(trade.wallet)!));
    const fresh = await this.#database.transaction(async (sql) => {
      const added = priced.length === 0 ? [] : await insertTrades(sql, priced);
      if (added.length > 0) {
        await mergeCandles(sql, added);
        const holderChanges = await applyHolders(sql, added);
        await updateStats(sql, added, holderChanges, known);
      }
      await sql.query(
        `insert into market_cursor (source, cursor) values ($1, $2)
         on conflict (source) do update set cursor = excluded.cursor, updated_at = now()`,
        [source, JSON.stringify(cursor)],
      );
      return added;
    });
    if (fresh.length > 0) for (const listener of this.#listeners) listener(fresh);
  }

  #price(trade: MarketTrade, traderId: number): StoredTrade {
    const token = this.tokens.get(trade.mint)!;
    const priceSol = priceOfTrade(trade.lamports, trade.baseUnits, token.decimals);
    return {
      tokenId: token.id,
      traderId,
      mint: trade.mint,
      wallet: trade.wallet,
      signature: trade.signature,
      seq: trade.seq,
      atMs: trade.atMs,
      isBuy: trade.isBuy,
      lamports: trade.lamports,
      baseUnits: trade.baseUnits,
      unitsAfter: trade.walletUnitsAfter,
      priceSol,
      priceUsd: (priceSol * trade.solUsdMicro) / MICRO,
      valueUsd: (trade.lamports * trade.solUsdMicro) / LAMPORTS_PER_SOL,
      solUsdMicro: trade.solUsdMicro,
    };
  }
}

/** Answers only those that were not there before, oldest first. */
async function insertTrades(sql: Sql, trades: readonly StoredTrade[]): Promise<StoredTrade[]> {
  const rows = await sql.query<{ token_id: number; seq: bigint }>(
    `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
     select * from unnest($1::int[], $2::bigint[], $3::timestamptz[], $4::bool[], $5::numeric[], $6::numeric[],
                          $7::numeric[], $8::numeric[], $9::numeric[], $10::int[], $11::text[])
     on conflict do nothing returning token_id, seq`,
    [
      trades.map((trade) => trade.tokenId),
      trades.map((trade) => trade.seq),
      trades.map((trade) => new Date(trade.atMs)),
      trades.map((trade) => trade.isBuy),
      trades.map((trade) => trade.lamports),
      trades.map((trade) => trade.baseUnits),
      trades.map((trade) => trade.priceSol),
      trades.map((trade) => trade.priceUsd),
      trades.map((trade) => trade.valueUsd),
      trades.map((trade) => trade.traderId),
      trades.map((trade) => trade.signature),
    ],
  );
  const added = new Set(rows.map((row) => `${row.token_id}:${row.seq}`));
  const seen = new Set<string>();
  return trades
    .filter((trade) => {
      const key = `${trade.tokenId}:${trade.seq}`;
      if (!added.has(key) || seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .sort((a, b) => (a.seq < b.seq ? -1 : 1));
}

async function updateStats(
  sql: Sql,
  trades: readonly StoredTrade[],
  holderChanges: ReadonlyMap<number, number>,
  reported: readonly MarketTrade[],
): Promise<void> {
  const poolAfter = new Map(reported.map((trade) => [`${trade.mint}:${trade.seq}`, trade]));
  const latest = new Map<number, { trade: StoredTrade; count: number }>();
  for (const trade of trades) latest.set(trade.tokenId, { trade, count: (latest.get(trade.tokenId)?.count ?? 0) + 1 });
  const rows = [...latest.entries()]
    .sort(([a], [b]) => a - b)
    .map(([tokenId, { trade, count }]) => {
      const pool = poolAfter.get(`${trade.mint}:${trade.seq}`);
      return { tokenId, trade, count, lamports: pool?.poolLamportsAfter ?? null, units: pool?.poolUnitsAfter ?? null };
    });
  await sql.query(
    `update token_stats s set
       trades = s.trades + n.count, holders = greatest(0, s.holders + n.holders),
       last_seq = greatest(s.last_seq, n.seq),
       last_trade_at = case when n.seq > s.last_seq then n.at else s.last_trade_at end,
       price_sol = case when n.seq > s.last_seq then n.price_sol else s.price_sol end,
       price_usd = case when n.seq > s.last_seq then n.price_usd else s.price_usd end,
       pool_lamports = case when n.seq > s.last_seq then coalesce(n.pool_lamports, s.pool_lamports) else s.pool_lamports end,
       pool_tokens = case when n.seq > s.last_seq then coalesce(n.pool_tokens, s.pool_tokens) else s.pool_tokens end,
       market_cap_usd = case when n.seq > s.last_seq
         then trunc(n.price_usd * t.supply / (10::numeric ^ (t.decimals + 12))) else s.market_cap_usd end,
       -- Both sides of the pool: a constant product keeps them equal in value.
       liquidity_usd = case when n.seq > s.last_seq
         then trunc(2 * coalesce(n.pool_lamports, s.pool_lamports) * n.sol_usd / 1000000000) else s.liquidity_usd end
     from unnest($1::int[], $2::int[], $3::int[], $4::bigint[], $5::timestamptz[], $6::numeric[], $7::numeric[],
                 $8::numeric[], $9::numeric[], $10::numeric[])
          as n (token_id, count, holders, seq, at, price_sol, price_usd, pool_lamports, pool_tokens, sol_usd)
     join token t on t.id = n.token_id
     where s.token_id = n.token_id`,
    [
      rows.map((row) => row.tokenId),
      rows.map((row) => row.count),
      rows.map((row) => holderChanges.get(row.tokenId) ?? 0),
      rows.map((row) => row.trade.seq),
      rows.map((row) => new Date(row.trade.atMs)),
      rows.map((row) => row.trade.priceSol),
      rows.map((row) => row.trade.priceUsd),
      rows.map((row) => row.lamports),
      rows.map((row) => row.units),
      rows.map((row) => row.trade.solUsdMicro),
    ],
  );
}
