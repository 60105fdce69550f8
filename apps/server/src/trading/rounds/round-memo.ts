import { COPY_SKIP_CODES, type CopySkipReason } from '@hunter/domain/copy-skip';
import { loadWallet } from '../../ledger/wallets.ts';
import type { Sql } from '../../platform/postgres.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { HeldOrder } from '../order.ts';
import { allocationSalt, allocationTree, type AllocationProof, type AllocationTree } from './allocation-tree.ts';

type LeafRow = { leafId: string; amountIn: bigint; reason: CopySkipReason | null };

/**
 * What the next attempt of a round carries on chain: it fixes every part before the swap. The proof of the creator's own part is
 * kept for the public record.
 */
export async function roundMemo(ports: EnginePorts, { order, wallet }: HeldOrder): Promise<string> {
  const round = { walletAddress: wallet.address, orderId: order.id, side: order.side, mint: order.mint };
  const tree = await loadTree(ports.database, { ...round, attempt: order.attempts + 1 }, ports.followKey);
  if (tree.has(order.bookId)) {
    await ports.database.query(`update allocation set proof = $3 where order_id = $1 and book_id = $2`, [
      order.id,
      order.bookId,
      JSON.stringify(tree.proof(order.bookId)),
    ]);
  }
  return tree.memo;
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
  const { address: walletAddress } = await loadWallet(sql, walletId);
  const tree = await loadTree(sql, { walletAddress, orderId, attempt, side, mint }, followKey);
  return { ...tree.proof(followId), txHash };
}

type Executed = { side: 'buy' | 'sell'; mint: string; attempt: number; walletId: string; txHash: string };

/** The tree of one attempt, as it was when that was signed. A leaf is named by the follow, the creator's by his book. */
export async function loadTree(
  sql: Sql,
  round: { walletAddress: string; orderId: string; attempt: number; side: 'buy' | 'sell'; mint: string },
  followKey: (leafId: string) => Uint8Array,
): Promise<AllocationTree> {
  const { orderId: roundId, walletAddress: wallet, attempt, side, mint } = round;
  const rows = await sql.query<LeafRow>(
    `select coalesce(follow_id, book_id) as "leafId", amount_in as "amountIn",
       case when amount_in = 0 then reason end as reason from allocation where order_id = $1`,
    [roundId],
  );
  return allocationTree(
    { wallet, roundId, attempt, side, mint },
    rows.map(({ leafId, amountIn, reason }) => ({
      followId: leafId,
      salt: allocationSalt(followKey(leafId), roundId, attempt),
      amountIn,
      reason: reason === null ? 0 : COPY_SKIP_CODES[reason],
    })),
  );
}
