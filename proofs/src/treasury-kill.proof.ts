/**
 * Kills the real server at every labelled point of a withdrawal and of a deposit: afterwards the books equal the chain to the lamport,
 * every withdrawal is over, and none was paid twice. Takes how often each point is passed, 3 unless told.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@hunter/solana/keypair';
import type { Address } from '@hunter/solana/address';
import { RpcClient } from '@hunter/solana/rpc-client';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { startChainServices } from '../../apps/server/src/trading/world-for-test.ts';
import { crashPoints } from './crash-points.ts';
import { KillableServer, until, type KillableUser } from './killable-server.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const SOL = 1_000_000_000n;
const USERS = 4;
const REACHED_MS = 90_000;
/** What was asked for by a process that died before the signer heard of it is given back after two minutes. */
const REST_MS = 300_000;

type Wish = { point: string; user: KillableUser; key: string; to: Address; amount: string };

export default async function proveTreasuryKill([rounds = '3']: readonly string[]): Promise<Figures> {
  return withDatabase(async (database, databaseUrl) => {
    const services = await startChainServices();
    const folder = mkdtempSync(join(tmpdir(), 'hunter-treasury-kill-'));
    const rpc = new RpcClient({ url: services.rpcUrl });
    const server = new KillableServer(services, databaseUrl, folder);
    try {
      await server.start();
      const users: KillableUser[] = [];
      for (let index = 0; index < USERS; index += 1) users.push(await server.register());
      const given = new Map(users.map(({ address }) => [address, 10n * SOL]));
      const wishes: Wish[] = [];
      const unreached: string[] = [];
      let deaths = 0;
      for (let round = 0; round < Number(rounds); round += 1) {
        for (const [point, { of }] of Object.entries(crashPoints)) {
          const user = users[(deaths + round) % users.length]!;
          await server.kill();
          await server.start({ crashAt: point }).catch(() => {
            // What an earlier life left open brought it to the point before it was ready.
          });
          if (of === 'deposit') {
            const lamports = BigInt(1_000_000 + wishes.length + deaths);
            await rpc.requestAirdrop(user.address, lamports);
            given.set(user.address, given.get(user.address)! + lamports);
          } else {
            const wish = { point, user, key: randomUUID(), to: Keypair.generate().address, amount: '0.05' };
            wishes.push(wish);
            void withdraw(server, wish).catch(() => {});
          }
          if (await server.died(REACHED_MS)) deaths += 1;
          else unreached.push(point);
        }
      }
      await server.kill();
      await server.start();
      // Whoever heard nothing presses the button again, under the same key.
      await Promise.allSettled(wishes.map((wish) => withdraw(server, wish)));
      await atRest(database);
      const differences = await compare(database, rpc, users);
      const paid = await paidTo(rpc, wishes);
      const states = await database.query<{ state: string; count: bigint }>(
        `select state, count(*) from withdrawal group by state`,
      );
      const finalized = states.find((row) => row.state === 'finalized')?.count ?? 0n;
      const [posted] = await database.query<{ lamports: bigint }>(
        `select coalesce(sum(amount), 0)::numeric(40, 0) as lamports from wallet_movement
         where asset = 'SOL' and amount > 0 and status = 'finalized'`,
      );
      const deposited = [...given.values()].reduce((sum, lamports) => sum + lamports, 0n);
      return {
        points: Object.keys(crashPoints).length,
        rounds: Number(rounds),
        deaths,
        unreached,
        withdrawals: wishes.length,
        states: Object.fromEntries(states.map((row) => [row.state, row.count])),
        paidOnce: paid.once,
        paidTwice: paid.more,
        depositsMissing: deposited - posted!.lamports,
        walletsThatDiffer: differences,
        ok:
          unreached.length === 0 &&
          paid.more.length === 0 &&
          BigInt(paid.once) === finalized &&
          posted!.lamports === deposited &&
          differences.length === 0,
      };
    } finally {
      await server.kill();
      rpc.close();
      await services.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

function withdraw(server: KillableServer, { user, key, to, amount }: Wish): Promise<unknown> {
  const request = { toWallet: to, amount, password: server.password };
  return server.call('POST', '/api/user/withdrawal', request, { token: user.token, 'idempotency-key': key });
}

async function atRest(database: Database): Promise<void> {
  await until(async () => {
    const open = await database.query(
      `select 1 from withdrawal where state in ('requested', 'approved', 'sent', 'confirmed')
       union all select 1 from wallet_movement where status = 'seen' limit 1`,
    );
    return open.length === 0 || undefined;
  }, REST_MS);
}

/** Each went to an address of its own: what stands there tells how often it was paid. */
async function paidTo(rpc: RpcClient, wishes: readonly Wish[]): Promise<{ once: number; more: string[] }> {
  let once = 0;
  const more: string[] = [];
  for (const { point, to } of wishes) {
    const { value } = await rpc.getBalance(to, 'finalized');
    if (value === SOL / 20n) once += 1;
    else if (value !== 0n) more.push(`${point}: ${value}`);
  }
  return { once, more };
}

async function compare(database: Database, rpc: RpcClient, users: readonly KillableUser[]): Promise<string[]> {
  const differing: string[] = [];
  for (const { address } of users) {
    let difference = '';
    const same = await until(async () => {
      const [books] = await database.query<{ lamports: bigint; held: bigint }>(
        `select coalesce(sum(b.amount), 0)::numeric(40, 0) as lamports,
           coalesce(sum(b.amount) filter (where b.account = 'held'), 0)::numeric(40, 0) as held
         from balance b join book k on k.id = b.book_id join wallet w on w.user_id = k.user_id
         where w.address = $1 and b.asset = 'SOL' and b.account in ('cash', 'held')`,
        [address],
      );
      const { value } = await rpc.getBalance(address, 'finalized');
      difference = `${address}: the chain has ${value - books!.lamports} more, ${books!.held} held`;
      return (books!.lamports === value && books!.held === 0n) || undefined;
    }, 30_000).catch(() => false);
    if (!same) differing.push(difference);
  }
  return differing;
}
