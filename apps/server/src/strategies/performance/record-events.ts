import type { BaseUnits } from '@hunter/domain/base-units';
import type { Lamports } from '@hunter/domain/lamports';
import type { Sql } from '../../platform/postgres.ts';

export type NewEvent = {
  strategyId: string;
  reference: string;
  kind: 'trade' | 'flow';
  side: 'buy' | 'sell' | 'in' | 'out';
  mint: string | null;
  tokens: BaseUnits | null;
  lamports: Lamports;
  feeLamports: Lamports;
  signature: string | null;
  at: Date;
};

/**
 * What happened in strategy books and is not in the public record yet, oldest first. A failed transaction is part of it, and so is the
 * one that brought a token account's deposit back: their fees were paid. Found by what is missing and not by a position in the list,
 * because fills of one book may commit out of order.
 */
export async function loadUnrecorded(sql: Sql, strategyIds: readonly string[]): Promise<NewEvent[]> {
  return sql.query<NewEvent>(
    `select s.id as "strategyId", 'fill:' || f.id as reference, 'trade' as kind,
       case f.kind when 'failed' then o.side else f.kind end as side, f.mint,
       case f.kind when 'failed' then null else f.tokens end as tokens,
       f.lamports, f.fee_lamports as "feeLamports", f.signature, f.at
     from strategy s join fill f on f.book_id = s.book_id left join trade_order o on o.id = f.order_id
     where s.id = any($1::uuid[]) and f.kind in ('buy', 'sell', 'failed')
       and not exists (select 1 from strategy_event e where e.strategy_id = s.id and e.reference = 'fill:' || f.id)
     union all
     select s.id, 'rent:' || e.id, 'flow', 'in', null, null, 0, p.amount, e.signature, e.at
     from strategy s join posting c on c.book_id = s.book_id and c.asset = 'SOL' and c.account = 'cash'
       join journal_entry e on e.id = c.entry_id and e.kind = 'rent-return'
       join posting p on p.entry_id = e.id and p.account = 'network-fee'
     where s.id = any($1::uuid[])
       and not exists (select 1 from strategy_event x where x.strategy_id = s.id and x.reference = 'rent:' || e.id)
     order by at`,
    [strategyIds],
  );
}

export async function insertEvents(sql: Sql, events: readonly (NewEvent & { nav: bigint })[]): Promise<void> {
  if (events.length === 0) return;
  await sql.query(
    `insert into strategy_event (strategy_id, reference, kind, side, mint, tokens, lamports, fee_lamports, signature, at, nav)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[], $7::numeric[],
       $8::numeric[], $9::text[], $10::timestamptz[], $11::numeric[])
     on conflict on constraint strategy_event_once do nothing`,
    [
      events.map((event) => event.strategyId),
      events.map((event) => event.reference),
      events.map((event) => event.kind),
      events.map((event) => event.side),
      events.map((event) => event.mint),
      events.map((event) => event.tokens),
      events.map((event) => event.lamports),
      events.map((event) => event.feeLamports),
      events.map((event) => event.signature),
      events.map((event) => event.at),
      events.map((event) => event.nav),
    ],
  );
}
