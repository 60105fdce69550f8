import { LOCALNET_GENESIS_HASH } from '@hunter/solana/localnet-genesis';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { Clock } from './clock.ts';

const ASK_AGAIN_MS = 1_000;

/**
 * Refuses any chain but a Hunter localnet, told by its genesis hash. Resolves after the first attempt: the embedded chain
 * may start later than the server, so a node that does not answer is asked again in the background until it does.
 */
export async function refuseForeignChain(deps: {
  rpc: Pick<RpcClient, 'getGenesisHash'>;
  clock: Clock;
  refuse: (reason: string) => void;
}): Promise<void> {
  const ask = async (): Promise<boolean> => {
    const hash = await deps.rpc.getGenesisHash().catch(() => null);
    if (hash !== null && hash !== LOCALNET_GENESIS_HASH) {
      deps.refuse(
        `SOLANA_RPC_URL is not a Hunter localnet (its genesis hash is ${hash}); Hunter cannot trade on other chains yet: name a localnet (npm run localnet starts one)`,
      );
    }
    return hash !== null;
  };
  const askUntilAnswered = async (): Promise<void> => {
    do await deps.clock.pause(ASK_AGAIN_MS);
    while (!(await ask()));
  };
  if (!(await ask())) void askUntilAnswered();
}
