/**
 * Kills the real server with SIGKILL at random moments while users trade: afterwards every order must end, the books must
 * equal the chain to the lamport, and no request may have traded twice. Takes the number of kills, 100 unless told.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Address } from '@hunter/solana/address';
import { RpcClient } from '@hunter/solana/rpc-client';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { startChainServices, type ChainServices } from '../../apps/server/src/trading/world-for-test.ts';
import type { Figures } from './run-named.ts';
import { withDatabase } from './temporary-database.ts';

const USERS = 6;
const LIFE_MS_MAX = 1_500;
const PASSWORD = 'correct horse battery 7';

type Server = { child: ChildProcess; url: string };
type User = { token: string; address: Address };

export default async function proveTradeKill([kills = '100']: readonly string[]): Promise<Figures> {
  return withDatabase(async (database, databaseUrl) => {
    const services = await startChainServices();
    const folder = mkdtempSync(join(tmpdir(), 'hunter-trade-kill-'));
    const rpc = new RpcClient({ url: services.rpcUrl });
    let server = await startServer(services, databaseUrl, folder);
    try {
      const mint = await deepToken(services.venueUrl);
      const users: User[] = [];
      for (let index = 0; index < USERS; index += 1) users.push(await register(server, rpc));
      let requests = 0;
      const retries: Promise<unknown>[] = [];
      for (let kill = 0; kill < Number(kills); kill += 1) {
        const keys = users.map(() => randomUUID());
        const fire = () =>
          Promise.allSettled(users.map((user, index) => trade(server, user, mint, keys[index]!, kill + index)));
        const first = fire();
        requests += users.length;
        await delay(randomInt(5, LIFE_MS_MAX));
        const gone = once(server.child, 'exit');
        server.child.kill('SIGKILL');
        await gone;
        await first;
        server = await startServer(services, databaseUrl, folder);
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
      server.child.kill('SIGKILL');
      rpc.close();
      await services.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function startServer(services: ChainServices, databaseUrl: string, folder: string): Promise<Server> {
  const file = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [file], {
    env: {
      ...process.env,
      HUNTER_MODE: 'local',
      PORT: '0',
      HOST: '127.0.0.1',
      CHAIN_ID: '501_1',
      DATABASE_URL: databaseUrl,
      SOLANA_RPC_URL: services.rpcUrl,
      SOLANA_WS_URL: services.rpcWs,
      VENUE_URL: services.venueUrl,
      SIGNER_SOCKET: services.signerSocket,
      SIGNER_TOKEN: services.signerToken,
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      WEB_DIR: folder,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{"ready":true')) resolve((JSON.parse(line) as { web: string }).web);
    });
  });
  return { child, url };
}

async function register(server: Server, rpc: RpcClient): Promise<User> {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  await call(server, 'POST', '/api/login/sendEmailCode', { email });
  const verificationCode = await until(async () => {
    const { lists } = await call<{ lists: { code: string }[] }>(server, 'GET', `/api/dev/mailbox?email=${email}`);
    return lists[0]?.code;
  });
  const body = {
    email,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    verificationCode,
    inviteCode: 'HUNTER',
    agreement: true,
  };
  const reply = await call<{ token: string; wallet: { address: string } }>(server, 'POST', '/api/login/register', body);
  const address = reply.wallet.address as Address;
  await until(async () => (await rpc.getBalance(address)).value > 0n || undefined);
  const { token } = reply;
  await until(async () => {
    const wallet = await call<{ walletInfo: { available: string } }>(server, 'GET', '/api/user/myWallet', undefined, {
      token,
    });
    return wallet.walletInfo.available === '0' ? undefined : true;
  });
  return { token, address };
}

function trade(server: Server, user: User, mint: string, key: string, turn: number): Promise<unknown> {
  const headers = { token: user.token, 'idempotency-key': key };
  return turn % 3 === 2
    ? call(server, 'POST', '/api/token/tokenClose', { tokenContractAddress: mint, slippageBps: 3_000 }, headers)
    : call(
        server,
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
async function compare(database: Database, rpc: RpcClient, users: readonly User[]): Promise<string[]> {
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

async function call<Data>(
  server: Server,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Data> {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const reply = (await response.json()) as { code: number; msg: string; data: Data };
  if (reply.code !== 200) throw new Error(`${path}: ${reply.code} ${reply.msg}`);
  return reply.data;
}

async function until<Value>(look: () => Promise<Value | undefined>, timeoutMs = 60_000): Promise<Value> {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() > deadlineMs) throw new Error('it did not happen in time');
    await delay(200);
  }
}
