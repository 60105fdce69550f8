/**
 * The localnet's RPC against what lies under it: signed swaps accepted over HTTP with durability on, against LiteSVM
 * executing the same transactions in a plain loop, and getBalance and getAccountInfo against a bare HTTP echo. The bars
 * are 60 % and 50 %. Takes the number of swaps and of rounds, or `idle` and minutes for what it takes when nobody asks.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '@hunter/solana/address';
import { addressBytes } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { transferSol } from '@hunter/solana/system-program';
import { createAssociatedTokenAccountIdempotent, transferChecked } from '@hunter/solana/token-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { freePortPair } from '../../scripts/free-ports.ts';
import { measureIdle } from './localnet-idle.ts';
import { encodePost, postAll } from './keep-alive-client.ts';
import type { Figures } from '../../scripts/run-named.ts';

const SWAP_RATIO_MIN = 0.6;
const READ_RATIO_MIN = 0.5;
const DECIMALS = 6;
const CLIENTS = 64;

type BenchAccount = { address: Address; lamports: bigint; owner: Address; data: Uint8Array };
type Swap = { taker: Keypair; lamports: bigint };

export default async function measureLocalnet(args: readonly string[]): Promise<Figures> {
  const [size = '1500', rounds = '7'] = args;
  if (size === 'idle') return measureIdle(Number(args[1] ?? '10'), await freePortPair());
  const folder = mkdtempSync(join(tmpdir(), 'hunter-bench-localnet-'));
  const swapCount = Number(size);
  const roundCount = Number(rounds);
  const pool = Keypair.generate();
  const mint = Keypair.generate().address;
  const takers = Array.from({ length: swapCount }, () => Keypair.generate());
  const accounts = startingAccounts(pool.address, mint, takers);
  const children: ChildProcess[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  try {
    const echoPort = await freePortPair();
    children.push(await startEcho(echoPort));
    const port = await freePortPair();
    const files = accounts.flatMap((account) => ['--account', account.address, accountFile(folder, account)]);
    children.push(await startLocalnet(['--port', String(port), '--data', join(folder, 'data'), ...files]));
    const loops: number[] = [];
    const overHttp: number[] = [];
    const echo: number[] = [];
    const balance: number[] = [];
    const info: number[] = [];
    // Each round creates token accounts in the first pass and finds them in the others; both sides do the same work.
    for (let round = 0; round < roundCount; round += 1) {
      const swaps = takers.map((taker, i) => ({ taker, lamports: 1_000_000n + BigInt(i + round * swapCount) }));
      const blockhash = await latestBlockhash(agent, port);
      const wires = swaps.map((swap) => swapWire(swap, pool, mint, blockhash));
      loops.push(await plainLoop(folder, accounts, wires, loops.length));
      overHttp.push(await sendAll(port, wires));
      const reads = swapCount * 2;
      const getBalance = rpcBody('getBalance', [takers[0]!.address, { commitment: 'confirmed' }]);
      const getInfo = rpcBody('getAccountInfo', [mint, { commitment: 'confirmed', encoding: 'base64' }]);
      echo.push(
        await callAll(
          agent,
          echoPort,
          Array.from({ length: reads }, () => getBalance),
        ),
      );
      balance.push(
        await callAll(
          agent,
          port,
          Array.from({ length: reads }, () => getBalance),
        ),
      );
      info.push(
        await callAll(
          agent,
          port,
          Array.from({ length: reads }, () => getInfo),
        ),
      );
    }
    // Round by round: the machine may be slower in one than in the next.
    const ratio = (values: number[], baseline: number[]): number =>
      median(values.map((value, round) => value / baseline[round]!));
    const swapRatio = ratio(overHttp, loops);
    const balanceRatio = ratio(balance, echo);
    const infoRatio = ratio(info, echo);
    return {
      swaps: swapCount,
      rounds: roundCount,
      liteSvmSwapsPerSecond: Math.round(median(loops)),
      httpSwapsPerSecond: Math.round(median(overHttp)),
      swapRatio: Number(swapRatio.toFixed(3)),
      swapRatioMin: SWAP_RATIO_MIN,
      echoPerSecond: Math.round(median(echo)),
      getBalancePerSecond: Math.round(median(balance)),
      getAccountInfoPerSecond: Math.round(median(info)),
      balanceRatio: Number(balanceRatio.toFixed(3)),
      accountInfoRatio: Number(infoRatio.toFixed(3)),
      readRatioMin: READ_RATIO_MIN,
      ok: swapRatio >= SWAP_RATIO_MIN && balanceRatio >= READ_RATIO_MIN && infoRatio >= READ_RATIO_MIN,
    };
  } finally {
    agent.destroy();
    if (loopProcess !== null) children.push(loopProcess);
    for (const child of children) await stop(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

function startingAccounts(pool: Address, mint: Address, takers: Keypair[]): BenchAccount[] {
  const supply = 10n ** 18n;
  const mintData = Buffer.alloc(82);
  mintData.writeBigUInt64LE(supply, 36);
  mintData[44] = DECIMALS;
  mintData[45] = 1;
  const vaultData = Buffer.alloc(165);
  vaultData.set(addressBytes(mint), 0);
  vaultData.set(addressBytes(pool), 32);
  vaultData.writeBigUInt64LE(supply, 64);
  vaultData[108] = 1;
  const wallet = (address: Address): BenchAccount => ({
    address,
    lamports: 10n ** 12n,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(),
  });
  return [
    { address: mint, lamports: 10n ** 9n, owner: TOKEN_PROGRAM, data: mintData },
    { address: associatedTokenAddress(pool, mint), lamports: 10n ** 9n, owner: TOKEN_PROGRAM, data: vaultData },
    wallet(pool),
    ...takers.map(({ address }) => wallet(address)),
  ];
}

/** What the venue builds for a buy: the token account if it is missing, SOL one way, tokens the other. */
function swapWire({ taker, lamports }: Swap, pool: Keypair, mint: Address, blockhash: string): Uint8Array {
  const message = compileMessage({
    feePayer: taker.address,
    recentBlockhash: blockhash,
    instructions: [
      createAssociatedTokenAccountIdempotent({ payer: taker.address, owner: taker.address, mint }),
      transferSol({ from: taker.address, to: pool.address, lamports }),
      transferChecked({
        source: associatedTokenAddress(pool.address, mint),
        mint,
        destination: associatedTokenAddress(taker.address, mint),
        owner: pool.address,
        amount: lamports,
        decimals: DECIMALS,
      }),
    ],
  });
  return encodeTransaction(signTransaction(transactionFromMessage(message), [taker, pool]));
}

function accountFile(folder: string, account: BenchAccount): string {
  const file = join(folder, `${account.address}.json`);
  const data = [Buffer.from(account.data).toString('base64'), 'base64'];
  const { lamports, owner } = account;
  const text = `{"pubkey":"${account.address}","account":{"lamports":${lamports},"data":${JSON.stringify(data)},"owner":"${owner}","executable":false,"rentEpoch":0}}`;
  writeFileSync(file, text);
  return file;
}

// The loop keeps its state from round to round in a process of its own, as the server does.
let loopProcess: ChildProcess | null = null;

async function plainLoop(
  folder: string,
  accounts: BenchAccount[],
  wires: Uint8Array[],
  round: number,
): Promise<number> {
  if (round === 0) {
    writeFileSync(
      join(folder, 'loop.json'),
      JSON.stringify(
        accounts.map(({ address, lamports, owner, data }) => ({
          address,
          lamports: lamports.toString(),
          owner,
          data: Buffer.from(data).toString('base64'),
        })),
      ),
    );
    loopProcess = spawn(process.execPath, [join(import.meta.dirname, 'litesvm-loop.ts'), join(folder, 'loop.json')], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(loopProcess, 'message');
  }
  const child = loopProcess!;
  child.send(wires.map((wire) => Buffer.from(wire).toString('base64')));
  const [milliseconds] = (await once(child, 'message')) as [number];
  return (wires.length * 1000) / milliseconds;
}

async function startLocalnet(args: string[]): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../apps/localnet/src/cli.ts'), '--no-market', ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return child;
}

async function startEcho(port: number): Promise<ChildProcess> {
  const script = `require('node:http').createServer((q,s)=>{const c=[];q.on('data',d=>c.push(d));q.on('end',()=>{const b=Buffer.concat(c);s.writeHead(200,{'content-type':'application/json','content-length':b.length});s.end(b)})}).listen(${port},'127.0.0.1',()=>console.log('ready'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

function rpcBody(method: string, params: unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: '1', method, params });
}

function call(agent: Agent, port: number, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const outgoing = request({ agent, host: '127.0.0.1', port, method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Calls per second with CLIENTS of them under way at a time. */
async function callAll(agent: Agent, port: number, bodies: string[]): Promise<number> {
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < bodies.length) {
        const body = bodies[next]!;
        next += 1;
        await call(agent, port, body);
      }
    }),
  );
  return (bodies.length * 1000) / (performance.now() - start);
}

async function latestBlockhash(agent: Agent, port: number): Promise<string> {
  const text = await call(agent, port, rpcBody('getLatestBlockhash', [{ commitment: 'processed' }]));
  return (JSON.parse(text) as { result: { value: { blockhash: string } } }).result.value.blockhash;
}

function sendAll(port: number, wires: Uint8Array[]): Promise<number> {
  const requests = wires.map((wire) =>
    encodePost(port, rpcBody('sendTransaction', [Buffer.from(wire).toString('base64'), { encoding: 'base64' }])),
  );
  return postAll(port, requests, CLIENTS, (text) => {
    if (!text.includes('"result"')) throw new Error(`a swap was not accepted: ${text}`);
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
