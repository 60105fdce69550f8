import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import type { Sql } from '../../platform/postgres.ts';
import { columnsOf } from '../../platform/columns-of.ts';

export type NewEvent = {
  strategyId: string;
  reference: string;
  kind: 'trade' | 'flow';
  side: 'buy' | 'sell' | 'in' | 'out';
  mint: Address | null;
  tokens: BaseUnits | null;
  lamports: Lamports;
  feeLamports: Lamports;
  signature: string | null;
  at: Date;
};

export async function insertEvents(sql: Sql, events: readonly (NewEvent & { nav: bigint })[]): Promise<void> {
  if (events.length === 0) return;
  await sql.write(
    `insert into strategy_event (strategy_id, reference, kind, side, mint, tokens, lamports, fee_lamports, signature, at, nav)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[], $7::numeric[],
       $8::numeric[], $9::text[], $10::timestamptz[], $11::numeric[])
     on conflict on constraint strategy_event_once do nothing`,
    [
      ...columnsOf(events, 'strategyId', 'reference', 'kind', 'side', 'mint', 'tokens', 'lamports', 'feeLamports'),
      ...columnsOf(events, 'signature', 'at', 'nav'),
    ],
  );
}
