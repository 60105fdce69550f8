/**
 * Role by role, how much more N processes of it do than one: each has a fifth of a core (control groups, so it needs root and Linux),
 * everything else is unlimited and printed. Reads by the API, messages by the stream, orders by engines; N = 1, 2 and 4. And a round of
 * 1,000 followers with two engines against one. Bars: 0.8 × N of one; the round within 10 %. Arguments: users (64), seconds (15),
 * followers (1000; 0 leaves the round out).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { connectNats } from '../../apps/server/src/platform/bus/nats-bus.ts';
import { LiveBus } from '../../apps/server/src/platform/live-bus.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { NatsServer } from '../../scripts/nats.ts';
import { ask, hotMints, registerUser, until, untilFunded, type ProductUser } from '../../scripts/product-client.ts';
import { startProduct, type ProductProcess } from '../../scripts/product-process.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { cpuSeconds, limitCpu, treeSeconds, watchMachine } from './cpu-limit.ts';
import { requestsPerSecond } from './http-load.ts';
import { measureRoundOfEngines } from './round-of-engines.ts';

const COUNTS = [1, 2, 4] as const;
const CORES_EACH = 0.2;
const SHARE_BAR = 0.8;
const ROUND_BAR = 1.1;
const CONNECTIONS = 400;
const FOLLOWS = 10;
const TOKENS = 50;
/** Rounds of updates that are under way. */
const AHEAD = 2;
const LOOK_MS = 5;
const REGISTER_AT_ONCE = 8;

type Role = 'api' | 'stream' | 'engine';
type Run = {
  role: Role;
  processes: number;
  perSecond: number;
  /** Of the machine, by everything that runs on it, and by this bench with the product and its clients. */
  machinePercent: number;
  ownPercent: number;
  cores: Record<string, number>;
};
type World = { product: ProductProcess; folder: string; nats: NatsServer; users: ProductUser[]; seconds: number };

export default async function measureRoles([
  users = '64',
  seconds = '15',
  followers = '1000',
]: readonly string[]): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-bench-roles-'));
  const nats = new NatsServer();
  await nats.start();
  const runs: Run[] = [];
  const people: ProductUser[] = [];
  try {
    for (const count of COUNTS) {
      const product = await startRoles(folder, nats.url, count);
      try {
        const { web } = product.endpoints;
        await hotMints(web);
        while (people.length < Number(users)) {
          const next = Array.from(
            { length: REGISTER_AT_ONCE },
            (_, index) => `bench-${people.length + index}@roles.example`,
          );
          people.push(...(await Promise.all(next.map((email) => registerUser(web, email)))));
        }
        await Promise.all(people.map((user) => untilFunded(web, user)));
        const world = { product, folder, nats, users: people, seconds: Number(seconds) };
        for (const [role, work] of Object.entries(works) as [Role, Work][]) {
          const run = await measure(world, role, count, work);
          process.stderr.write(`${JSON.stringify(run)}\n`);
          runs.push(run);
        }
      } finally {
        await product.stop();
      }
    }
  } finally {
    await nats.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  const scaling = (Object.keys(works) as Role[]).map((role) => scalingOf(role, runs));
  const round = Number(followers) > 0 ? await measureRoundOfEngines(Number(followers)) : null;
  return {
    ok:
      scaling.every(({ shares }) => Object.values(shares).every((share) => share >= SHARE_BAR)) &&
      runs.every(({ machinePercent }) => machinePercent < 90) &&
      (round === null || round.twoOverOne <= ROUND_BAR),
    machineCores: availableParallelism(),
    coresEach: CORES_EACH,
    scaling,
    shareBar: SHARE_BAR,
    ...(round === null ? {} : { round, roundBar: ROUND_BAR }),
    runs,
  };
}

function startRoles(folder: string, natsUrl: string, count: number): Promise<ProductProcess> {
  const environment = { NATS_URL: natsUrl, SIMULATED_STRATEGIES: 'off', RATE_LIMIT_PER_SECOND: '1000000' };
  const each = String(count);
  return startProduct(folder, environment, ['--api', each, '--stream', each, '--engines', each]);
}

/** What N of a role did in a second, as a share of N times what one did. */
function scalingOf(role: Role, runs: readonly Run[]) {
  const own = runs.filter((run) => run.role === role);
  const one = own[0]!.perSecond;
  const shares = own.slice(1).map(({ processes, perSecond }) => [processes, round2(perSecond / one / processes)]);
  return { role, onePerSecond: round2(one), shares: Object.fromEntries(shares) as Record<string, number> };
}

type Work = (world: World) => Promise<{ done: number; seconds: number }>;

const works: Record<Role, Work> = { api: read, stream: follow, engine: trade };

async function measure(world: World, role: Role, count: number, work: Work): Promise<Run> {
  const children = childrenOf(world.folder);
  const limited = children.filter(({ name }) => name === role || name.startsWith(`${role}-`));
  if (limited.length !== count) throw new Error(`${limited.length} processes of the role ${role} run, not ${count}`);
  const limit = limitCpu(
    limited.map(({ pid }) => pid),
    CORES_EACH,
  );
  try {
    const before = children.map(({ pid }) => cpuSeconds(pid));
    const machine = watchMachine();
    const ownBefore = treeSeconds(process.pid);
    const startedMs = performance.now();
    const { done, seconds } = await work(world);
    const elapsed = (performance.now() - startedMs) / 1_000;
    const cores = children.map(({ name, pid }, at) => [name, round2((cpuSeconds(pid) - before[at]!) / elapsed)]);
    return {
      role,
      processes: count,
      perSecond: round2(done / seconds),
      machinePercent: machine(),
      ownPercent: Math.round((100 * (treeSeconds(process.pid) - ownBefore)) / elapsed / availableParallelism()),
      cores: Object.fromEntries(cores) as Record<string, number>,
    };
  } finally {
    limit.release();
  }
}

function childrenOf(folder: string): { name: string; pid: number }[] {
  return JSON.parse(readFileSync(join(folder, 'children.json'), 'utf8')) as { name: string; pid: number }[];
}

async function read({ product, seconds }: World): Promise<{ done: number; seconds: number }> {
  const { web } = product.endpoints;
  const [mint] = await hotMints(web);
  const urls = [
    `${web}/api/token/getTokenHotList?limit=20`,
    `${web}/api/token/getTokenBaseInfo?tokenContractAddress=${mint}`,
    `${web}/api/strategy/getStrategyList`,
  ];
  return { done: await requestsPerSecond(urls, { connections: 96, milliseconds: seconds * 1_000 }), seconds: 1 };
}

/**
 * Every token is updated again once most followers have what was sent before: as fast as it is taken, and never so much ahead that a
 * process which has a fifth of a core would miss the pings of NATS.
 */
async function follow({ folder, nats, seconds }: World): Promise<{ done: number; seconds: number }> {
  const api = childrenOf(folder).find(({ name }) => name === 'api' || name === 'api-1')!;
  const streamUrl = /(?:^|\0)STREAM_URL=http:\/\/([^\0]+)/.exec(readFileSync(`/proc/${api.pid}/environ`, 'utf8'))![1];
  const url = `ws://${streamUrl}/api/stream`;
  const load = { url, connections: CONNECTIONS, tokens: TOKENS, follows: FOLLOWS, every: CONNECTIONS };
  const clients = spawn(process.execPath, [join(import.meta.dirname, 'stream-clients.ts'), JSON.stringify(load)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const processes = await connectNats(nats.url, createLog('error'));
  try {
    let received = 0;
    const lines = createInterface({ input: clients.stdout });
    await once(lines, 'line', { signal: AbortSignal.timeout(60_000) });
    lines.on('line', (line) => (received = Number(line)));
    const bus = new LiveBus(processes);
    const startedMs = performance.now();
    const elapsed = () => (performance.now() - startedMs) / 1_000;
    let sent = 0;
    const send = () => {
      for (let index = 0; index < TOKENS; index += 1) {
        const token = `token${index}`;
        bus.publish('price', token, { tokenContractAddress: token, ...TICK, time: Date.now() });
      }
      sent += CONNECTIONS * FOLLOWS;
    };
    while (elapsed() < seconds) {
      if (sent - received < AHEAD * CONNECTIONS * FOLLOWS) send();
      else await delay(LOOK_MS);
    }
    const done = { done: received, seconds: elapsed() };
    await until(async () => received === sent, `${sent} values to arrive, not ${received}`, 60_000);
    return done;
  } finally {
    clients.kill('SIGKILL');
    await processes.close();
  }
}

const TICK = {
  price: '0.00012345678',
  priceSol: '0.00000082304',
  change: '12.5',
  change1h: '-3.1',
  marketCap: '1234567.891234',
  liquidity: '345678.912345',
  holders: 1234,
};

/** Each user buys again as soon as the last purchase is confirmed. */
async function trade({ product, users, seconds }: World): Promise<{ done: number; seconds: number }> {
  const { web } = product.endpoints;
  const mints = (await hotMints(web)).slice(0, 8);
  const endMs = performance.now() + seconds * 1_000;
  let done = 0;
  await Promise.all(
    users.map(async ({ token }, index) => {
      while (performance.now() < endMs) {
        const request = {
          tokenContractAddress: mints[index % mints.length],
          side: 'buy',
          amount: '0.001',
          slippageBps: 5_000,
        };
        const { data } = await ask(web, 'tokenTransfer', request, { token, idempotencyKey: crypto.randomUUID() });
        if (data['status'] === 'confirmed' && performance.now() < endMs) done += 1;
      }
    }),
  );
  if (done === 0) await until(async () => false, 'a confirmed order', 1);
  return { done, seconds };
}

const round2 = (value: number): number => Math.round(value * 100) / 100;
