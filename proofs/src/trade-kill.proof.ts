/**
 * Kills the real server with SIGKILL at random moments while users trade: afterwards every order must end, the books must
 * equal the chain to the lamport, and no request may have traded twice. Takes the number of kills, 100 unless told.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RpcClient } from '@hunter/solana/rpc-client';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { startChainServices } from '../../apps/server/src/trading/world-for-test.ts';
import { KillableServer, until, type KillableUser } from './killable-server.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const USERS = 6;
const LIFE_MS_MAX = 1_500;

export default async function proveTradeKill([kills = '100']: readonly string[]): Promise<Figures> {
  return withDatabase(async (database, databaseUrl) => {
    const services = await startChainServices();
    const folder = mkdtempSync(join(tmpdir(), 'hunter-trade-kill-'));
    const rpc = new RpcClient({ url: services.rpcUrl });
    const server = new KillableServer(services, databaseUrl, folder);
    try {
      await server.start();
      const mint = await deepToken(services.venueUrl);
      const users: KillableUser[] = [];
      for (let index = 0; index < USERS; index += 1) users.push(await server.register());
      let requests = 0;
      const retries: Promise<unknown>[] = [];
      for (let kill = 0; kill < Number(kills); kill += 1) {
        const keys = users.map(() => randomUUID());
        const fire = () =>
          Promise.allSettled(users.map((user, index) => trade(server, user, mint, keys[index]!, kill + index)));
        const first = fire();
        requests += users.length;
        await delay(randomInt(5, LIFE_MS_MAX));
        await server.kill();
        await first;
        await server.start();
        // Whoever heard nothing asks again under the same key, as a client would, and may be cut off once more.
        retries.push(fire());
      }
      await Promise.all(retries);
      await ended(database);
      const differences = await compare(database, rpc, users);
      const twice = await database.query(
        `select order_id from order_attempt where state = 'landed' group by order_id having count(*) > 1`,
      );
      const [counted] = await database.query<{ orders: bigint; filled: bigint }>(
        `select count(*) as orders, count(*) filter (where state in ('confirmed', 'finalized')) as filled from trade_order`,
      );
      return {
        kills: Number(kills),
        requests,
        orders: counted!.orders,
        filled: counted!.filled,
        ordersTradedTwice: twice.length,
        walletsThatDiffer: differences,
        ok: differences.length === 0 && twice.length === 0 && Number(counted!.orders) <= requests,
      };
    } finally {
      await server.kill();
      rpc.close();
      await services.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

function trade(server: KillableServer, user: KillableUser, mint: string, key: string, turn: number): Promise<unknown> {
  const headers = { token: user.token, 'idempotency-key': key };
  return turn % 3 === 2
    ? server.call('POST', '/api/token/tokenClose', { tokenContractAddress: mint, slippageBps: 3_000 }, headers)
    : server.call(
        'POST',
        '/api/token/tokenTransfer',
        { tokenContractAddress: mint, side: 'buy', amount: '0.02', slippageBps: 3_000 },
        headers,
      );
}

async function ended(database: Database): Promise<void> {
  await until(async () => {
    const open = await database.query(`select 1 from trade_order where state in ('held', 'sent') limit 1`);
    return open.length === 0 || undefined;
  }, 180_000);
}

/** Wallets whose books are not what the chain says. Rents may be on their way back, so a wallet gets several looks. */
async function compare(database: Database, rpc: RpcClient, users: readonly KillableUser[]): Promise<string[]> {
  const differing: string[] = [];
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
    if (!same) differing.push(address);
  }
  return differing;
}

async function deepToken(venueUrl: string): Promise<string> {
  const rows = (await (await fetch(`${venueUrl}/tokens/v2/toptraded/24h?limit=50`)).json()) as {
    id: string;
    tokenProgram: string;
    liquidity: number;
  }[];
  const plain = rows.filter((row) => row.tokenProgram.startsWith('Tokenkeg'));
  return plain.sort((left, right) => right.liquidity - left.liquidity)[0]!.id;
}
