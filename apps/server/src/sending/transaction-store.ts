import type { Sql } from '../platform/postgres.ts';
import { columnsOf } from '../platform/columns-of.ts';
import type { PostedOutcome } from './decide-finality.ts';
import type { Purpose, SignedTransaction, TransactionState } from './signed-transaction.ts';

const COLUMNS = `signature, intent_id as "intentId", wallet_address as "walletAddress", wire,
  last_valid_block_height as "lastValidBlockHeight", venue_request as "venueRequest"`;

export async function insertTransactions(
  sql: Sql,
  purpose: Purpose,
  transactions: readonly SignedTransaction[],
  { sender, at }: { sender: string; at: Date },
): Promise<void> {
  if (transactions.length === 0) return;
  await sql.write(
    `insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire,
       last_valid_block_height, venue_request, sender, created_at)
     select v.signature, $1, v.intent_id, 1 + (
         select count(*) from signed_transaction p where p.purpose = $1 and p.intent_id = v.intent_id),
       v.wallet, v.wire, v.height, v.request, $8, $9
     from unnest($2::text[], $3::text[], $4::text[], $5::bytea[], $6::bigint[], $7::text[])
       v (signature, intent_id, wallet, wire, height, request)`,
    [
      purpose,
      ...columnsOf(transactions, 'signature', 'intentId', 'walletAddress'),
      transactions.map((row) => Buffer.from(row.wire)),
      ...columnsOf(transactions, 'lastValidBlockHeight', 'venueRequest'),
      sender,
      at,
    ],
  );
}

/** Those that are not posted yet, oldest first. Written out, because a parameter would hide the states from the index. */
export function loadUnposted(
  sql: Sql,
  purpose: Purpose,
  options: { postsAt: 'confirmed' | 'finalized'; before: Date; exclude: readonly string[]; limit: number },
): Promise<(SignedTransaction & { state: TransactionState })[]> {
  const unposted = options.postsAt === 'confirmed' ? `state = 'sent'` : `state in ('sent', 'landed')`;
  return sql.query<SignedTransaction & { state: TransactionState }>(
    `select ${COLUMNS}, state from signed_transaction where purpose = $1 and ${unposted} and created_at <= $2
       and signature <> all($3::text[]) order by created_at, signature limit $4`,
    [purpose, options.before, options.exclude, options.limit],
  );
}

export type PostedTransaction = SignedTransaction & { posted: PostedOutcome };

export async function loadLanded(sql: Sql, purpose: Purpose, limit: number): Promise<PostedTransaction[]> {
  const rows = await sql.query<SignedTransaction & { postedSlot: bigint | null; postedFailed: boolean | null }>(
    `select ${COLUMNS}, posted_slot as "postedSlot", posted_failed as "postedFailed" from signed_transaction
     where purpose = $1 and state = 'landed' order by created_at, signature limit $2`,
    [purpose, limit],
  );
  return rows.map(({ postedSlot, postedFailed, ...row }) => ({
    ...row,
    posted: postedSlot === null ? null : { slot: postedSlot, failed: postedFailed! },
  }));
}

export type TransactionMove = {
  signature: string;
  to: TransactionState;
  /** Kept where it is posted before it is final, so that another outcome is noticed. */
  posted?: { slot: bigint; failed: boolean };
};

/**
 * Moves transactions from one of the given states to another; answers the signatures of those that were in it. They are locked
 * in their order first, so that two processes at the same ones cannot wait for each other.
 */
export async function advanceTransactions(
  sql: Sql,
  moves: readonly TransactionMove[],
  from: readonly TransactionState[],
  sender: string | null = null,
): Promise<ReadonlySet<string>> {
  const rows = await sql.write<{ signature: string }>(
    `with locked as (
       select t.signature from signed_transaction t
       where t.signature = any($1::text[]) and t.state = any($3::text[]) and ($4::text is null or t.sender = $4)
       order by t.signature for update
     )
     update signed_transaction t set state = v.state, posted_slot = coalesce(v.slot, t.posted_slot),
       posted_failed = coalesce(v.failed, t.posted_failed)
     from unnest($1::text[], $2::text[], $5::bigint[], $6::boolean[]) v (signature, state, slot, failed) join locked on locked.signature = v.signature
     where t.signature = v.signature returning t.signature`,
    [
      ...columnsOf(moves, 'signature', 'to'),
      from,
      sender,
      moves.map((move) => move.posted?.slot ?? null),
      moves.map((move) => move.posted?.failed ?? null),
    ],
  );
  return new Set(rows.map((row) => row.signature));
}

/** Makes another process, or another part of this one, the only sender whose refusals count; answers what is still open. */
export async function takeOverTransactions(
  sql: Sql,
  signatures: readonly string[],
  sender: string,
): Promise<ReadonlySet<string>> {
  const rows = await sql.write<{ signature: string }>(
    `update signed_transaction set sender = $2 where signature = any($1::text[]) and state in ('sent', 'landed')
     returning signature`,
    [signatures, sender],
  );
  return new Set(rows.map((row) => row.signature));
}

export async function loadIntentIds(sql: Sql, purpose: Purpose, signatures: Iterable<string>): Promise<string[]> {
  const rows = await sql.query<{ intentId: string }>(
    `select intent_id as "intentId" from signed_transaction where purpose = $1 and signature = any($2::text[])`,
    [purpose, [...signatures]],
  );
  return rows.map((row) => row.intentId);
}

/**
 * Which of these transactions of a wallet we post ourselves: those that it signed, and transfers between our wallets, which are
 * posted at both ends by whoever made them. Every signature is on record before its first send.
 */
export async function loadOwn(
  sql: Sql,
  signatures: readonly string[],
): Promise<(signature: string, walletAddress: string) => boolean> {
  if (signatures.length === 0) return () => false;
  const rows = await sql.query<{ signature: string; walletAddress: string; purpose: Purpose }>(
    `select signature, wallet_address as "walletAddress", purpose from signed_transaction
     where signature = any($1::text[])`,
    [signatures],
  );
  const known = new Map(rows.map((row) => [row.signature, row]));
  return (signature, walletAddress) => {
    const signed = known.get(signature);
    return signed !== undefined && (signed.walletAddress === walletAddress || signed.purpose === 'transfer');
  };
}

/** Intents that have a transaction which may still land, or which was signed since. */
export async function loadBusyIntents(
  sql: Sql,
  purpose: Purpose,
  intentIds: readonly string[],
  since: Date | null = null,
): Promise<ReadonlySet<string>> {
  if (intentIds.length === 0) return new Set();
  const rows = await sql.query<{ intentId: string }>(
    `select distinct intent_id as "intentId" from signed_transaction
     where purpose = $1 and intent_id = any($2::text[]) and (state = 'sent' or created_at > $3)`,
    [purpose, intentIds, since],
  );
  return new Set(rows.map((row) => row.intentId));
}

/** Intents whose transactions have failed on chain so many times since. */
export async function loadFailingIntents(
  sql: Sql,
  purpose: Purpose,
  intentIds: readonly string[],
  { times, since }: { times: number; since: Date },
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ intentId: string }>(
    `select intent_id as "intentId" from signed_transaction
     where purpose = $1 and intent_id = any($2::text[]) and state = 'failed' and created_at > $3
     group by intent_id having count(*) >= $4`,
    [purpose, intentIds, since, times],
  );
  return new Set(rows.map((row) => row.intentId));
}

/** Whether a transaction of one of these purposes and of this wallet is not final yet. */
export async function hasOpenTransaction(
  sql: Sql,
  purposes: readonly Purpose[],
  walletAddress: string,
): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from signed_transaction where purpose = any($1::text[]) and wallet_address = $2 and state in ('sent', 'landed') limit 1`,
    [purposes, walletAddress],
  );
  return rows.length > 0;
}

/** Signatures of transactions that are not final yet, newest first. */
export function loadUnderWay(sql: Sql, limit: number): Promise<{ signature: string; walletAddress: string }[]> {
  return sql.query(
    `select signature, wallet_address as "walletAddress" from signed_transaction where state in ('sent', 'landed')
     order by created_at desc limit $1`,
    [limit],
  );
}
