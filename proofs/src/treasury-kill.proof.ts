/**
 * Kills the real server at every labelled point of a withdrawal and of a deposit: afterwards the books equal the chain to the lamport,
 * every withdrawal is over, and none was paid twice. Takes how often each point is passed, 3 unless told.
 */
import { randomUUID } from 'node:crypto';
import { Keypair } from '@hunter/solana/keypair';
import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { insist } from '../../scripts/product-client.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { crashPoints } from './kill/crash-points.ts';
import { withKillableServer, type KillableServer, type KillableUser } from './kill/killable-server.ts';

const SOL = 1_000_000_000n;
const USERS = 4;
const REACHED_MS = 90_000;

type Withdrawal = { point: string; user: KillableUser; key: string; to: Address; amount: string };

export default async function proveTreasuryKill([rounds = '3']: readonly string[]): Promise<Figures> {
  return withKillableServer(async ({ server, database, rpc, invariants }) => {
    const users = await server.registerAll(USERS);
    let deposited = BigInt(USERS) * 10n * SOL;
    const withdrawals: Withdrawal[] = [];
    const unreached: string[] = [];
    let deaths = 0;
    for (let round = 0; round < Number(rounds); round += 1) {
      for (const [point, { of }] of Object.entries(crashPoints)) {
        const user = users[(deaths + round) % users.length]!;
        await server.kill();
        await server.startAndCrashAt(point).catch(() => {
          // What an earlier life left open brought it to the point before it was ready.
        });
        if (of === 'deposit') {
          const lamports = BigInt(1_000_000 + withdrawals.length + deaths);
          await rpc.requestAirdrop(user.address, lamports);
          deposited += lamports;
        } else {
          const asked = { point, user, key: randomUUID(), to: Keypair.generate().address, amount: '0.05' };
          withdrawals.push(asked);
          void withdraw(server, asked).catch(() => {});
        }
        if (await server.died(REACHED_MS)) deaths += 1;
        else unreached.push(point);
      }
    }
    await server.kill();
    await server.start();
    // Whoever heard nothing presses the button again, under the same key.
    await Promise.allSettled(withdrawals.map((asked) => withdraw(server, asked)));
    const { broken } = await invariants();
    const paid = await paidTo(rpc, withdrawals);
    const states = await database.query<{ state: string; count: bigint }>(
      `select state, count(*) from withdrawal group by state`,
    );
    const finalized = states.find((row) => row.state === 'finalized')?.count ?? 0n;
    const [posted] = await database.query<{ lamports: bigint }>(
      `select coalesce(sum(amount), 0)::numeric(40, 0) as lamports from wallet_movement
       where asset = 'SOL' and amount > 0 and status = 'finalized'`,
    );
    return {
      points: Object.keys(crashPoints).length,
      rounds: Number(rounds),
      deaths,
      unreached,
      withdrawals: withdrawals.length,
      states: Object.fromEntries(states.map((row) => [row.state, row.count])),
      paidOnce: paid.once,
      paidTwice: paid.more,
      depositsMissing: deposited - posted!.lamports,
      broken,
      ok:
        unreached.length === 0 &&
        paid.more.length === 0 &&
        BigInt(paid.once) === finalized &&
        posted!.lamports === deposited &&
        broken.length === 0,
    };
  });
}

function withdraw(server: KillableServer, { user, key, to, amount }: Withdrawal): Promise<unknown> {
  const request = { toWallet: to, amount, password: user.password };
  return insist(server.url, 'withdrawal', request, { token: user.token, idempotencyKey: key });
}

/** Each went to an address of its own: what stands there tells how often it was paid. */
async function paidTo(rpc: RpcClient, withdrawals: readonly Withdrawal[]): Promise<{ once: number; more: string[] }> {
  let once = 0;
  const more: string[] = [];
  for (const { point, to } of withdrawals) {
    const { value } = await rpc.getBalance(to, 'finalized');
    if (value === SOL / 20n) once += 1;
    else if (value !== 0n) more.push(`${point}: ${value}`);
  }
  return { once, more };
}
