/**
 * Kills the real server with SIGKILL at random moments while a creator trades and followers come and go: afterwards each follow must
 * have one fill or one explained skip per round, closed books must be empty, books must equal the chain to the lamport, and the
 * strategy's page must be what the chain says. Arguments: kills, followers.
 */
import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CallName } from '@hunter/contract/calls';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { deepestToken } from '../../apps/server/src/trading/world-for-test.ts';
import { insist, until } from '../../scripts/product-client.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { killAtRandom } from './kill/kill-at-random.ts';
import { withKillableServer, type KillableUser, type KillableWorld } from './kill/killable-server.ts';

const LIFE_MS = [5, 1_500] as const;
const AT_A_TIME = 20;

export default async function proveCopyKill([kills = '40', followers = '16']: readonly string[]): Promise<Figures> {
  return withKillableServer(async (world) => {
    const { server, database, services } = world;
    const send = (name: CallName, request: object, user: KillableUser, idempotencyKey: string = randomUUID()) =>
      insist(server.url, name, request, { token: user.token, idempotencyKey });
    const mint = await deepestToken(services.venueUrl);
    const [creator, ...crowd] = (await server.registerAll(1 + Number(followers))) as [KillableUser, ...KillableUser[]];
    const coins = [{ tokenContractAddress: mint, weight: '30' }];
    const strategy = { name: 'Under fire', capital: '6', coins, autoClear: true };
    const { slug, bookId } = await send('createStrategy', strategy, creator);
    // All together at most ten times the creator's capital, as followers of a new strategy may have.
    const amount = String(Math.min(0.5, Math.floor(54_000 / Number(followers)) / 1_000));
    const follow = (user: KillableUser, key?: string) =>
      send('followStrategy', { slug, mode: 'sol', amount }, user, key);
    const order = { tokenContractAddress: mint, bookId, slippageBps: 3_000 };
    const trade = (turn: number, key: string) =>
      turn % 5 === 4
        ? send('tokenClose', order, creator, key)
        : send('tokenTransfer', { ...order, side: 'buy', amount: '0.2' }, creator, key);
    for (let start = 0; start < crowd.length; start += AT_A_TIME) {
      await Promise.all(
        crowd.slice(start, start + AT_A_TIME).map((user) => {
          const key = randomUUID();
          return until(() => follow(user, key).catch(() => null), `the follow of ${user.email}`);
        }),
      );
      process.stderr.write(`${Math.min(start + AT_A_TIME, crowd.length)} of ${crowd.length} follow\n`);
    }
    let fire = (): Promise<unknown> => Promise.resolve();
    await killAtRandom(server, {
      kills: Number(kills),
      lifeMs: LIFE_MS,
      load: (round) => {
        const key = randomUUID();
        const leaving = crowd[randomInt(crowd.length)]!;
        const coming = crowd[randomInt(crowd.length)]!;
        fire = () => Promise.allSettled([trade(round, key), send('cancelFollow', { slug }, leaving), follow(coming)]);
        return fire();
      },
      // Whoever heard nothing asks again under the same key, as a client would.
      restarted: () => fire(),
    });
    const { broken } = await world.invariants();
    const figures = await count(database);
    const verified = await verify(world, String(slug));
    return {
      kills: Number(kills),
      followers: Number(followers),
      ...figures,
      broken,
      verified,
      ok:
        verified &&
        broken.length === 0 &&
        figures.unexplained === 0 &&
        figures.ordersTwice === 0 &&
        figures.leftInClosedBooks === 0,
    };
  });
}

async function count(database: Database) {
  const rows = async (text: string): Promise<number> => (await database.query(text)).length;
  return {
    rounds: await rows(`select 1 from trade_order where is_round`),
    copiesFilled: await rows(`select 1 from filled_allocation where follow_id is not null and is_filled`),
    copiesSkipped: await rows(`select 1 from allocation where follow_id is not null and reason is not null`),
    unexplained: await rows(
      `select 1 from filled_allocation a join trade_order o on o.id = a.order_id
       where o.state not in ('held', 'sent') and a.is_filled = (a.reason is not null)`,
    ),
    ordersTwice: await rows(
      `select 1 from signed_transaction where purpose = 'order' and state in ('landed', 'finalized')
       group by intent_id having count(*) > 1`,
    ),
    leftInClosedBooks: await rows(
      `select 1 from balance b join book k on k.id = b.book_id where k.status = 'closed' and b.amount > 0`,
    ),
  };
}

async function verify({ server, services }: KillableWorld, slug: string): Promise<boolean> {
  const file = fileURLToPath(new URL('../../scripts/verify.ts', import.meta.url));
  const args = [file, slug, '--url', server.url, '--rpc', services.rpcUrl];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number];
  return code === 0;
}
