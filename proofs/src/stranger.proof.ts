/**
 * A stranger who sends dust, tokens of his own and an account that he hands over, offers addresses that swallow money, and looks
 * like somebody else, or trades with himself, on the running product: nothing is counted that cannot be sold, figures stay known, and
 * prices are those of the venue.
 */
import { RpcClient } from '@hunter/solana/rpc-client';
import type { Figures } from '../../scripts/run-named.ts';
import { playForger } from './attack/forged-trade.ts';
import { reportScenes, Scenes } from './attack/scenes.ts';
import { playStranger } from './attack/stranger.ts';
import { withProduct } from './running-product.ts';

export default async function proveStranger(): Promise<Figures> {
  return withProduct({ SIMULATED_STRATEGIES: 'off' }, async ({ endpoints }) => {
    const rpc = new RpcClient({ url: endpoints.rpc });
    const scenes = new Scenes(endpoints.web);
    await playStranger(scenes, endpoints.web, rpc);
    await playForger(scenes, endpoints, rpc);
    rpc.close();
    return reportScenes(scenes);
  });
}
