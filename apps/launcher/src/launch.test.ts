import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RunningLauncher } from './fixtures/running-launcher.ts';
import { isAlive } from './process-alive.ts';
import { canTraverse } from './postgres/run-as.ts';

let template: string;
let parent: string;
let launchers: RunningLauncher[];

// Making a database takes longer than starting one, so most tests begin with a copy of an instance that ran before.
beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'hunter-launch-template-'));
  chmodSync(template, 0o755);
  const launcher = await (await RunningLauncher.start(join(template, 'data'))).ready();
  await launcher.end('SIGTERM');
  rmSync(join(template, 'data', 'journal'));
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'hunter-launch-'));
  chmodSync(parent, 0o755);
  launchers = [];
});

afterEach(async () => {
  for (const launcher of launchers) {
    const server = launcher.postgresPid;
    if (launcher.exitCode === undefined) await launcher.end('SIGTERM');
    // A test that killed its launcher leaves the database server to us.
    else if (server !== 0 && isAlive(server)) process.kill(server, 'SIGQUIT');
  }
  rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
});

/** `cp -a` keeps owners, which Node's own copying does not. */
function copyTemplate(at: string): void {
  execFileSync('cp', ['-a', join(template, 'data'), at]);
}

async function start(options: Parameters<typeof RunningLauncher.start>[1] & { at?: string } = {}) {
  const launcher = await RunningLauncher.start(options.at ?? join(parent, 'data'), options);
  launchers.push(launcher);
  return launcher;
}

async function query(launcher: RunningLauncher, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: launcher.databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('an instance', () => {
  it('drains at SIGTERM, exits 0, leaves no process behind, and finds its data again', async () => {
    const first = await (await start()).ready();
    await query(first, 'create table kept (n int)');
    const server = first.postgresPid;
    expect(await first.end('SIGTERM')).toBe(0);
    expect([server, ...first.childPids].filter((pid) => isAlive(pid))).toEqual([]);
    const second = await (await start()).ready();
    expect(await query(second, 'select * from kept')).toEqual([]);
  });

  it('writes its addresses where only the owner can read them', async () => {
    copyTemplate(join(parent, 'data'));
    const launcher = await (await start()).ready();
    const file = join(launcher.directory, 'endpoints.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toEqual([
      'web',
      'rpc',
      'rpcWs',
      'venue',
      'postgres',
    ]);
  });

  it('refuses a data folder that another instance uses, naming it', async () => {
    copyTemplate(join(parent, 'data'));
    const first = await (await start()).ready();
    const second = await start();
    expect(await second.ended()).toBe(1);
    expect(second.output).toBe(
      `Hunter cannot start: DATA_DIR ${first.directory} is in use by another Hunter (process ${first.process.pid} on ${hostname()}); stop it there (Ctrl-C in its terminal, or kill ${first.process.pid}) or set another DATA_DIR\n`,
    );
    expect(isAlive(first.postgresPid)).toBe(true);
  });

  it('runs beside another one with its own port and data folder', async () => {
    copyTemplate(join(parent, 'data'));
    copyTemplate(join(parent, 'other'));
    const [one, other] = await Promise.all([start(), start({ at: join(parent, 'other') })]);
    await Promise.all([one.ready(), other.ready()]);
    expect(one.databaseUrl).not.toBe(other.databaseUrl);
  });

  it('says which port is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const launcher = await start({ environment: { PORT: String(port) } });
    expect(await launcher.ended()).toBe(1);
    expect(launcher.output).toBe(`Hunter cannot start: PORT ${port} is already in use; set PORT to a free one\n`);
    await new Promise((resolve) => taken.close(resolve));
  });

  it('names everything that is wrong in environment and command at once, and makes nothing', async () => {
    const environment = { PORT: 'http', DATABASE_URL: 'mysql://root:secret@db', CHAIN_ID: '7' };
    const launcher = await start({ environment, args: ['--api', '0', '--jobs', 'many'] });
    expect(await launcher.ended()).toBe(1);
    expect(launcher.output.trimEnd().split('\n')).toEqual([
      'Hunter cannot start: DATABASE_URL must be an address that begins with postgres:// or postgresql://',
      'Hunter cannot start: PORT must be a port between 1 and 65535, but is "http"',
      'Hunter cannot start: CHAIN_ID must be 501 or 501_1, but is "7"',
      'Hunter cannot start: NATS_URL is missing: several processes talk to each other over a NATS server (apt-get install nats-server)',
      'Hunter cannot start: --api must be a number of processes between 1 and 32, but is "0"',
      'Hunter cannot start: --jobs must be a number of processes between 1 and 32, but is "many"',
    ]);
    expect(existsSync(launcher.directory)).toBe(false);
  });

  it('says when the data folder cannot be made', async () => {
    writeFileSync(join(parent, 'file'), '');
    const launcher = await start({ at: join(parent, 'file', 'data') });
    expect(await launcher.ended()).toBe(1);
    expect(launcher.output).toMatch(/^Hunter cannot start: DATA_DIR \S+ cannot be written: ENOTDIR[^\n]*\n$/);
  });

  it('starts the database server again when that is killed, and the rest survives', async () => {
    copyTemplate(join(parent, 'data'));
    const launcher = await (await start()).ready();
    await query(launcher, 'create table kept as select 1 as n');
    const url = launcher.databaseUrl;
    const killed = launcher.postgresPid;
    process.kill(killed, 'SIGKILL');
    await launcher.until('the restart', () =>
      launcher.output.includes('postgres is running again') ? true : undefined,
    );
    expect(launcher.postgresPid).not.toBe(killed);
    expect(launcher.databaseUrl).toBe(url);
    expect(await query(launcher, 'select n from kept')).toEqual([{ n: 1 }]);
    expect(launcher.childPids).toHaveLength(1);
  });

  it('takes over after its own process was killed: children end, the orphaned database server is replaced', async () => {
    copyTemplate(join(parent, 'data'));
    const first = await (await start()).ready();
    await query(first, 'create table kept as select 1 as n');
    const orphan = first.postgresPid;
    await first.end('SIGKILL');
    expect(isAlive(orphan)).toBe(true);
    const second = await (await start()).ready();
    expect(isAlive(orphan)).toBe(false);
    expect(isAlive(first.childPids[0] ?? 0)).toBe(false);
    expect(await query(second, 'select n from kept')).toEqual([{ n: 1 }]);
    expect(second.postgresPid).not.toBe(orphan);
  });

  it('takes over after everything was killed at once', async () => {
    copyTemplate(join(parent, 'data'));
    const first = await (await start()).ready();
    const server = first.postgresPid;
    first.process.kill('SIGKILL');
    process.kill(server, 'SIGKILL');
    await first.ended();
    await (await start()).ready();
  });

  it('stops the database server of a first start that was killed before it throws that start away', async () => {
    copyTemplate(join(parent, 'data'));
    const first = await (await start()).ready();
    const orphan = first.postgresPid;
    await first.end('SIGKILL');
    writeFileSync(join(first.directory, 'first-start'), '');
    await (await start()).ready();
    expect(isAlive(orphan)).toBe(false);
  });

  it('is not confused by a lock file whose process id now belongs to somebody else', async () => {
    copyTemplate(join(parent, 'data'));
    const first = await (await start()).ready();
    const server = first.postgresPid;
    const lockFile = join(first.directory, 'postgres', 'cluster', 'postmaster.pid');
    const lock = readFileSync(lockFile, 'utf8');
    await first.end('SIGTERM');
    expect(isAlive(server)).toBe(false);
    writeFileSync(lockFile, lock.replace(String(server), String(process.pid)));
    const owner = statSync(join(first.directory, 'postgres'));
    chownSync(lockFile, owner.uid, owner.gid);
    await (await start()).ready();
  });

  it('finishes what an interrupted first start left', async () => {
    const half = join(parent, 'data', 'postgres', 'cluster.new-1');
    mkdirSync(half, { recursive: true });
    writeFileSync(join(half, 'PG_VERSION'), '18\n');
    await (await start()).ready();
    expect(() => statSync(half)).toThrow('ENOENT');
  });

  it('works below a folder that only its owner may enter', async () => {
    const closed = join(parent, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const launcher = await (await start({ at: join(closed, 'data') })).ready();
    expect(await query(launcher, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(await launcher.end('SIGTERM')).toBe(0);
  });
});

const nobody = { uid: 65_534, gid: 65_534 };
const canBecomeNobody = process.getuid?.() === 0 && canTraverse(import.meta.dirname, nobody);

// Without root these hold for the tests above already: they run as the ordinary user who started them.
describe.runIf(canBecomeNobody)('an instance started by an ordinary user', () => {
  it('runs the database server as that user', async () => {
    const home = join(parent, 'home');
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, nobody.uid, nobody.gid);
    const launcher = await (await start({ at: join(home, 'data'), user: nobody })).ready();
    expect(statSync(`/proc/${launcher.postgresPid}`).uid).toBe(nobody.uid);
    expect(await launcher.end('SIGTERM')).toBe(0);
  });

  it('says when the data folder is read-only', async () => {
    const readOnly = join(parent, 'read-only');
    mkdirSync(readOnly, { mode: 0o555 });
    const launcher = await start({ at: readOnly, user: nobody });
    expect(await launcher.ended()).toBe(1);
    expect(launcher.output).toMatch(/^Hunter cannot start: DATA_DIR \S+ cannot be written: EACCES[^\n]*\n$/);
  });

  const systemPorts = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
  const hasSystemPorts = existsSync(systemPorts) && Number(readFileSync(systemPorts, 'utf8')) > 1;

  it.runIf(hasSystemPorts)('says that a port may not be used by it, instead of calling it in use', async () => {
    const home = join(parent, 'home');
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, nobody.uid, nobody.gid);
    const launcher = await start({ at: join(home, 'data'), user: nobody, environment: { PORT: '1' } });
    expect(await launcher.ended()).toBe(1);
    expect(launcher.output).toBe(
      'Hunter cannot start: PORT 1 may not be used by this user; set PORT to one above 1023\n',
    );
  });

  it('can be taken over by root', async () => {
    const home = join(parent, 'home');
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, nobody.uid, nobody.gid);
    const ordinary = await (await start({ at: join(home, 'data'), user: nobody })).ready();
    await ordinary.end('SIGTERM');
    const root = await (await start({ at: join(home, 'data') })).ready();
    expect(await query(root, 'select 1 as n')).toEqual([{ n: 1 }]);
  });
});
