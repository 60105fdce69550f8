import { COPY_SKIP_CODES, type CopySkipReason } from '@hunter/domain/copy-skip';
import type { Sql } from '../../platform/postgres.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { HeldOrder } from '../order.ts';
import { allocationSalt, allocationTree, type AllocationTree } from './allocation-tree.ts';

type LeafRow = { leafId: string; amountIn: bigint; reason: CopySkipReason | null };

/** What the next attempt of a round carries on chain: it fixes every part before the swap. */
export async function roundMemo(ports: EnginePorts, { order, wallet }: HeldOrder): Promise<string> {
  const round = { walletAddress: wallet.address, orderId: order.id, side: order.side, mint: order.mint };
  return (await loadTree(ports.database, { ...round, attempt: order.attempts + 1 }, ports.followKey)).memo;
}

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
