import { STANDS } from '../ledger/journal.ts';
import type { Sql } from '../platform/postgres.ts';
import type { NewEvent } from '../strategies/performance/record-events.ts';

/**
 * What happened in strategy books and is not in the public record yet, oldest first. A failed transaction is part of it, and so is the
 * one that brought a token account's deposit back, or was to: their fees were paid. After its end a strategy's accounts are closed from
 * what its wallet kept, and nothing of that belongs to what it returned. Found by what is missing and not by a position in the list,
 * because fills of one book may commit out of order.
 */
export async function loadUnrecorded(sql: Sql, strategyIds: readonly string[]): Promise<NewEvent[]> {
  // Named one by one, so that the fills of all other books are not read to be thrown away.
  const books = await sql.query<{ id: string }>(`select book_id as id from strategy where id = any($1::uuid[])`, [
    strategyIds,
  ]);
  // `offset 0`: each is looked up by its own reference. As a join, all events of a strategy are compared with each of its fills.
  // A block knows whole seconds only: of what has one time, a purchase was posted before its sale.
  return sql.query<NewEvent>(
    `select "strategyId", reference, kind, side, mint, tokens, lamports, "feeLamports", signature, at from (
     select s.id as "strategyId", 'fill:' || f.id as reference, 'trade' as kind,
       case f.kind when 'failed' then o.side else f.kind end as side, f.mint,
       case f.kind when 'failed' then null else f.tokens end as tokens,
       f.lamports, f.fee_lamports as "feeLamports", f.signature, f.at, f.slot, f.id
     from strategy s join standing_fill f on f.book_id = s.book_id left join trade_order o on o.id = f.order_id
     where s.id = any($1::uuid[]) and f.book_id = any($2::uuid[]) and f.kind in ('buy', 'sell', 'failed')
       and not exists (select 1 from strategy_event e where e.strategy_id = s.id and e.reference = 'fill:' || f.id offset 0)
     union all
     select s.id, 'rent:' || e.id, 'flow', 'in', null, null, 0, p.amount, e.signature, e.at, e.slot, e.id
     from strategy s join posting c on c.book_id = s.book_id and c.asset = 'SOL' and c.account = 'cash'
       join journal_entry e on e.id = c.entry_id and e.kind in ('rent-return', 'rent-return-failed')
       join posting p on p.entry_id = e.id and p.account = 'network-fee'
     where s.id = any($1::uuid[]) and s.status <> 'ended'
       and ${STANDS}
       and not exists (select 1 from strategy_event x where x.strategy_id = s.id and x.reference = 'rent:' || e.id offset 0)
     ) happened order by at, slot, id`,
    [strategyIds, books.map(({ id }) => id)],
  );
}
