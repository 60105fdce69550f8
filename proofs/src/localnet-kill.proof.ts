/**
 * Kills the localnet with SIGKILL at random moments under load: no acknowledged transaction may be lost, none applied
 * twice, and every recovery must take at most 5 seconds. Takes the number of rounds, 200 unless told.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransactionBase64, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { freePortPair } from '../../scripts/free-ports.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { killAtRandom, median } from './kill/kill-at-random.ts';
import { KillableProcess } from './kill/killable-process.ts';

const RECOVERY_MS_MAX = 5_000;
const SENDERS = 8;
const LIFE_MS = [20, 600] as const;
const FEE = 5_000n;
const START_LAMPORTS = 10n ** 15n;
const STATUS_BATCH = 256;

/** One transfer that was handed to the server, and whether it was acknowledged. */
type Transfer = { signature: string; to: string; lamports: bigint; isAcknowledged: boolean };

export default async function proveKill([rounds = '200']: readonly string[]): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-localnet-kill-'));
  const port = await freePortPair();
  const url = `http://127.0.0.1:${port}`;
  const senders = Array.from({ length: SENDERS }, () => Keypair.generate());
  const all: Transfer[] = [];
  let sent: Transfer[] = [];
  const recoveryCpuMs: number[] = [];
  const node = new KillableProcess('apps/localnet/src/main.ts', {
    DATA_DIR: folder,
    LOCALNET_PORT: String(port),
    LOCALNET_MARKET: 'off',
  });
  try {
    await node.start();
    for (const sender of senders) await call(url, 'requestAirdrop', [sender.address, Number(START_LAMPORTS)]);
    // There is something to lose from the first kill on, however soon it comes.
    await Promise.all(senders.map(async (sender) => send(url, sender, await latestBlockhash(url), all)));
    const { startMs } = await killAtRandom(node, {
      kills: Number(rounds),
      lifeMs: LIFE_MS,
      load: () => {
        sent = [];
        return Promise.all(senders.map((sender) => sendUntilKilled(url, sender, sent)));
      },
      restarted: async () => {
        recoveryCpuMs.push(cpuMs(node.pid!));
        await check(url, sent);
        all.push(...sent);
      },
    });
    await check(url, all);
    await checkSenders(url, senders, all);
    const slowest = Math.max(...startMs);
    return {
      kills: Number(rounds),
      acknowledged: all.filter((transfer) => transfer.isAcknowledged).length,
      unanswered: all.filter((transfer) => !transfer.isAcknowledged).length,
      lost: 0,
      appliedTwice: 0,
      recoveryMedianMs: median(startMs),
      recoveryMaxMs: Math.round(slowest),
      recoveryCpuMaxMs: Math.max(...recoveryCpuMs),
      recoveryMsLimit: RECOVERY_MS_MAX,
      ok: slowest <= RECOVERY_MS_MAX,
    };
  } finally {
    await node.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a start took of the processors, which says how much of a slow one was waiting for others; 0 without /proc. */
function cpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

async function sendUntilKilled(url: string, sender: Keypair, sent: Transfer[]): Promise<void> {
  try {
    for (;;) {
      const blockhash = await latestBlockhash(url);
      for (let i = 0; i < 20; i += 1) await send(url, sender, blockhash, sent);
    }
  } catch (error) {
    // A refused connection or a cut answer is what a kill looks like from here; an answer with an error is not.
    if (error instanceof RpcFailure) throw error;
  }
}

async function latestBlockhash(url: string): Promise<string> {
  const reply = await call(url, 'getLatestBlockhash', [{ commitment: 'processed' }]);
  return (reply as { value: { blockhash: string } }).value.blockhash;
}

async function send(url: string, sender: Keypair, blockhash: string, sent: Transfer[]): Promise<void> {
  // A new receiver each time, so that a transfer applied twice shows in its balance.
  const to = Keypair.generate().address;
  const lamports = BigInt(randomInt(1_000_000, 2_000_000));
  const message = compileMessage({
    feePayer: sender.address,
    recentBlockhash: blockhash,
    instructions: [transferSol({ from: sender.address, to, lamports })],
  });
  const transaction = signTransaction(transactionFromMessage(message), [sender]);
  const transfer: Transfer = { signature: '', to, lamports, isAcknowledged: false };
  sent.push(transfer);
  const wire = encodeTransactionBase64(transaction);
  transfer.signature = (await call(url, 'sendTransaction', [wire, { encoding: 'base64' }])) as string;
  transfer.isAcknowledged = true;
}

class RpcFailure extends Error {}

async function call(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: '1', method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new RpcFailure(`${method}: ${error.message}`);
  return result;
}

/** Acknowledged transfers are known and applied once; the others are applied once or not at all. */
async function check(url: string, transfers: Transfer[]): Promise<void> {
  for (let at = 0; at < transfers.length; at += STATUS_BATCH) {
    const part = transfers.slice(at, at + STATUS_BATCH);
    const acknowledged = part.filter((transfer) => transfer.isAcknowledged);
    const signatures = acknowledged.map((transfer) => transfer.signature);
    const { value } = (await call(url, 'getSignatureStatuses', [signatures, { searchTransactionHistory: true }])) as {
      value: ({ err: unknown } | null)[];
    };
    value.forEach((status, i) => {
      if (status === null || status.err !== null) throw new Error(`lost: ${acknowledged[i]!.signature}`);
    });
    for (const transfer of part) {
      const [balance, history] = (await Promise.all([
        call(url, 'getBalance', [transfer.to, { commitment: 'processed' }]),
        call(url, 'getSignaturesForAddress', [transfer.to, { commitment: 'confirmed' }]),
      ])) as [{ value: number }, { signature: string }[]];
      const isApplied = BigInt(balance.value) === transfer.lamports;
      if (transfer.isAcknowledged && !isApplied) throw new Error(`${transfer.to} holds ${balance.value}`);
      if (!isApplied && balance.value !== 0) throw new Error(`${transfer.to} holds ${balance.value}`);
      if (history.length !== (isApplied ? 1 : 0)) throw new Error(`${transfer.to} has a history of ${history.length}`);
      if (transfer.isAcknowledged && history[0]?.signature !== transfer.signature) throw new Error('another signature');
    }
  }
}

/** Every lamport that left the senders arrived or was a fee. */
async function checkSenders(url: string, senders: Keypair[], transfers: Transfer[]): Promise<void> {
  let received = 0n;
  let applied = 0n;
  for (const transfer of transfers) {
    const { value } = (await call(url, 'getBalance', [transfer.to, { commitment: 'processed' }])) as { value: number };
    received += BigInt(value);
    if (value > 0) applied += 1n;
  }
  let left = 0n;
  for (const sender of senders) {
    const { value } = (await call(url, 'getBalance', [sender.address, { commitment: 'processed' }])) as {
      value: number;
    };
    left += BigInt(value);
  }
  const expected = START_LAMPORTS * BigInt(senders.length);
  if (left + received + applied * FEE !== expected) throw new Error('lamports appeared or vanished');
}
