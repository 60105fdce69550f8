import { COPY_SKIP_CODES } from '@hunter/domain/copying/copy-skip';
import type { Address } from '@hunter/solana/address';
import { loadWallet } from '../../ledger/wallets.ts';
import type { Sql } from '../../platform/postgres.ts';
import { loadIntentIds } from '../../sending/transaction-store.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { HeldOrder, RoundLeaf } from '../order.ts';
import {
  allocationSalts,
  allocationTree,
  type AllocationProof,
  type AllocationRound,
  type AllocationTree,
} from './allocation-tree.ts';

/** The proof of the creator's own part is kept for the public record together with the signed bytes: before they are sent. */
export type OwnProof = { readonly bookId: string; readonly text: string };
export type RoundMemo = { readonly memo: string; readonly ownProof: OwnProof | null };

/** What the next attempt of a round carries on chain: it fixes every part before the swap. */
export async function roundMemo(ports: EnginePorts, held: HeldOrder): Promise<RoundMemo> {
  const { order, wallet } = held;
  const leaves = held.round?.leaves ?? (await loadLeaves(ports.database, order.id));
  const round = { wallet: wallet.address, roundId: order.id, side: order.side, mint: order.mint };
  const tree = treeOf({ ...round, attempt: order.attempts + 1 }, leaves, ports.followKey);
  const { bookId } = order;
  return {
    memo: tree.memo,
    ownProof: tree.has(bookId) ? { bookId, text: JSON.stringify(tree.proof(bookId)) } : null,
  };
}

export async function saveOwnProofs(
  sql: Sql,
  proofs: readonly (OwnProof & { readonly orderId: string })[],
): Promise<void> {
  if (proofs.length === 0) return;
  await sql.write(
    `update allocation a set proof = v.proof::jsonb from unnest($1::uuid[], $2::uuid[], $3::text[]) v (order_id, book_id, proof)
     where a.order_id = v.order_id and a.book_id = v.book_id`,
    [proofs.map(({ orderId }) => orderId), proofs.map(({ bookId }) => bookId), proofs.map(({ text }) => text)],
  );
}

/** Whether a transaction is the swap of a round that we signed: anybody can write a memo that looks like one. */
export async function isRoundSwap(sql: Sql, signature: string): Promise<boolean> {
  const orderIds = await loadIntentIds(sql, 'order', [signature]);
  const rows = await sql.query('select 1 from trade_order where id = any($1::uuid[]) and is_round', [orderIds]);
  return rows.length > 0;
}

/** Proofs of a strategy's own parts by the signature of the swap. */
export async function loadCreatorProofs(
  sql: Sql,
  bookId: string,
  signatures: readonly string[],
): Promise<Map<string, AllocationProof>> {
  const rows = await sql.query<{ signature: string; proof: AllocationProof }>(
    `select o.signature, a.proof from trade_order o join allocation a on a.order_id = o.id and a.book_id = o.book_id
     where o.book_id = $1 and o.signature = any($2::text[]) and a.proof is not null`,
    [bookId, signatures],
  );
  return new Map(rows.map(({ signature, proof }) => [signature, proof]));
}

/** A follow's part of a round that was executed, with its path to the memo on chain; null where there is none. */
export async function loadCopyProof(
  sql: Sql,
  followKey: (leafId: string) => Uint8Array,
  { orderId, followId }: { orderId: string; followId: string },
): Promise<(AllocationProof & { txHash: string }) | null> {
  const [order] = await sql.query<Executed>(
    `select o.side, o.mint, o.attempts as attempt, o.wallet_id as "walletId", o.signature as "txHash"
     from trade_order o join allocation a on a.order_id = o.id
     where o.id = $1 and a.follow_id = $2 and o.is_round and o.filled_out is not null`,
    [orderId, followId],
  );
  if (!order) return null;
  const { side, mint, attempt, walletId, txHash } = order;
  const { address: wallet } = await loadWallet(sql, walletId);
  const round = { wallet, roundId: orderId, attempt, side, mint };
  const tree = treeOf(round, await loadLeaves(sql, orderId), followKey);
  return { ...tree.proof(followId), txHash };
}

type Executed = { side: 'buy' | 'sell'; mint: Address; attempt: number; walletId: string; txHash: string };

/** A leaf is named by the follow, the creator's by his book. */
function loadLeaves(sql: Sql, orderId: string): Promise<RoundLeaf[]> {
  return sql.query<RoundLeaf>(
    `select coalesce(follow_id, book_id) as "leafId", amount_in as "amountIn",
       case when amount_in = 0 then reason end as reason from allocation where order_id = $1`,
    [orderId],
  );
}

/** The tree of one attempt, as it was when that was signed. */
function treeOf(
  round: AllocationRound,
  leaves: readonly RoundLeaf[],
  followKey: (leafId: string) => Uint8Array,
): AllocationTree {
  const saltOf = allocationSalts(round.roundId, round.attempt);
  return allocationTree(
    round,
    leaves.map(({ leafId, amountIn, reason }) => ({
      followId: leafId,
      salt: saltOf(followKey(leafId)),
      amountIn,
      reason: reason === null ? 0 : COPY_SKIP_CODES[reason],
    })),
  );
}
