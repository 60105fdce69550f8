/**
 * Kills the real server with SIGKILL at random moments while users trade: afterwards every order must end, the books must
 * equal the chain to the lamport, and no request may have traded twice. Takes the number of kills, 100 unless told.
 */
import { randomUUID } from 'node:crypto';
import { deepestToken } from '../../apps/server/src/trading/world-for-test.ts';
import { insist } from '../../scripts/product-client.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { killAtRandom } from './kill/kill-at-random.ts';
import { withKillableServer, type KillableServer, type KillableUser } from './kill/killable-server.ts';

const USERS = 6;
const LIFE_MS = [5, 1_500] as const;

export default async function proveTradeKill([kills = '100']: readonly string[]): Promise<Figures> {
  return withKillableServer(async ({ server, database, services, invariants }) => {
    const mint = await deepestToken(services.venueUrl);
    const users = await server.registerAll(USERS);
    let fire = (): Promise<unknown> => Promise.resolve();
    const retries: Promise<unknown>[] = [];
    await killAtRandom(server, {
      kills: Number(kills),
      lifeMs: LIFE_MS,
      load: (round) => {
        const keys = users.map(() => randomUUID());
        fire = () =>
          Promise.allSettled(users.map((user, index) => trade(server, user, mint, keys[index]!, round + index)));
        return fire();
      },
      // Whoever heard nothing asks again under the same key, as a client would, and may be cut off once more.
      restarted: async () => void retries.push(fire()),
    });
    await Promise.all(retries);
    const requests = Number(kills) * USERS;
    const { broken, orders } = await invariants();
    const filled = await database.query(`select 1 from trade_order where state in ('confirmed', 'finalized')`);
    return {
      kills: Number(kills),
      requests,
      orders,
      filled: filled.length,
      broken,
      ok: broken.length === 0 && orders <= requests && filled.length > 0,
    };
  });
}

function trade(server: KillableServer, user: KillableUser, mint: string, key: string, turn: number): Promise<unknown> {
  const asking = { token: user.token, idempotencyKey: key };
  const order = { tokenContractAddress: mint, slippageBps: 3_000 };
  return turn % 3 === 2
    ? insist(server.url, 'tokenClose', order, asking)
    : insist(server.url, 'tokenTransfer', { ...order, side: 'buy', amount: '0.02' }, asking);
}
