import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject, it } from 'vitest';
import { isAlive } from '../process-alive.ts';
import { startPostgres } from './server.ts';

/** What the server sets for itself and the shell for the program that it runs. */
const THEIRS = /^(PATH|HOME|TZ|LANG|TMPDIR|LD_LIBRARY_PATH|LC_\w+|PG\w+|PWD|OLDPWD|SHLVL|_)$/;

it('inherits nothing of the environment that whoever asks it could read', async () => {
  const client = new Client({ connectionString: inject('testDatabaseAdminUrl') });
  await client.connect();
  try {
    await client.query(`create temporary table variable (name text)`);
    await client.query(`copy variable from program 'env | cut -d= -f1'`);
    const { rows } = await client.query<{ name: string }>(`select name from variable`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ name }) => name).filter((name) => !THEIRS.test(name))).toEqual([]);
  } finally {
    await client.end();
  }
});

it('answers on a socket in a folder of any name, also after it was killed', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'hunter-socket-'));
  chmodSync(parent, 0o755);
  const folder = join(parent, 'a "b", c', 'postgres');
  mkdirSync(join(parent, 'a "b", c'), { mode: 0o755 });
  const start = () => startPostgres({ folder, logFile: join(parent, 'postgres.log'), settings: ['fsync=off'] });
  try {
    const first = await start();
    expect(await addressOf(first.url)).toBeNull();
    const socket = readdirSync(folder).find((name) => name.startsWith('.s.PGSQL.'))!;
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    // The lock that it leaves names a process that lives, as an id that was given again does.
    writeFileSync(join(folder, `${socket}.lock`), `${process.pid}\n`);
    const second = await start();
    try {
      expect(await addressOf(second.url)).toBeNull();
    } finally {
      await second.stop();
    }
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});

it('starts again on its port where nothing can be written, as on a full disk, and leaves no server behind where it cannot', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'hunter-full-'));
  chmodSync(parent, 0o755);
  const folder = join(parent, 'postgres');
  const start = () => startPostgres({ folder, logFile: join(parent, 'postgres.log'), settings: ['fsync=off'] });
  try {
    const first = await start();
    await first.stop();
    // What stands in the way of every new content of the file.
    mkdirSync(join(folder, 'port.new'));
    const second = await start();
    expect(second.port).toBe(first.port);
    await second.stop();
    rmSync(join(folder, 'port'));
    await expect(start()).rejects.toThrow();
    expect(existsSync(join(folder, 'cluster', 'postmaster.pid'))).toBe(false);
  } finally {
    rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
  }
});

it('gives up a start that nobody waits for any more, as in the middle of a long recovery', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'hunter-interrupted-'));
  chmodSync(parent, 0o755);
  const folder = join(parent, 'postgres');
  try {
    const signal = AbortSignal.abort();
    await expect(startPostgres({ folder, logFile: join(parent, 'postgres.log'), signal })).rejects.toThrow(
      'interrupted',
    );
    expect(existsSync(join(folder, 'cluster', 'postmaster.pid'))).toBe(false);
  } finally {
    rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
  }
});

// Where the system does not tell in which folder a process works, the next server waits for them.
it.runIf(process.platform === 'linux')(
  'starts while sessions of a killed server are in the middle of a statement, whose end nobody waits for',
  async () => {
    const parent = mkdtempSync(join(tmpdir(), 'hunter-orphans-'));
    chmodSync(parent, 0o755);
    const folder = join(parent, 'postgres');
    const start = () => startPostgres({ folder, logFile: join(parent, 'postgres.log'), settings: ['fsync=off'] });
    const first = await start();
    const busy = new Client({ connectionString: first.url });
    const observer = new Client({ connectionString: first.url });
    for (const client of [busy, observer]) {
      client.on('error', () => {});
      await client.connect();
    }
    const { rows } = await busy.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { pid } = rows[0]!;
    const statement = busy.query('do $$ begin loop perform 1; end loop; end $$');
    statement.catch(() => {});
    try {
      const state = 'select state from pg_stat_activity where pid = $1';
      await expect.poll(async () => (await observer.query(state, [pid])).rows).toEqual([{ state: 'active' }]);
      process.kill(first.pid, 'SIGKILL');
      await first.exited;
      const second = await start();
      expect(isAlive(pid)).toBe(false);
      await second.stop();
    } finally {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
      rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
    }
  },
);

/** Null by a Unix socket. */
async function addressOf(connectionString: string): Promise<string | null> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ address: string | null }>(`select inet_client_addr() as address`);
    return rows[0]!.address;
  } finally {
    await client.end();
  }
}
