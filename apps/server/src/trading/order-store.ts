import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { AmountOut } from '@hunter/domain/market/swap-maths';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { mulDiv } from '@hunter/domain/numbers/rounding';
import type { Database, Sql } from '../platform/postgres.ts';
import { columnsOf } from '../platform/columns-of.ts';
import { postEntries } from '../ledger/journal.ts';
import { postRoundRelease } from '../ledger/round-entries.ts';
import { isSaleOfFollows, type HeldOrder, type Order, type OrderWallet } from './order.ts';
import { releaseEntry } from './order-postings.ts';
import { enqueueRounds } from './order-events.ts';
import { skipParts } from './rounds/allocation-store.ts';
import { wholeOrder } from './rounds/round.ts';

const ORDER_COLUMNS = `o.id, o.user_id as "userId", o.book_id as "bookId", o.wallet_id as "walletId", k.kind as "bookKind", o.kind,
  o.side, o.mint, o.amount_in as "amountIn", o.swap_in as "swapIn", o.is_round as "isRound",
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

/** Locked in the order of their ids until the caller's transaction ends. */
export function lockOrders(sql: Sql, ids: readonly string[]): Promise<Order[]> {
  return sql.query<Order>(
    `select ${ORDER_COLUMNS} ${FROM_ORDERS} where o.id = any($1::uuid[]) order by o.id for update of o`,
    [ids],
  );
}

type OwnPart = Pick<Order, 'bookId' | 'bookKind' | 'amountIn' | 'filledIn' | 'filledOut' | 'feeLamports'>;

/**
 * Orders as one user has them; those of others are left out. A sale in follows stands under the strategy, but each who sells in it has
 * the part of his own book, and nobody has the others'.
 */
export async function loadOrdersOf(sql: Sql, userId: string, ids: readonly string[]): Promise<Order[]> {
  const orders = await loadOrders(sql, ids);
  const sales = orders.filter(isSaleOfFollows).map(({ id }) => id);
  const parts = new Map(sales.length === 0 ? [] : (await loadOwnParts(sql, userId, sales)).map((row) => [row.id, row]));
  return orders.flatMap((order) => {
    if (!isSaleOfFollows(order)) return order.userId === userId ? [order] : [];
    const part = parts.get(order.id);
    return part ? [{ ...order, ...part, userId, venueFeeLamports: venueFeeOf(order, part) }] : [];
  });
}

/** Of a user with several books in a sale the one that sells most. */
function loadOwnParts(sql: Sql, userId: string, ids: readonly string[]): Promise<(OwnPart & { id: string })[]> {
  return sql.query(
    `select distinct on (a.order_id) a.order_id as id, a.book_id as "bookId", k.kind as "bookKind", a.amount_in as "amountIn",
       a.filled_in as "filledIn", a.filled_out as "filledOut", a.fee_lamports as "feeLamports"
     from filled_allocation a join book k on k.id = a.book_id
     where a.user_id = $1 and a.order_id = any($2::uuid[]) and a.amount_in > 0 order by a.order_id, a.amount_in desc, a.book_id`,
    [userId, ids],
  );
}

function venueFeeOf({ venueFeeLamports: whole, filledOut }: Order, part: OwnPart): Lamports | null {
  if (whole === null || !filledOut || part.filledOut === null) return null;
  return lamports(mulDiv(whole, part.filledOut, filledOut, 'ceil'));
}

/**
 * Takes orders that wait for a signature, oldest first: no other engine finds them until `until`, whether this one is done with them by
 * then or has died.
 */
export async function takeWaiting(
  sql: Sql,
  options: { limit: number; before: Date; exclude: readonly string[]; now: Date; until: Date },
): Promise<HeldOrder[]> {
  const rows = await sql.write<Order & OrderWallet>(
    `with waiting as (
       select id from trade_order where state = 'held' and created_at <= $2 and id <> all($3::uuid[])
         and (taken_until is null or taken_until <= $4)
       order by created_at limit $1 for update skip locked
     ), taken as (
       update trade_order o set taken_until = $5 from waiting where o.id = waiting.id returning o.*
     )
     select ${ORDER_COLUMNS}, w.address, w.envelope as "sealedKey"
     from taken o join book k on k.id = o.book_id join wallet w on w.id = o.wallet_id order by o.created_at`,
    [options.limit, options.before, options.exclude, options.now, options.until],
  );
  return rows.map(({ address, sealedKey, ...order }) => ({
    order,
    wallet: { walletId: order.walletId, address, sealedKey },
  }));
}

/** Those that still wait for a signature may be taken at once. */
export async function leaveWaiting(sql: Sql, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql.write(`update trade_order set taken_until = null where id = any($1::uuid[]) and state = 'held'`, [ids]);
}

/**
 * In the transaction that records their signed bytes: from here on they count as sent. Answers those that waited for them. Where another
 * process has made an attempt since the order was read, its first limit and the number of the attempt in a round's memo are of before.
 */
export async function claimOrders(
  sql: Sql,
  claims: readonly { id: string; attempts: number; minOut: AmountOut }[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.write<{ id: string }>(
    `update trade_order o set state = 'sent', attempts = o.attempts + 1, min_out = coalesce(o.min_out, v.min_out)
     from unnest($1::uuid[], $2::int[], $3::numeric[]) v (id, attempts, min_out)
     where o.id = v.id and o.state = 'held' and o.attempts = v.attempts returning o.id`,
    columnsOf(claims, 'id', 'attempts', 'minOut'),
  );
  return new Set(rows.map((row) => row.id));
}

/** Their transaction provably did not and cannot happen; they wait for a new signature. */
export async function releaseOrders(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.write(`update trade_order set state = 'held' where id = any($1::uuid[]) and state = 'sent'`, [ids]);
}

export async function finalizeOrders(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.write(`update trade_order set state = 'finalized' where id = any($1::uuid[]) and state = 'confirmed'`, [
    ids,
  ]);
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
    const killed = await sql.write<Order>(
      `update trade_order o set state = 'dead', error = v.error, settled_at = $3
       from unnest($1::uuid[], $2::text[]) v (id, error), book k
       where o.id = v.id and o.state = 'held' and k.id = o.book_id returning ${ORDER_COLUMNS}`,
      [rows.map((row) => row.id), rows.map((row) => row.error), at],
    );
    const rounds = killed.filter(({ isRound }) => isRound);
    await postEntries(
      sql,
      killed.filter(({ isRound }) => !isRound).map((order) => releaseEntry(order, [wholeOrder(order)], at)),
    );
    for (const { id } of rounds) await postRoundRelease(sql, { orderId: id, at });
    await skipParts(sql, rounds);
    const ids = rounds.map(({ id }) => id);
    await enqueueRounds(sql, ids);
    return killed;
  });
}
