/**
 * A thief with a session, with a password, with the mailbox, against accounts with and without a second factor, on the running
 * product: what he tries is refused or held, the owner is told and gets his account back, and on chain hardly anything is gone. What
 * he has planted to buy by itself buys nothing while the account is frozen.
 * `short` leaves out what waits for a minute.
 */
import { RpcClient } from '@hunter/solana/rpc-client';
import type { Figures } from '../../scripts/run-named.ts';
import { reportScenes, Scenes } from './attack/scenes.ts';
import { playThief } from './attack/thief.ts';
import { withProduct } from './running-product.ts';

export default async function proveThief([mode]: readonly string[]): Promise<Figures> {
  return withProduct({ SIMULATED_STRATEGIES: 'off', SIGNER_LARGE_SOL: '1' }, async ({ endpoints }) => {
    const rpc = new RpcClient({ url: endpoints.rpc });
    const scenes = new Scenes(endpoints.web);
    await playThief(scenes, endpoints.web, rpc, mode !== 'short');
    rpc.close();
    return reportScenes(scenes);
  });
}
