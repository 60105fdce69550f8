import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { Allocation } from '@hunter/domain/copying/allocation';
import type { CopySkipReason } from '@hunter/domain/copying/copy-skip';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import type { TokenChange } from '@hunter/domain/copying/round-plan';
import type { Side } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import { arrayText, readArray, type Sql } from '../../platform/postgres.ts';
import { OPEN_ORDER_STATES, type HeldPart } from '../order.ts';
import type { NewPart } from './round.ts';

export async function insertAllocations(
  sql: Sql,
  orderId: string,
  parts: readonly (NewPart & HeldPart)[],
  at: Date,
): Promise<void> {
  await sql.write(
    `insert into allocation (order_id, at, book_id, user_id, follow_id, wanted_in, amount_in, hold_lamports, hold_tokens,
       limited_by, reason, run_up_lamports, cost_lamports, place)
     select $1, $2, v.*, case when v.amount_in > 0 then rank() over (partition by v.amount_in > 0 order by v.book_id) end
     from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::text[],
       $11::text[], $12::numeric[], $13::numeric[])
       v (book_id, user_id, follow_id, wanted_in, amount_in, hold_lamports, hold_tokens, limited_by, reason, run_up, cost)`,
    [
      orderId,
      at,
      arrayText(parts.map((part) => part.bookId)),
      arrayText(parts.map((part) => part.userId)),
      arrayText(parts.map((part) => part.followId)),
      arrayText(parts.map((part) => part.wantedIn)),
      arrayText(parts.map((part) => part.amountIn)),
      arrayText(parts.map((part) => part.holdLamports)),
      arrayText(parts.map((part) => part.holdTokens)),
      arrayText(parts.map((part) => part.limitedBy)),
      arrayText(parts.map((part) => part.reason)),
      arrayText(parts.map((part) => part.runUpLamports)),
      arrayText(parts.map((part) => part.costLamports)),
    ],
  );
}

/** The parts that put something in, by order, each list in the order of the books. */
export async function loadParts(
  sql: Sql,
  orderIds: readonly string[],
  { evenFailed = false } = {},
): Promise<Map<string, HeldPart[]>> {
  if (orderIds.length === 0) return new Map();
  // One row per round: thousands of rows take the driver longer than the database.
  const rows = await sql.query<Record<'orderId' | keyof HeldPart, string>>(
    `select order_id as "orderId", array_agg(book_id)::text as "bookId", array_agg(user_id)::text as "userId",
       array_agg(amount_in)::text as "amountIn", array_agg(hold_lamports)::text as "holdLamports",
       array_agg(hold_tokens)::text as "holdTokens"
     from (
       select * from allocation
       where order_id = any($1::uuid[]) and amount_in > 0 and (reason is null or ($2 and reason = 'failed-on-chain'))
       order by order_id, book_id
     ) a group by order_id`,
    [orderIds, evenFailed],
  );
  return new Map(rows.map((row) => [row.orderId, partsOf(row)]));
}

function partsOf(row: Record<keyof HeldPart, string>): HeldPart[] {
  const userIds = readArray(row.userId);
  const amounts = readArray(row.amountIn);
  const lamports = readArray(row.holdLamports);
  const tokens = readArray(row.holdTokens);
  return readArray(row.bookId).map((bookId, index) => ({
    bookId,
    userId: userIds[index]!,
    amountIn: BigInt(amounts[index]!),
    holdLamports: BigInt(lamports[index]!),
    holdTokens: BigInt(tokens[index]!),
  }));
}

/** For the posting of a round, as the database keeps them: for each part, by place, what it put in, got and paid in fees. */
export function packShares(parts: readonly { share: Allocation }[]): Buffer {
  const packed = Buffer.alloc(parts.length * 24);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let index = 0; index < parts.length; index += 1) {
    const { share } = parts[index]!;
    view.setBigUint64(index * 24, share.amountIn);
    view.setBigUint64(index * 24 + 8, share.amountOut);
    view.setBigUint64(index * 24 + 16, share.feeLamports);
  }
  return packed;
}

/** Of a round that is posted line by line. */
export async function saveFills(
  sql: Sql,
  orderId: string,
  parts: readonly { part: HeldPart; share: Allocation }[],
): Promise<void> {
  await sql.write(
    `update allocation a set filled_in = v.filled_in, filled_out = v.filled_out, fee_lamports = v.fee
     from unnest($2::uuid[], $3::numeric[], $4::numeric[], $5::numeric[]) v (book_id, filled_in, filled_out, fee)
     where a.order_id = $1 and a.book_id = v.book_id`,
    [
      orderId,
      arrayText(parts.map(({ part }) => part.bookId)),
      arrayText(parts.map(({ share }) => share.amountIn)),
      arrayText(parts.map(({ share }) => share.amountOut)),
      arrayText(parts.map(({ share }) => share.feeLamports)),
    ],
  );
}

/** Takes the fills of rounds back, as if they were still under way; answers the parts that had put something in. */
export function clearFills(sql: Sql, orderIds: readonly string[]): Promise<{ orderId: string; bookId: string }[]> {
  return sql.write(
    `update allocation set filled_in = null, filled_out = null, fee_lamports = null,
       reason = case when reason = 'failed-on-chain' then null else reason end
     where order_id = any($1::uuid[]) and amount_in > 0 returning order_id as "orderId", book_id as "bookId"`,
    [orderIds],
  );
}

/** What a follower is told when the round ended with this error; every other one was the venue's refusal. */
const SKIP_OF_ERROR = {
  STRATEGY_ENDED: 'follow-closing',
  INSUFFICIENT_BALANCE: 'creator-failed',
  ACCOUNT_FROZEN: 'creator-failed',
  NOTHING_TO_SELL: 'nothing-to-sell',
  AMOUNT_TOO_SMALL: 'scaled-to-nothing',
  PRICE_MOVED: 'price-moved',
  TRADE_FAILED: 'failed-on-chain',
  TRADE_DROPPED: 'dropped-by-chain',
} as const satisfies Partial<Record<ErrorName, CopySkipReason>>;
const OTHERWISE: CopySkipReason = 'venue-refused';

/** Rounds that ended without a trade: every part of them is a skip with the reason. */
export async function skipParts(sql: Sql, orders: readonly { id: string; error: ErrorName | null }[]): Promise<void> {
  if (orders.length === 0) return;
  await sql.write(
    `update allocation a set reason = coalesce($3::jsonb ->> v.error, $4::text)
     from unnest($1::uuid[], $2::text[]) v (id, error) where a.order_id = v.id and a.reason is null`,
    [
      orders.map(({ id }) => id),
      orders.map(({ error }) => error ?? 'TRADE_FAILED'),
      JSON.stringify(SKIP_OF_ERROR),
      OTHERWISE,
    ],
  );
}

/** What the parts of a follow took from its budgets of the last 24 h: for one coin, for all, and of its costs. */
export type UsedBudgets = Record<'runUpUsed' | 'runUpUsedTotal' | 'costHour' | 'costDay', Lamports>;

const NONE = lamports(0n);
export const NOTHING_USED: UsedBudgets = { runUpUsed: NONE, runUpUsedTotal: NONE, costHour: NONE, costDay: NONE };

/** By follow, of all that take part in the rounds of a strategy's book; who has used nothing is left out. */
export async function loadUsedBudgets(
  sql: Sql,
  bookId: string,
  mint: Address,
  now: Date,
): Promise<ReadonlyMap<string, UsedBudgets>> {
  const rows = await sql.query<UsedBudgets & { followId: string }>(
    `select a.follow_id as "followId",
       coalesce(sum(a.run_up_lamports) filter (where o.mint = $2), 0)::numeric(40, 0) as "runUpUsed",
       sum(a.run_up_lamports)::numeric(40, 0) as "runUpUsedTotal",
       coalesce(sum(a.cost_lamports) filter (where a.at > $3::timestamptz - interval '1 hour'), 0)::numeric(40, 0) as "costHour",
       sum(a.cost_lamports)::numeric(40, 0) as "costDay"
     from trade_order o join allocation a on a.order_id = o.id
     where o.book_id = $1 and o.is_round and o.created_at > $3::timestamptz - interval '24 hours'
       and a.follow_id is not null and a.reason is null
     group by a.follow_id`,
    [bookId, mint, now],
  );
  return new Map(rows.map((row) => [row.followId, row]));
}

/** A round as some books took part in it. A book has the price of the round. */
export type RoundOfDay = {
  mint: Address;
  side: Side;
  settledAt: Date;
  parts: ReadonlyMap<string, { runUpLamports: bigint; amountIn: bigint; amountOut: bigint }>;
};

/**
 * What these books sold in the rounds of the last 24 h, and bought as far as it took something from the run-up budgets: the latest
 * first, and of one second the purchases first.
 */
export async function loadRoundsOfDay(
  sql: Sql,
  bookId: string,
  partBookIds: readonly string[],
  now: Date,
): Promise<RoundOfDay[]> {
  // One row per round: thousands of rows take the driver longer than the database.
  const rows = await sql.query<
    Omit<RoundOfDay, 'parts'> & Record<'bookIds' | 'runUps' | 'amountsIn' | 'amountsOut', string>
  >(
    `select o.mint, o.side, o.settled_at as "settledAt", array_agg(a.book_id)::text as "bookIds",
       array_agg(a.run_up_lamports)::text as "runUps", array_agg(a.amount_in)::text as "amountsIn",
       array_agg(trunc(a.amount_in * o.filled_out / o.filled_in)::numeric(40, 0))::text as "amountsOut"
     from trade_order o join allocation a on a.order_id = o.id
     where o.book_id = $1 and o.is_round and o.created_at > $3::timestamptz - interval '24 hours' and o.filled_in > 0
       and a.book_id = any($2::uuid[]) and a.reason is null and (o.side = 'sell' or a.run_up_lamports > 0)
     group by o.id order by o.settled_at desc, o.side`,
    [bookId, arrayText(partBookIds), now],
  );
  return rows.map(({ mint, side, settledAt, ...row }) => {
    const runUps = readArray(row.runUps);
    const amountsIn = readArray(row.amountsIn);
    const amountsOut = readArray(row.amountsOut);
    const parts = readArray(row.bookIds).map((partBookId, index) => {
      const amounts = { amountIn: BigInt(amountsIn[index]!), amountOut: BigInt(amountsOut[index]!) };
      return [partBookId, { ...amounts, runUpLamports: BigInt(runUps[index]!) }] as const;
    });
    return { mint, side, settledAt, parts: new Map(parts) };
  });
}

/**
 * What all who join spent on a coin within the last hour, over all strategies of a creator: he holds it in each of them. One that is
 * under way counts with all that it may spend: rounds of several strategies are placed beside each other.
 */
export async function loadJoinedLately(sql: Sql, creatorId: string, mint: Address, now: Date): Promise<Lamports> {
  const [row] = await sql.query<{ spent: Lamports }>(
    `select coalesce(sum(case when state in ${OPEN_ORDER_STATES} then amount_in else filled_in end), 0)::numeric(20, 0) as spent
     from trade_order
     where user_id = $1 and is_round and kind = 'join' and mint = $2 and created_at > $3::timestamptz - interval '1 hour'`,
    [creatorId, mint, now],
  );
  return row!.spent;
}

/** What joining has spent on a coin so far, by follow. */
export async function loadJoined(
  sql: Sql,
  followIds: readonly string[],
  mint: Address,
): Promise<Map<string, Lamports>> {
  const rows = await sql.query<{ followId: string; spent: Lamports }>(
    `select a.follow_id as "followId", sum(a.filled_in)::numeric(40, 0) as spent
     from filled_allocation a join trade_order o on o.id = a.order_id
     where a.follow_id = any($1::uuid[]) and o.kind = 'join' and o.mint = $2 and a.is_filled group by a.follow_id`,
    [followIds, mint],
  );
  return new Map(rows.map(({ followId, spent }) => [followId, spent]));
}

/** What a book bought and sold of a coin in the rounds that were placed since a moment, the latest first. */
export async function loadTokenChanges(
  sql: Sql,
  { bookId, mint, since }: { bookId: string; mint: Address; since: Date },
): Promise<TokenChange[]> {
  return sql.query<TokenChange>(
    `select o.created_at as at, (case o.side when 'buy' then a.filled_out else -a.filled_in end)::numeric(40, 0) as tokens
     from trade_order o join filled_allocation a on a.order_id = o.id and a.book_id = o.book_id and a.is_filled
     where o.book_id = $1 and o.is_round and o.mint = $2 and o.created_at >= $3 order by o.created_at desc`,
    [bookId, mint, since],
  );
}
