import type { RpcClient } from '@hunter/solana/rpc-client';
import type { Log } from '../platform/log.ts';
import type { SendRefusal } from './purpose.ts';
import type { SignedTransaction } from './signed-transaction.ts';

/** A node's refusal proves nothing: whether the bytes arrived is unknown either way, and the chain tells. */
export async function sendByRpc(
  { rpc, log }: { rpc: Pick<RpcClient, 'sendTransaction'>; log: Log },
  transactions: readonly SignedTransaction[],
): Promise<ReadonlyMap<string, SendRefusal>> {
  for (const { signature, intentId, wire } of transactions) {
    try {
      await rpc.sendTransaction(wire, { skipPreflight: true });
    } catch (error) {
      log.warn(
        { signature, intentId, err: error },
        'sending a transaction gave an error; sent again until it is proven',
      );
    }
  }
  return new Map();
}
