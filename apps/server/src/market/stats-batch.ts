import { LAMPORTS_PER_SOL } from '@hunter/domain/numbers/lamports';
import { bigint, int, numeric, selecting, timestamptz, valuesOf, type Columns, type Statement } from './bulk-rows.ts';
import type { StoredTrade } from './stored-trade.ts';

type StatsRow = {
  first: StoredTrade;
  trade: StoredTrade;
  count: number;
  feeLamports: bigint | null;
  holders: number;
  marketCap: bigint;
};

const COLUMNS: Columns<StatsRow> = {
  token_id: int(({ trade }) => trade.tokenId),
  count: int(({ count }) => count),
  holders: int(({ holders }) => holders),
  seq: bigint(({ trade }) => trade.seq),
  at: timestamptz(({ trade }) => trade.atMs),
  price_sol: numeric(({ trade }) => trade.priceSol),
  price_usd: numeric(({ trade }) => trade.priceUsd),
  pool_lamports: numeric(({ trade }) => trade.poolLamportsAfter),
  pool_tokens: numeric(({ trade }) => trade.poolUnitsAfter),
  market_cap: numeric(({ marketCap }) => marketCap),
  liquidity: numeric(({ trade }) => liquidityOf(trade)),
  sol_usd: numeric(({ trade }) => trade.solUsdMicro),
  first_price: numeric(({ first }) => first.priceUsd),
  fees: numeric(({ feeLamports }) => feeLamports),
};

/** What trades change in the figures of their tokens. */
export function statsBatch(
  trades: readonly StoredTrade[],
  holderChanges: ReadonlyMap<number, number>,
  capOf: (trade: StoredTrade) => bigint,
): Statement {
  const latest = new Map<number, StatsRow>();
  for (const trade of trades) {
    const row = latest.get(trade.tokenId);
    if (row) {
      row.trade = trade;
      row.count += 1;
      row.feeLamports = sumOf(row.feeLamports, trade.feeLamports);
    } else {
      const holders = holderChanges.get(trade.tokenId) ?? 0;
      latest.set(trade.tokenId, {
        first: trade,
        trade,
        count: 1,
        feeLamports: trade.feeLamports,
        holders,
        marketCap: 0n,
      });
    }
  }
  const rows = [...latest.values()].sort((a, b) => a.trade.tokenId - b.trade.tokenId);
  for (const row of rows) row.marketCap = capOf(row.trade);
  return {
    text: `update token_stats s set
       first_price_usd = coalesce(s.first_price_usd, n.first_price), fees_lamports = s.fees_lamports + n.fees,
       trades = s.trades + n.count, holders = greatest(0, s.holders + n.holders),
       last_seq = greatest(s.last_seq, n.seq),
       last_trade_at = case when n.seq > s.last_seq then n.at else s.last_trade_at end,
       price_sol = case when n.seq > s.last_seq then n.price_sol else s.price_sol end,
       price_usd = case when n.seq > s.last_seq then n.price_usd else s.price_usd end,
       pool_lamports = case when n.seq > s.last_seq then coalesce(n.pool_lamports, s.pool_lamports) else s.pool_lamports end,
       pool_tokens = case when n.seq > s.last_seq then coalesce(n.pool_tokens, s.pool_tokens) else s.pool_tokens end,
       market_cap_usd = case when n.seq > s.last_seq then n.market_cap else s.market_cap_usd end,
       liquidity_usd = case when n.seq > s.last_seq
         then coalesce(n.liquidity, trunc(2 * s.pool_lamports * n.sol_usd / 1000000000)) else s.liquidity_usd end
     from (${selecting(COLUMNS)}) as n where s.token_id = n.token_id`,
    values: valuesOf(COLUMNS, rows),
  };
}

/** Both sides of the pool: a constant product keeps them equal in value. */
function liquidityOf({ poolLamportsAfter, solUsdMicro }: StoredTrade): bigint | null {
  return poolLamportsAfter === null ? null : (2n * poolLamportsAfter * solUsdMicro) / LAMPORTS_PER_SOL;
}

/** A sum with a part that is not known is not known. */
function sumOf(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || b === null ? null : a + b;
}
