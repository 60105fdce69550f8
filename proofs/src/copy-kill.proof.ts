/**
 * Kills server, signer, chain and PostgreSQL of the running product in turn, without warning, while a creator trades and followers come
 * and go: afterwards each follow must have one fill or one explained skip per round, closed books must be empty, books must equal the
 * chain to the lamport, and the strategy's page must be what the chain says. Arguments: kills, followers.
 */
import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CallName } from '@hunter/contract/calls';
import type { Endpoints } from '../../apps/launcher/src/endpoints.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { Database } from '../../apps/server/src/platform/postgres.ts';
import { deepestToken } from '../../apps/server/src/trading/world-for-test.ts';
import { insist, registerFunded, until, type ProductUser } from '../../scripts/product-client.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { killAtRandom, median } from './kill/kill-at-random.ts';
import { withProduct } from './running-product.ts';
import { checkInvariants } from './soak/invariants.ts';
import { killOne, type Kill } from './soak/killer.ts';

const PARTS = ['server', 'signer', 'localnet', 'postgres'] as const;
const LIFE_MS = [5, 1_500] as const;
const AT_A_TIME = 20;

export default async function proveCopyKill([kills = '40', followers = '16']: readonly string[]): Promise<Figures> {
  const market = { SIMULATED_STRATEGIES: 'off', MARKET_TRADES_PER_SECOND: '0' };
  return withProduct(market, async ({ endpoints, dataDirectory }) => {
    const { web, venue, postgres } = endpoints;
    const database = new Database(postgres, createLog('silent'));
    const send = (name: CallName, request: object, user: ProductUser, idempotencyKey: string = randomUUID()) =>
      insist(web, name, request, { token: user.token, idempotencyKey });
    const mint = await deepestToken(venue);
    const [creator, ...crowd] = (await registerFunded(web, 1 + Number(followers))) as [ProductUser, ...ProductUser[]];
    process.stderr.write(`${crowd.length} people are registered\n`);
    const coins = [{ tokenContractAddress: mint, weight: '30' }];
    const strategy = { name: 'Under fire', capital: '6', coins, autoClear: true };
    const { slug, bookId } = await send('createStrategy', strategy, creator);
    // All together at most ten times the creator's capital, as followers of a new strategy may have.
    const amount = String(Math.min(0.5, Math.floor(54_000 / Number(followers)) / 1_000));
    const follow = (user: ProductUser, key?: string) =>
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
    const killed: (Kill & { inRound: boolean })[] = [];
    let restarting: Promise<void> = Promise.resolve();
    let fire = (): Promise<unknown> => Promise.resolve();
    const victim = {
      kill: async () => {
        const part = PARTS[killed.length % PARTS.length]!;
        const open = await database.query(`select 1 from trade_order where is_round and state in ('held', 'sent')`);
        // The launcher starts it again by itself, while those who asked still wait for their answers.
        restarting = killOne({ dataDirectory, web, nats: null }, part).then((kill) => {
          killed.push({ ...kill, inRound: open.length > 0 });
        });
      },
      start: () => restarting,
    };
    await killAtRandom(victim, {
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
    const { broken } = await checkInvariants(endpoints);
    const figures = await count(database);
    await database.close();
    const verified = await verify(endpoints, String(slug));
    return {
      kills: Object.fromEntries(PARTS.map((name) => [name, killed.filter(({ part }) => part === name).length])),
      killsInRound: killed.filter(({ inRound }) => inRound).length,
      readyMedianMs: median(killed.map(({ readyMs }) => readyMs)),
      readyMaxMs: Math.max(...killed.map(({ readyMs }) => readyMs)),
      followers: Number(followers),
      ...figures,
      broken,
      verified,
      ok:
        verified &&
        broken.length === 0 &&
        figures.unexplained === 0 &&
        figures.ordersTwice === 0 &&
        figures.leftInClosedBooks === 0 &&
        figures.copiesFilled > 0,
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

async function verify({ web, rpc }: Endpoints, slug: string): Promise<boolean> {
  const file = fileURLToPath(new URL('../../scripts/verify.ts', import.meta.url));
  const args = [file, slug, '--url', web, '--rpc', rpc];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number];
  return code === 0;
}
