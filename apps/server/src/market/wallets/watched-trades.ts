import type { Address } from '@hunter/solana/address';
import type { Sql } from '../../platform/postgres.ts';

export type WatchedTradeRow = {
  address: string;
  seq: bigint;
  mint: Address;
  isBuy: boolean;
  lamports: bigint;
  baseUnits: bigint;
  at: Date;
  signature: string;
  /** What the wallet had of the token after it; null where nobody knows, below zero where transfers or taxes came in between. */
  heldAfter: bigint | null;
  /** Whether the wallet had traded the token before. */
  isFirst: boolean;
};

/**
 * Trades of some wallets after a place in the store, those of each wallet oldest first; one with many holds up no other. A transaction
 * that traded several tokens comes whole, even where that is more than `limit`.
 */
export function loadWatchedTrades(
  sql: Sql,
  watched: readonly { address: string; afterSeq: bigint }[],
  limit: number,
): Promise<WatchedTradeRow[]> {
  return sql.query<WatchedTradeRow>(
    `select r.address, x.seq, t.mint, x.is_buy as "isBuy", x.lamports, x.base_units as "baseUnits", x.at, x.signature,
       (h.amount - coalesce((select sum(case when l.is_buy then l.base_units else -l.base_units end) from trade l
         where l.trader_id = r.id and l.token_id = x.token_id and l.seq > x.seq), 0))::numeric(40, 0) as "heldAfter",
       not exists (select 1 from trade e where e.trader_id = r.id and e.token_id = x.token_id and e.seq < x.seq) as "isFirst"
     from unnest($1::text[], $2::bigint[]) w (address, after_seq)
     join trader r on r.address = w.address
     join lateral (select * from trade where trader_id = r.id and seq > w.after_seq order by seq
       fetch first ($3) rows with ties) x on true
     join token t on t.id = x.token_id
     left join holder h on h.token_id = x.token_id and h.trader_id = r.id
     order by dense_rank() over (partition by r.id order by x.seq), x.seq fetch first ($3) rows with ties`,
    [watched.map(({ address }) => address), watched.map(({ afterSeq }) => afterSeq), limit],
  );
}

/** The newest trade of the store. */
export async function newestSeq(sql: Sql): Promise<bigint> {
  const rows = await sql.query<{ seq: bigint }>(`select coalesce(max(newest_seq), 0) as seq from market_cursor`);
  return rows[0]?.seq ?? 0n;
}
