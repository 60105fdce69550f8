import { STANDS } from '../ledger/journal.ts';
import type { Sql } from '../platform/postgres.ts';

const NETWORK = `coalesce(trunc(f.fee_lamports * least(coalesce(n.amount, f.fee_lamports), 5000 * t.signatures)
    / nullif(coalesce(n.amount, f.fee_lamports), 0)), 0)`;

/**
 * The fees of fills `f`, as columns for a select. What a book paid for its part of a transaction is split in the proportion of the
 * whole: 5,000 lamports per signature are the network's, the rest is priority. The venue's fee is inside the price; the order has
 * that of its own part, which gives the others theirs. Base fees round down, venue fees up.
 */
export const FILL_FEES = `
  ${NETWORK}::numeric(40, 0) as network, (f.fee_lamports - ${NETWORK})::numeric(40, 0) as priority,
  case when f.kind in ('buy', 'sell')
    then coalesce(ceil(f.lamports * o.venue_fee_lamports / nullif(case o.side when 'buy' then o.filled_in else o.filled_out end, 0)), 0)
    else 0 end::numeric(40, 0) as venue`;

/**
 * A transaction of the newer form begins with its version, and the number of signatures comes after it. Only in a round is the fee of
 * a fill a part of the transaction's.
 */
export const FROM_FILL_FEES = `from standing_fill f
  left join trade_order o on o.id = f.order_id
  left join lateral (
    select case when get_byte(s.wire, 0) < 128 then get_byte(s.wire, 0) else get_byte(s.wire, 1) end as signatures
    from signed_transaction s where s.signature = f.signature) t on true
  left join lateral (
    select p.amount from journal_entry e join posting p on p.entry_id = e.id
    where o.is_round and e.kind in ('order-fill', 'order-failed') and e.reference = f.order_id::text
      and p.account = 'network-fee' limit 1) n on true`;

export type FeesPaid = { network: bigint; priority: bigint; venue: bigint; trades: number };

export async function loadFeesPaid(sql: Sql, userId: string): Promise<FeesPaid> {
  const [trades, transfers, withdrawals] = await Promise.all([
    sql.query<FeesPaid>(
      `select coalesce(sum(network), 0)::numeric(40, 0) as network, coalesce(sum(priority), 0)::numeric(40, 0) as priority,
         coalesce(sum(venue), 0)::numeric(40, 0) as venue, count(*) filter (where kind in ('buy', 'sell'))::int as trades
       from (select f.kind, ${FILL_FEES} ${FROM_FILL_FEES} where f.user_id = $1 and f.kind in ('buy', 'sell', 'failed')) x`,
      [userId],
    ),
    // Transfers move SOL between books of one user: what his books lose together is the fee.
    sql.query<{ paid: bigint }>(
      `select coalesce(-sum(p.amount), 0)::numeric(40, 0) as paid
       from posting p join book k on k.id = p.book_id join journal_entry e on e.id = p.entry_id
       where k.user_id = $1 and k.kind <> 'unclaimed' and p.asset = 'SOL'
         and e.kind in ('commit', 'return', 'transfer-failed', 'rent-return', 'rent-return-failed') and ${STANDS}
         and not exists (select 1 from posting x join book b on b.id = x.book_id
                         where x.entry_id = e.id and b.kind = 'unclaimed')`,
      [userId],
    ),
    sql.query<{ paid: bigint }>(
      `select coalesce(sum(n.amount), 0)::numeric(40, 0) as paid
       from withdrawal w join journal_entry e on e.kind = 'withdrawal' and e.reference = w.id::text
         join posting n on n.entry_id = e.id and n.account = 'network-fee'
       where w.user_id = $1`,
      [userId],
    ),
  ]);
  const { network, ...rest } = trades[0]!;
  return { ...rest, network: network + transfers[0]!.paid + withdrawals[0]!.paid };
}
