/**
 * The operators' HAProxy in front of a product of several processes, and their Prometheus beside it, both with the files of `deploy/`:
 * calls and the live stream pass, each address has its limits, a forged X-Forwarded-For changes nothing, every process is scraped, every
 * alarm can be worked out and is quiet, every query of the dashboard finds something, and without NATS, when no process is ready, pages and
 * reads still pass. Needs `apt-get install haproxy prometheus`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { freePort } from '../../apps/launcher/src/free-port.ts';
import { root } from '../../scripts/bootstrap.mjs';
import { NatsServer } from '../../scripts/nats.ts';
import { hotMints, registerFunded, until, type ProductUser } from '../../scripts/product-client.ts';
import { startProduct } from '../../scripts/product-process.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { haproxyConfig } from './haproxy-config.ts';
import { isReady } from './soak/killer.ts';
import { ROLES } from './soak/soak.ts';

const deploy = join(root, 'deploy');
/** What `haproxy.cfg` lets pass. */
const CALLS_MAX = 1_000;
const LOGINS_MAX = 60;
const STREAMS_MAX = 50;

type Sending = { from?: string; headers?: object; body?: object };
type Reply = { status: number; body: string; headers: Record<string, string | string[] | undefined> };
type Check = { tried: string; ok: boolean; found: string };

export default async function proveEdge(): Promise<Figures> {
  for (const tool of ['haproxy', 'prometheus', 'openssl']) {
    if (spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0) throw new Error(`apt-get install ${tool}`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'hunter-edge-'));
  const nats = new NatsServer();
  await nats.start();
  const ops = await freePort();
  const product = await startProduct(
    join(folder, 'data'),
    { NATS_URL: nats.url, OPS_PORT: String(ops), TRUST_PROXY: '1', SIMULATED_STRATEGIES: 'off' },
    ['--api', '2', '--stream', '2', '--engines', '2'],
  );
  const beside: ChildProcess[] = [];
  try {
    const { web } = product.endpoints;
    await until(() => isReady(web), 'the product to be ready', 120_000);
    const [mint] = await hotMints(web);
    const [user] = await registerFunded(web, 1);
    const edge = await startHaproxy(folder, web, ops, beside);
    const prometheus = await startPrometheus(folder, ops, beside);
    const checks = [...(await passing(edge, user!, mint!)), ...(await limits(edge)), ...(await watching(prometheus))];
    await nats.kill();
    checks.push(await withoutNats(edge, ops));
    const width = Math.max(...checks.map(({ tried }) => tried.length));
    for (const { tried, ok, found } of checks) {
      process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${tried.padEnd(width)}  ${found}\n`);
    }
    const failed = checks.filter(({ ok }) => !ok).map(({ tried, found }) => `${tried}: ${found}`);
    return { ok: failed.length === 0, tried: checks.length, failed };
  } finally {
    for (const child of beside) child.kill('SIGKILL');
    await product.stop();
    await nats.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The operators' file with a certificate, ports and processes of this machine. */
async function startHaproxy(folder: string, web: string, ops: number, beside: ChildProcess[]): Promise<string> {
  const [plain, tls] = [await freePort(), await freePort()];
  // The processes of one machine share the port of the API, which passes live streams on.
  const { port } = new URL(web);
  const serversOf = (role: string, isChecked: boolean): string =>
    ROLES.map((name, place) => ({ name, place }))
      .filter(({ name }) => name.startsWith(role))
      .map(({ name, place }) => ({ name, check: isChecked ? ` check port ${ops + place} inter 1s fall 2 rise 1` : '' }))
      .map(({ name, check }) => `server ${name} 127.0.0.1:${port}${check}`)
      .join('\n  ');
  const text = haproxyConfig(folder)
    .replace('maxconn 120000', 'maxconn 4000')
    .replace('bind :8080', `bind 127.0.0.1:${plain}`)
    .replace('bind :8443', `bind 127.0.0.1:${tls}`)
    .replaceAll(/server-template (api|stream) \d+ \S+( check)?.*/g, (_line, role: string, check?: string) =>
      serversOf(role, check !== undefined),
    );
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  beside.push(child);
  const edge = `https://localhost:${tls}`;
  const isUp = (): Promise<boolean> =>
    send(`${edge}/api/health`, { from: '127.0.0.9' }).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(isUp, 'HAProxy to pass a call');
  return edge;
}

async function startPrometheus(folder: string, ops: number, beside: ChildProcess[]): Promise<string> {
  const place = join(folder, 'prometheus');
  mkdirSync(place);
  const targets = ROLES.map((_name, index) => `'127.0.0.1:${ops + index}'`).join(', ');
  const text = readFileSync(join(deploy, 'prometheus', 'prometheus.yml'), 'utf8')
    .replaceAll(/(scrape|evaluation)_interval: 15s/g, '$1_interval: 1s')
    .replace('hunter.rules.yml', join(deploy, 'prometheus', 'hunter.rules.yml'))
    .replace(/ {4}dns_sd_configs:[^]*/, `    static_configs:\n      - targets: [${targets}]\n`);
  writeFileSync(join(place, 'prometheus.yml'), text);
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(place, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(place, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  beside.push(child);
  return `http://127.0.0.1:${port}`;
}

async function passing(edge: string, { email, password }: ProductUser, mint: string): Promise<Check[]> {
  const checks: Check[] = [];
  const check = (tried: string, ok: boolean, found: string): void => void checks.push({ tried, ok, found });
  const page = await send(`${edge}/`);
  check('the page', page.status === 200 && page.body.includes('<div id="root"'), String(page.status));
  check('it may only be opened over TLS', 'strict-transport-security' in page.headers, 'strict-transport-security');
  for (const path of ['/metrics', '/api/ready']) {
    const { status } = await send(edge + path);
    check(`${path} stays inside`, status === 404, String(status));
  }
  const from = '127.0.0.4';
  const forged = { 'x-forwarded-for': '203.0.113.9' };
  const login = await send(`${edge}/api/login/check`, { from, headers: forged, body: { email, password } });
  const { token } = (JSON.parse(login.body) as { data: { token: string } }).data;
  const sessions = await send(`${edge}/api/user/getMySessions`, { from, headers: { token } });
  const addresses = (JSON.parse(sessions.body) as { data: { lists: { address: string }[] } }).data.lists;
  check(
    'the address of a login',
    addresses.some(({ address }) => address === from),
    JSON.stringify(addresses),
  );
  const buy = { tokenContractAddress: mint, side: 'buy', amount: '0.05', slippageBps: 1000 };
  const bought = await send(`${edge}/api/token/tokenTransfer`, { from, headers: { token }, body: buy });
  check('a trade', bought.body.includes('"status":"confirmed"'), bought.body.slice(0, 120));
  const stream = await firstData(edge, mint);
  check('the live stream', stream.includes(mint), stream.slice(0, 80));
  return checks;
}

async function limits(edge: string): Promise<Check[]> {
  const checks: Check[] = [];
  const check = (tried: string, ok: boolean, found: string): void => void checks.push({ tried, ok, found });
  const health = `${edge}/api/health`;
  const answers = await many(CALLS_MAX + 200, () => send(health, { from: '127.0.0.5' }));
  const refused = answers.filter(({ status }) => status === 429);
  // All within ten seconds, else fewer are refused.
  check('calls of one address', refused.length === 200, `${answers.length - refused.length} passed`);
  const envelope = JSON.parse(refused[0]?.body ?? '{}') as { code?: number; data?: { error?: string } };
  check('the page can say why', envelope.data?.error === 'RATE_LIMITED', JSON.stringify(envelope));
  check('when to come again', refused[0]?.headers['retry-after'] === '5', String(refused[0]?.headers['retry-after']));
  const forged = await send(health, { from: '127.0.0.5', headers: { 'x-forwarded-for': '203.0.113.7' } });
  check('a forged address', forged.status === 429, String(forged.status));
  const other = await send(health, { from: '127.0.0.6' });
  check('another address meanwhile', other.status === 200, String(other.status));
  const logins = await many(LOGINS_MAX + 20, () => send(`${edge}/api/login/check`, { from: '127.0.0.7' }));
  const loginsRefused = logins.filter(({ status }) => status === 429).length;
  check('logins of one address', loginsRefused === 20, `${logins.length - loginsRefused} passed`);
  const sockets = await many(STREAMS_MAX + 10, () => opened(edge, '127.0.0.8'));
  const open = sockets.filter((socket) => socket !== null);
  check('streams of one address', open.length === STREAMS_MAX, `${open.length} opened`);
  open[0]?.terminate();
  const again = await until(() => opened(edge, '127.0.0.8'), 'room for a stream');
  check('one more where one has gone', true, 'opened');
  for (const socket of [...open, again]) socket.terminate();
  return checks;
}

/** For longer than HAProxy takes to see that no process is ready. */
const UNREADY_MS = 6_000;

async function withoutNats(edge: string, ops: number): Promise<Check> {
  const isUnready = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${ops}/ready`)).status === 503;
  await until(isUnready, 'a process that is not ready without NATS');
  const found = new Map<number, number>();
  const endsAt = Date.now() + UNREADY_MS;
  while (Date.now() < endsAt) {
    const { status } = await send(`${edge}/api/health`, { from: '127.0.0.10' });
    found.set(status, (found.get(status) ?? 0) + 1);
    await delay(100);
  }
  const socket = await opened(edge, '127.0.0.10');
  socket?.terminate();
  const ok = [...found.keys()].join() === '200' && socket !== null;
  return { tried: 'calls and streams without NATS', ok, found: JSON.stringify([...found]) };
}

type Answer<T> = { data: T };
type Target = { health: string; scrapeUrl: string; lastError: string };
type Rule = { name: string; health: string; state: string; lastError?: string };

async function watching(prometheus: string): Promise<Check[]> {
  const ask = async <T>(path: string): Promise<T> =>
    ((await (await fetch(`${prometheus}/api/v1/${path}`)).json()) as Answer<T>).data;
  const targets = async (): Promise<Target[]> => (await ask<{ activeTargets: Target[] }>('targets')).activeTargets;
  const isScraped = async (): Promise<boolean> => {
    const all = await targets().catch(() => []);
    return all.length === ROLES.length && all.every(({ health }) => health === 'up');
  };
  await until(isScraped, 'all processes to be scraped');
  const rules = async (): Promise<Rule[]> =>
    (await ask<{ groups: { rules: Rule[] }[] }>('rules')).groups.flatMap((group) => group.rules);
  const isWorkedOut = async (): Promise<boolean> => (await rules()).every(({ health }) => health !== 'unknown');
  await until(isWorkedOut, 'all alarms to be worked out');
  const checks: Check[] = [{ tried: 'processes that are scraped', ok: true, found: String(ROLES.length) }];
  for (const { name, health, state, lastError } of await rules()) {
    checks.push({
      tried: `alarm ${name}`,
      ok: health === 'ok' && state !== 'firing',
      found: `${health}, ${state} ${lastError ?? ''}`,
    });
  }
  for (const { title, query } of dashboardQueries()) checks.push(await shown(prometheus, title, query));
  return checks;
}

/** A rate is there from the second time on that it is scraped. */
async function shown(prometheus: string, title: string, query: string): Promise<Check> {
  const mayBeEmpty = EMPTY_WHERE_ALL_IS_WELL.has(title);
  const ask = async (): Promise<number | null> => {
    const reply = await (await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(query)}`)).json();
    const { data, error } = reply as { data?: { result: unknown[] }; error?: string };
    if (error !== undefined) throw new Error(error);
    return data!.result.length > 0 || mayBeEmpty ? data!.result.length : null;
  };
  const tried = `dashboard: ${title}`;
  return until(ask, query, 30_000).then(
    (series) => ({ tried, ok: true, found: `${series} series` }),
    (error: Error) => ({ tried, ok: false, found: error.message }),
  );
}

const EMPTY_WHERE_ALL_IS_WELL = new Set(['Signer failures', 'Outbox age', 'Loops that fail']);

type Panel = { title: string; targets?: { expr: string }[]; panels?: Panel[] };

function dashboardQueries(): { title: string; query: string }[] {
  const file = join(deploy, 'grafana', 'hunter-dashboard.json');
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: Panel[] };
  return panels
    .flatMap((panel) => [panel, ...(panel.panels ?? [])])
    .flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ title, query: expr.replaceAll('$__rate_interval', '5m') })),
    );
}

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

function send(url: string, { from = '127.0.0.3', headers = {}, body }: Sending = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = {
      agent,
      method: body ? 'POST' : 'GET',
      localAddress: from,
      family: 4,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    };
    const sent = httpsRequest(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString('utf8'),
          headers: response.headers,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body ? JSON.stringify(body) : undefined);
  });
}

/** Some at a time, as browsers do. */
async function many<T>(count: number, ask: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  let asked = 0;
  const go = async (): Promise<void> => {
    while (asked < count) {
      asked += 1;
      answers.push(await ask());
    }
  };
  await Promise.all(Array.from({ length: 20 }, go));
  return answers;
}

/** Null where it was refused. */
async function opened(edge: string, localAddress: string): Promise<WebSocket | null> {
  const socket = connect(edge, localAddress);
  const outcome = await Promise.race([
    once(socket, 'open').then(() => 'open'),
    once(socket, 'unexpected-response').then(() => 'refused'),
  ]);
  if (outcome === 'open') return socket;
  socket.on('error', () => {});
  socket.terminate();
  return null;
}

async function firstData(edge: string, mint: string): Promise<string> {
  const socket = connect(edge, '127.0.0.3');
  await once(socket, 'open');
  socket.send(JSON.stringify({ op: 'subscribe', channel: 'price', key: mint }));
  const [message] = (await once(socket, 'message')) as [Buffer];
  socket.terminate();
  return message.toString();
}

function connect(edge: string, localAddress: string): WebSocket {
  return new WebSocket(`${edge.replace('https', 'wss')}/api/stream`, {
    rejectUnauthorized: false,
    localAddress,
    family: 4,
  });
}
