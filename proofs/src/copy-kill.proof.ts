/**
 * Kills the real server with SIGKILL at random moments while a creator trades and followers come and go: afterwards each follow must
 * have one fill or one explained skip per round, closed books must be empty, books must equal the chain to the lamport, and the
 * strategy's page must be what the chain says. Arguments: kills, followers.
 */
import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RpcClient } from '@hunter/solana/rpc-client';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { startChainServices } from '../../apps/server/src/trading/world-for-test.ts';
import { KillableServer, until, type KillableUser } from './killable-server.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const LIFE_MS_MAX = 1_500;
const SETTLE_MS = 240_000;
const PARALLEL = 25;

export default async function proveCopyKill([kills = '40', followers = '16']: readonly string[]): Promise<Figures> {
  return withDatabase(async (database, databaseUrl) => {
    const services = await startChainServices();
    const folder = mkdtempSync(join(tmpdir(), 'hunter-copy-kill-'));
    const rpc = new RpcClient({ url: services.rpcUrl });
    const server = new KillableServer(services, databaseUrl, folder);
    await server.start();
    try {
      const mint = await deepToken(services.venueUrl);
      const creator = await server.register();
      const crowd = await atATime(Number(followers), () => server.register());
      const strategy = await server.call<{ slug: string; bookId: string }>(
        'POST',
        '/api/strategy/create_strategy',
        {
          name: 'Under fire',
          capital: '6',
          coins: [{ tokenContractAddress: mint, weight: '30' }],
          autoClear: true,
        },
        headers(creator),
      );
      await atATime(crowd.length, (index) => follow(server, crowd[index]!, strategy.slug));
      for (let kill = 0; kill < Number(kills); kill += 1) {
        const key = randomUUID();
        const leaving = crowd[randomInt(crowd.length)]!;
        const coming = crowd[randomInt(crowd.length)]!;
        const fire = () =>
          Promise.allSettled([
            trade(server, creator, strategy.bookId, mint, key, kill),
            server.call('POST', '/api/strategy/cancel_follow', { slug: strategy.slug }, headers(leaving)),
            follow(server, coming, strategy.slug),
          ]);
        const first = fire();
        await delay(randomInt(5, LIFE_MS_MAX));
        await server.kill();
        await first;
        await server.start();
        // Whoever heard nothing asks again under the same key, as a client would.
        await fire();
      }
      await settled(database);
      const figures = await check(database, rpc, [creator, ...crowd]);
      const verified = await verify(server.url, services.rpcUrl, services.venueUrl, strategy.slug);
      return {
        kills: Number(kills),
        followers: Number(followers),
        ...figures,
        verified,
        ok:
          verified &&
          figures.unexplained === 0 &&
          figures.ordersTwice === 0 &&
          figures.tradedTwice === 0 &&
          figures.leftInClosedBooks === 0 &&
          figures.walletsThatDiffer.length === 0,
      };
    } finally {
      await server.kill();
      rpc.close();
      await services.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** `count` times, some of them beside each other. */
async function atATime<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let start = 0; start < count; start += PARALLEL) {
    const part = Array.from({ length: Math.min(PARALLEL, count - start) }, (_, place) => work(start + place));
    done.push(...(await Promise.all(part)));
  }
  return done;
}

function headers(user: KillableUser, key: string = randomUUID()): Record<string, string> {
  return { token: user.token, 'idempotency-key': key };
}

function follow(server: KillableServer, user: KillableUser, slug: string): Promise<unknown> {
  return server.call('POST', '/api/strategy/follow_strategy', { slug, mode: 'sol', amount: '0.5' }, headers(user));
}

function trade(
  server: KillableServer,
  creator: KillableUser,
  bookId: string,
  mint: string,
  key: string,
  turn: number,
): Promise<unknown> {
  const order = { tokenContractAddress: mint, bookId, slippageBps: 3_000 };
  if (turn % 5 === 4) return server.call('POST', '/api/token/tokenClose', order, headers(creator, key));
  return server.call(
    'POST',
    '/api/token/tokenTransfer',
    { ...order, side: 'buy', amount: '0.2' },
    headers(creator, key),
  );
}

async function settled(database: Database): Promise<void> {
  await until(async () => {
    const open = await database.query(
      `select 1 from trade_order where state in ('held', 'sent')
       union all select 1 from copy_round where state = 'planned'
       union all select 1 from follow where status in ('opening', 'closing') limit 1`,
    );
    return open.length === 0 || undefined;
  }, SETTLE_MS);
}

async function check(database: Database, rpc: RpcClient, users: readonly KillableUser[]) {
  const count = async (text: string): Promise<number> =>
    (await database.query<{ count: number }>(`select count(*)::int as count from (${text}) x`))[0]!.count;
  const walletsThatDiffer: string[] = [];
  for (const { address } of users) {
    const same = await until(async () => {
      const [books] = await database.query<{ lamports: bigint }>(
        `select coalesce(sum(b.amount), 0)::numeric(40, 0) as lamports from balance b join book k on k.id = b.book_id
         join wallet w on w.user_id = k.user_id
         where w.address = $1 and b.asset = 'SOL' and b.account in ('cash', 'held')`,
        [address],
      );
      return books!.lamports === (await rpc.getBalance(address)).value || undefined;
    }, 20_000).catch(() => false);
    if (!same) walletsThatDiffer.push(address);
  }
  return {
    rounds: await count(`select 1 from copy_round`),
    copiesFilled: await count(`select 1 from copy where state = 'filled'`),
    copiesSkipped: await count(`select 1 from copy where state = 'skipped'`),
    unexplained: await count(
      `select 1 from copy where state = 'pending' or (state = 'skipped') <> (reason is not null)`,
    ),
    ordersTwice: await count(
      `select 1 from trade_order where kind = 'copy' group by book_id, parent_id having count(*) > 1`,
    ),
    tradedTwice: await count(
      `select 1 from order_attempt where state = 'landed' group by order_id having count(*) > 1`,
    ),
    leftInClosedBooks: await count(
      `select 1 from balance b join book k on k.id = b.book_id where k.status = 'closed' and b.amount > 0`,
    ),
    walletsThatDiffer,
  };
}

async function verify(web: string, rpc: string, venue: string, slug: string): Promise<boolean> {
  const file = fileURLToPath(new URL('../../scripts/verify/main.ts', import.meta.url));
  const child = spawn(process.execPath, [file, slug, '--url', web, '--rpc', rpc, '--venue', venue], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number];
  return code === 0;
}

async function deepToken(venueUrl: string): Promise<string> {
  const reply = await fetch(`${venueUrl}/tokens/v2/toptraded/24h?limit=50`);
  const rows = (await reply.json()) as { id: string; tokenProgram: string; liquidity: number }[];
  const plain = rows.filter((row) => row.tokenProgram.startsWith('Tokenkeg'));
  return plain.sort((left, right) => right.liquidity - left.liquidity)[0]!.id;
}
