import { LOCALNET_GENESIS_HASH } from '@hunter/solana/localnet-genesis';
import { RpcClient } from '@hunter/solana/rpc-client';
import { reasonOf, StartError } from './start-error.ts';

const TIMEOUT_MS = 10_000;

/**
 * Hunter has neither a market source nor a safe way to sign swaps on a public chain yet, so it refuses to start on one.
 * An outside node must therefore answer before anything starts. Messages do not repeat the address, which may hold a key.
 */
export async function checkOutsideChain(rpcUrl: string): Promise<void> {
  const rpc = new RpcClient({ url: rpcUrl, timeoutMs: TIMEOUT_MS });
  let hash: string;
  try {
    hash = await rpc.getGenesisHash();
  } catch (error) {
    throw new StartError(
      `SOLANA_RPC_URL does not answer getGenesisHash: ${reasonOf(error)}; start that node or correct the address`,
      { cause: error },
    );
  } finally {
    rpc.close();
  }
  if (hash === LOCALNET_GENESIS_HASH) return;
  throw new StartError(
    `SOLANA_RPC_URL is not a Hunter localnet (its genesis hash is ${hash}); Hunter cannot trade on other chains yet: leave it out for the embedded chain, or name a localnet (npm run localnet starts one)`,
  );
}
