/**
 * One pass of reconciliation over all wallets against a bare loop of getMultipleAccounts (100 each) over all known accounts, the same
 * node and the same run. Bar: at most 1.5 times as long. Shown beside: how far the heap grows meanwhile.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { encodeBase58 } from '@hunter/solana/base58';
import { addressBytes, type Address } from '@hunter/solana/address';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { RpcClient } from '@hunter/solana/rpc-client';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { Reconciliation } from '../../apps/server/src/trading/reconciliation.ts';
import { loadAccountsBetween } from '../../apps/server/src/treasury/watched-addresses.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const BAR = 1.5;
const ROUNDS = 3;
const BATCH = 5_000;
/** Each look takes a millisecond of the pass. */
const HEAP_EVERY_MS = 100;
const LAMPORTS = 7_000_000_000n;
const TOKENS = 3_000_000n;

export default async function measureReconcile([walletCount = '100000']: readonly string[]): Promise<Figures> {
  return withDatabase(async (database) => {
    const { addresses, accounts } = await seed(database, Number(walletCount));
    const node = new Worker(new URL('accounts-node.ts', import.meta.url), { workerData: { addresses, accounts } });
    const [{ port }] = (await once(node, 'message')) as [{ port: number }];
    const rpc = new RpcClient({ url: `http://127.0.0.1:${port}` });
    let differences = -1;
    const subject = new Reconciliation({
      database,
      rpc,
      clock: systemClock,
      log: createLog('error'),
      report: (_, count) => {
        differences = count;
      },
      accountsBetween: loadAccountsBetween,
    });
    try {
      const passes: number[] = [];
      const loops: number[] = [];
      let grownMb = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        loops.push(await timed(() => bareLoop(rpc, addresses)));
        const heap = watchHeap();
        passes.push(await timed(() => subject.pass()));
        grownMb = Math.max(grownMb, heap());
      }
      const [passMs, loopMs] = [median(passes), median(loops)];
      const ratio = passMs / loopMs;
      return {
        wallets: Number(walletCount),
        accounts: addresses.length,
        passMs: Math.round(passMs),
        bareLoopMs: Math.round(loopMs),
        ratio: Number(ratio.toFixed(2)),
        bar: BAR,
        differences,
        heapGrownMb: Math.round(grownMb),
        passed: ratio <= BAR && differences === 0,
      };
    } finally {
      rpc.close();
      await node.terminate();
    }
  });
}

/** Each wallet has SOL and one token, in its books and on the chain. */
async function seed(database: Database, count: number): Promise<{ addresses: Address[]; accounts: string[] }> {
  const anAddress = () => encodeBase58(randomBytes(32)) as Address;
  const mints = Array.from({ length: 200 }, anAddress);
  const addresses: Address[] = [];
  const accounts: string[] = [];
  for (let start = 0; start < count; start += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - start) }, () => randomUUID());
    const wallets = ids.map(anAddress);
    const tokenAccounts = ids.map(anAddress);
    const held = ids.map((_, index) => mints[index % mints.length]!);
    await database.write(
      `insert into users (id, email, email_key, password_hash, display_name) select id, id, id, '', id from unnest($1::uuid[]) id`,
      [ids],
    );
    await database.write(
      `insert into wallet (id, user_id, kind, address, envelope) select id, id, 'personal', address, '' from unnest($1::uuid[], $2::text[]) v (id, address)`,
      [ids, wallets],
    );
    await database.write(
      `insert into book (id, user_id, wallet_id, kind, name) select id, id, id, 'personal', '' from unnest($1::uuid[]) id`,
      [ids],
    );
    await database.write(
      `insert into holding (book_id, asset, cash)
       select id, 'SOL', $3::numeric from unnest($1::uuid[]) id
       union all select id, mint, $4 from unnest($1::uuid[], $2::text[]) v (id, mint)`,
      [ids, held, LAMPORTS, TOKENS],
    );
    await database.write(
      `insert into watched_address (address, user_id, wallet_id, wallet_address)
       select wallet, id, id, wallet from unnest($1::uuid[], $2::text[]) v (id, wallet)
       union all select account, id, id, wallet from unnest($1::uuid[], $2::text[], $3::text[]) v (id, wallet, account)`,
      [ids, wallets, tokenAccounts],
    );
    wallets.forEach((wallet, index) => {
      addresses.push(wallet, tokenAccounts[index]!);
      accounts.push(accountText(SYSTEM_PROGRAM, LAMPORTS, new Uint8Array()));
      accounts.push(accountText(TOKEN_PROGRAM, 2_039_280n, tokenData(held[index]!, wallet)));
    });
  }
  await database.query('vacuum analyze');
  return { addresses, accounts };
}

function tokenData(mint: Address, owner: Address): Uint8Array {
  const data = new Uint8Array(165);
  data.set(addressBytes(mint));
  data.set(addressBytes(owner), 32);
  new DataView(data.buffer).setBigUint64(64, TOKENS, true);
  data[108] = 1;
  return data;
}

function accountText(owner: Address, lamports: bigint, data: Uint8Array): string {
  const base64 = Buffer.from(data).toString('base64');
  return `{"lamports":${lamports},"owner":"${owner}","data":["${base64}","base64"],"executable":false,"rentEpoch":0,"space":${data.length}}`;
}

async function bareLoop(rpc: RpcClient, addresses: readonly Address[]): Promise<void> {
  for (let start = 0; start < addresses.length; start += 100) {
    await rpc.getMultipleAccounts(addresses.slice(start, start + 100), 'finalized');
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Answers by how many megabytes the heap grew at most. */
function watchHeap(): () => number {
  const before = process.memoryUsage().heapUsed;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().heapUsed);
  }, HEAP_EVERY_MS);
  return () => {
    clearInterval(timer);
    return (most - before) / 2 ** 20;
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}
