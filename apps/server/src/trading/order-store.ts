import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { Database, Sql } from '../platform/postgres.ts';
import { postEntries } from '../ledger/journal.ts';
import { enqueueAll, type OrderEnded } from './order-events.ts';
import type { HeldOrder, Order, OrderAttempt, OrderWallet } from './order.ts';
import { releaseEntry } from './order-postings.ts';

export const ORDER_COLUMNS = `o.id, o.user_id as "userId", o.book_id as "bookId", k.kind as "bookKind", o.kind,
  o.parent_id as "parentId", o.round_id as "roundId", o.side, o.mint, o.amount_in as "amountIn",
  o.slippage_bps as "slippageBps", o.state, o.hold_lamports as "holdLamports", o.hold_tokens as "holdTokens",
  o.min_out as "minOut", o.attempts, o.error, o.signature, o.slot, o.filled_in as "filledIn", o.filled_out as "filledOut",
  o.fee_lamports as "feeLamports", o.venue_fee_lamports as "venueFeeLamports", o.rent_lamports as "rentLamports",
  o.created_at as "createdAt", o.settled_at as "settledAt"`;

const FROM_ORDERS = `from trade_order o join book k on k.id = o.book_id`;

/** In the order of the ids; ids that do not exist are left out. */
export async function loadOrders(sql: Sql, ids: readonly string[]): Promise<Order[]> {
  if (ids.length === 0) return [];
  const rows = await sql.query<Order>(`select ${ORDER_COLUMNS} ${FROM_ORDERS} where o.id = any($1::uuid[])`, [ids]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function loadOrderOf(sql: Sql, userId: string, id: string): Promise<Order | null> {
  const [order] = await loadOrders(sql, [id]);
  return order?.userId === userId ? order : null;
}

type UnfinishedRow = Order &
  OrderWallet & {
    attempt: number | null;
    attemptSignature: string | null;
    wire: Uint8Array | null;
    venueRequest: string | null;
    venueParticipant: string | null;
    lastValidBlockHeight: bigint | null;
  };

export type UnfinishedOrder = HeldOrder & { live: OrderAttempt | null };

/** Orders whose end is open, oldest first, with the transaction that may be on its way. */
export async function loadUnfinished(
  sql: Sql,
  options: { limit: number; before: Date; exclude: readonly string[] },
): Promise<UnfinishedOrder[]> {
  const rows = await sql.query<UnfinishedRow>(
    `select ${ORDER_COLUMNS}, w.id as "walletId", w.address, w.envelope, a.attempt, a.signature as "attemptSignature", a.wire,
       a.venue_request as "venueRequest", a.venue_participant as "venueParticipant",
       a.last_valid_block_height as "lastValidBlockHeight"
     ${FROM_ORDERS} join wallet w on w.user_id = o.user_id
       left join order_attempt a on a.order_id = o.id and a.state = 'live'
     where o.state in ('held', 'sent') and o.created_at <= $2
       and o.id <> all($3::uuid[])
     order by o.created_at limit $1`,
    [options.limit, options.before, options.exclude],
  );
  return rows.map((row) => {
    const { walletId, address, envelope, attempt, attemptSignature, wire, venueRequest, ...rest } = row;
    const { venueParticipant, lastValidBlockHeight, ...order } = rest;
    return {
      order,
      wallet: { walletId, address, envelope },
      live:
        attempt === null
          ? null
          : {
              orderId: order.id,
              attempt,
              signature: attemptSignature!,
              wire: wire!,
              venueRequest: venueRequest!,
              venueParticipant,
              lastValidBlockHeight: lastValidBlockHeight!,
            },
    };
  });
}

export type SignedOrder = { attempt: OrderAttempt; minOut: bigint };

/**
 * Commits signed bytes before anybody else sees them; from here on the order counts as sent. Answers which of them may go
 * out: not those whose order is no longer waiting for a signature.
 */
export async function recordAttempts(sql: Sql, signed: readonly SignedOrder[], sender: string): Promise<boolean[]> {
  const rows = await sql.query<{ orderId: string }>(
    `with v as (
       select * from unnest($1::uuid[], $2::int[], $3::text[], $4::bytea[], $5::text[], $6::text[], $7::bigint[],
         $8::numeric[]) v (order_id, attempt, signature, wire, request, participant, height, min_out)
     ), moved as (
       update trade_order o set state = 'sent', attempts = v.attempt, min_out = coalesce(o.min_out, v.min_out)
       from v where o.id = v.order_id and o.state = 'held' returning o.id
     )
     insert into order_attempt (order_id, attempt, signature, wire, venue_request, venue_participant,
       last_valid_block_height, sender)
     select v.order_id, v.attempt, v.signature, v.wire, v.request, v.participant, v.height, $9
     from v join moved on moved.id = v.order_id returning order_id as "orderId"`,
    [
      signed.map(({ attempt }) => attempt.orderId),
      signed.map(({ attempt }) => attempt.attempt),
      signed.map(({ attempt }) => attempt.signature),
      signed.map(({ attempt }) => Buffer.from(attempt.wire)),
      signed.map(({ attempt }) => attempt.venueRequest),
      signed.map(({ attempt }) => attempt.venueParticipant),
      signed.map(({ attempt }) => attempt.lastValidBlockHeight),
      signed.map(({ minOut }) => minOut),
      sender,
    ],
  );
  const recorded = new Set(rows.map((row) => row.orderId));
  return signed.map(({ attempt }) => recorded.has(attempt.orderId));
}

/** Takes live attempts over from whoever sent them; answers whose are still live. */
export async function claimAttempts(
  sql: Sql,
  attempts: readonly OrderAttempt[],
  sender: string,
): Promise<ReadonlySet<string>> {
  if (attempts.length === 0) return new Set();
  const rows = await sql.query<{ signature: string }>(
    `update order_attempt set sender = $2 where signature = any($1::text[]) and state = 'live' returning signature`,
    [attempts.map((attempt) => attempt.signature), sender],
  );
  return new Set(rows.map((row) => row.signature));
}

/**
 * Ends a live attempt that provably did not and cannot happen; its order waits for a new signature. A refusal is proof for
 * the one who may send it only. False where the attempt is no longer live or somebody else's by now.
 */
export async function withdrawAttempt(
  sql: Sql,
  attempt: OrderAttempt,
  end: { state: 'expired' } | { state: 'refused'; sender: string },
): Promise<boolean> {
  const rows = await sql.query(
    `with ended as (
       update order_attempt set state = $3
       where order_id = $1 and attempt = $2 and state = 'live' and ($4::text is null or sender = $4) returning order_id
     )
     update trade_order o set state = 'held' from ended where o.id = ended.order_id and o.state = 'sent' returning o.id`,
    [attempt.orderId, attempt.attempt, end.state, end.state === 'refused' ? end.sender : null],
  );
  return rows.length > 0;
}

/** Gives orders up that have no transaction on its way, and releases what they held. */
export async function killOrders(
  database: Database,
  rows: readonly { id: string; error: ErrorName }[],
  at: Date,
): Promise<Order[]> {
  if (rows.length === 0) return [];
  return database.transaction(async (sql) => {
    await sql.query(`select 1 from trade_order where id = any($1::uuid[]) order by id for update`, [
      rows.map((row) => row.id),
    ]);
    const killed = await sql.query<Order>(
      `update trade_order o set state = 'dead', error = v.error, settled_at = $3
       from unnest($1::uuid[], $2::text[]) v (id, error), book k
       where o.id = v.id and o.state = 'held' and k.id = o.book_id returning ${ORDER_COLUMNS}`,
      [rows.map((row) => row.id), rows.map((row) => row.error), at],
    );
    await postEntries(
      sql,
      killed.map((order) => releaseEntry(order, at)),
    );
    await enqueueAll(sql, 'order-failed', 'orders', killed.map(orderEnded));
    return killed;
  });
}

export function orderEnded(order: Order): OrderEnded {
  const { id, userId, bookId, kind, parentId, roundId, mint, side, error } = order;
  return { orderId: id, userId, bookId, kind, parentId, roundId, mint, side, error };
}
