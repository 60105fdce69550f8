import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { CopyLimitReason, CopySkipReason } from '@hunter/domain/copy-skip';
import type { Side } from '@hunter/domain/swap-maths';
import type { Sql } from '../../platform/postgres.ts';

export type NewRound = {
  id: string;
  strategyId: string;
  side: Side;
  mint: string;
  amountIn: bigint;
  creatorBefore: bigint;
};

export type NewCopy = {
  followId: string;
  orderId: string | null;
  /** Before its limits; null where it was not asked for. */
  wantedIn: bigint | null;
  amountIn: bigint | null;
  limitedBy: CopyLimitReason | null;
  runUpLamports: bigint;
  costLamports: bigint;
  reason: CopySkipReason | null;
};

/** The round and every intent of it, in the caller's transaction: they exist together or not at all. */
export async function insertRound(sql: Sql, round: NewRound, copies: readonly NewCopy[], at: Date): Promise<void> {
  await sql.query(
    `insert into copy_round (id, strategy_id, side, mint, amount_in, creator_before, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [round.id, round.strategyId, round.side, round.mint, round.amountIn, round.creatorBefore, at],
  );
  if (copies.length === 0) return;
  await sql.query(
    `insert into copy (follow_id, round_id, side, state, order_id, amount_in, reason, created_at, settled_at, wanted_in,
       limited_by, run_up_lamports, cost_lamports)
     select v.follow_id, $1, $2, case when v.reason is null then 'pending' else 'skipped' end, v.order_id, v.amount_in,
       v.reason, $3, case when v.reason is null then null else $3::timestamptz end, v.wanted_in, v.limited_by, v.run_up, v.cost
     from unnest($4::uuid[], $5::uuid[], $6::numeric[], $7::text[], $8::numeric[], $9::text[], $10::numeric[], $11::numeric[])
       v (follow_id, order_id, amount_in, reason, wanted_in, limited_by, run_up, cost)`,
    [
      round.id,
      round.side,
      at,
      copies.map((copy) => copy.followId),
      copies.map((copy) => copy.orderId),
      copies.map((copy) => copy.amountIn),
      copies.map((copy) => copy.reason),
      copies.map((copy) => copy.wantedIn),
      copies.map((copy) => copy.limitedBy),
      copies.map((copy) => copy.runUpLamports),
      copies.map((copy) => copy.costLamports),
    ],
  );
}

/** A creator's order that was refused before it began leaves nothing to copy and nothing to explain. */
export async function removeRound(sql: Sql, roundId: string): Promise<void> {
  await sql.query(`delete from copy_round where id = $1`, [roundId]);
}

/** What a follower is told when the order of a copy ended with this error; every other one was the venue's refusal. */
const SKIP_OF_ERROR = {
  STRATEGY_ENDED: 'follow-closing',
  INSUFFICIENT_BALANCE: 'insufficient-balance',
  NOTHING_TO_SELL: 'nothing-to-sell',
  AMOUNT_TOO_SMALL: 'scaled-to-nothing',
  PRICE_MOVED: 'price-moved',
  TRADE_FAILED: 'failed-on-chain',
} as const satisfies Partial<Record<ErrorName, CopySkipReason>>;
const OTHERWISE: CopySkipReason = 'venue-refused';

/** Takes SKIP_OF_ERROR as its third parameter and OTHERWISE as its fourth. */
const SKIP_REASON = `case
  when o.state = 'failed' then 'failed-on-chain'
  when l.state = 'dead' and o.attempts = 0 and o.error is distinct from 'STRATEGY_ENDED' then 'creator-failed'
  else coalesce($3::jsonb ->> o.error, $4::text) end`;

export type SettledCopy = { followId: string; roundId: string };

/**
 * Takes over what the orders of copies have become, in one statement however many they are. Repeating it changes nothing. Rows are
 * locked in one order, because an event and the round itself may come at the same time. They are found again by their
 * order, which is theirs alone: by their round, a plan may look at all copies of the round for each of them.
 */
export async function settleCopies(
  sql: Sql,
  which: { roundIds: readonly string[] } | { orderIds: readonly string[] },
  at: Date,
): Promise<SettledCopy[]> {
  const byRound = 'roundIds' in which;
  return sql.query<SettledCopy>(
    `with due as (
       select c.order_id, o.state in ('confirmed', 'finalized') as filled, ${SKIP_REASON} as reason,
         o.filled_in, o.filled_out, o.fee_lamports, o.signature, coalesce(o.settled_at, $2) as at
       from copy c join trade_order o on o.id = c.order_id left join trade_order l on l.id = c.round_id
       where c.${byRound ? 'round_id' : 'order_id'} = any($1::uuid[]) and c.state = 'pending'
         and o.state in ('confirmed', 'finalized', 'failed', 'dead')
       order by c.follow_id, c.round_id for update of c
     )
     update copy c set state = case when d.filled then 'filled' else 'skipped' end,
       reason = case when d.filled then null else d.reason end, filled_in = d.filled_in, filled_out = d.filled_out,
       fee_lamports = d.fee_lamports, signature = d.signature, settled_at = d.at
     from due d where c.order_id = d.order_id and c.state = 'pending'
     returning c.follow_id as "followId", c.round_id as "roundId"`,
    [byRound ? which.roundIds : which.orderIds, at, JSON.stringify(SKIP_OF_ERROR), OTHERWISE],
  );
}

/** Intents that never became an order: whoever was to hand them over is gone, and the price they were meant for too. */
export async function expireUnplaced(sql: Sql, roundIds: readonly string[], at: Date): Promise<void> {
  await sql.query(
    `update copy c set state = 'skipped', reason = 'expired', settled_at = $2
     where c.round_id = any($1::uuid[]) and c.state = 'pending'
       and not exists (select 1 from trade_order o where o.id = c.order_id)`,
    [roundIds, at],
  );
}

export async function finishRounds(sql: Sql, roundIds: readonly string[]): Promise<void> {
  await sql.query(
    `update copy_round r set state = 'done' where r.id = any($1::uuid[]) and r.state = 'planned'
       and not exists (select 1 from copy c where c.round_id = r.id and c.state = 'pending')`,
    [roundIds],
  );
}
