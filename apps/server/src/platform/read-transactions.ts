import { channel } from 'node:diagnostics_channel';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { RpcError, RpcTransportError } from '@hunter/solana/rpc-error';
import type { ChainTransaction } from '@hunter/solana/rpc-replies';
import { SolanaError } from '@hunter/solana/solana-error';

/** One message per unreadable transaction that a reader has passed over, for whoever counts them. */
export const passedOver = channel('hunter:passed-over');
export type PassedOver = { readonly reader: string };

/** JSON-RPC: the version of the transaction is not one that we asked for. */
const UNSUPPORTED_VERSION = -32015;

export type ReadTransactions = {
  /** In the signatures' order; null where the node does not show it yet, and where nobody here can read it. */
  readonly transactions: readonly (ChainTransaction | null)[];
  /** Whose content is the reason, with the error that it gives: asking again would not help. */
  readonly unreadable: ReadonlyMap<string, unknown>;
};

/**
 * Anybody can have a transaction written to the chain that names an address of ours. One that nobody here can read must not keep the
 * others from being read, so a refused list is halved until that one is alone.
 */
export async function readTransactions(
  rpc: Pick<RpcClient, 'getTransactions'>,
  signatures: readonly string[],
  commitment: 'confirmed' | 'finalized' = 'confirmed',
): Promise<ReadTransactions> {
  const unreadable = new Map<string, unknown>();
  const read = async (asked: readonly string[]): Promise<(ChainTransaction | null)[]> => {
    try {
      return await rpc.getTransactions(asked, commitment);
    } catch (error) {
      if (!mayBeContent(error)) throw error;
      if (asked.length === 1) {
        unreadable.set(asked[0]!, error);
        return [null];
      }
    }
    const middle = asked.length >> 1;
    return [...(await read(asked.slice(0, middle))), ...(await read(asked.slice(middle)))];
  };
  const transactions = signatures.length === 0 ? [] : await read(signatures);
  const malformed = [...unreadable.values()].find((error) => error instanceof RpcTransportError);
  // A node that shows no transaction properly is to blame itself.
  if (malformed !== undefined && transactions.every((found) => found === null)) throw malformed;
  return { transactions, unreadable };
}

function mayBeContent(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === UNSUPPORTED_VERSION;
  if (error instanceof RpcTransportError) return error.kind === 'malformed';
  return error instanceof SolanaError;
}
