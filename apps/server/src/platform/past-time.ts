import { request } from 'node:http';
import { Client } from 'pg';
import { systemClock, windSystemClock } from './clock.ts';
import { SteppedClock } from './stepped-clock.ts';

// A server that takes part in making the past of a local market. It has no time of its own meanwhile: the chain that makes the
// past says what time it is, and is told how far this server has got. The database follows: its `now()` is the time of the
// past, in statements by way of the search path and in defaults of columns for as long as the past lasts.

const CONNECT_MS = 50;
const CONNECT_TRIES_MAX = 1_200;
/** What a column's default is where it is the time. */
const NOW_DEFAULTS = `select format('%I.%I', c.relnamespace::regnamespace, c.relname) as "table", quote_ident(a.attname) as "column"
  from pg_attrdef d join pg_class c on c.oid = d.adrelid
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and pg_get_expr(d.adbin, d.adrelid) = $1`;

export type PastNews = { readonly unfinished: number; readonly marketAtMs: number | null; readonly hasLeft?: boolean };
/** What a server does in the past: says how far it has got, lets time go on when it is quiet, and leaves at the end. */
export type PastLife = {
  readonly untilQuiet: () => Promise<void>;
  readonly news: () => Promise<PastNews>;
  readonly leave: () => Promise<void>;
};
type Told = { nowMs: number } | { over: true };

/** Call on a migrated database, before the first connection of the pool. `follow` keeps time until the past is over. */
export async function enterPast(deps: {
  url: string;
  databaseUrl: string;
}): Promise<{ follow(life: PastLife): Promise<void> }> {
  const { url } = deps;
  const database = new Client({ connectionString: deps.databaseUrl });
  await database.connect();
  const first = await ask(url, { unfinished: 0, marketAtMs: null }, CONNECT_TRIES_MAX);
  if ('over' in first) throw new Error('the past is over before it began');
  const clock = new SteppedClock(first.nowMs);
  await windDatabase(database, first.nowMs);
  windSystemClock(clock);
  const moveTo = async (nowMs: number): Promise<void> => {
    await setDatabaseTime(database, nowMs);
    clock.moveTo(nowMs);
  };
  /** What is under way is finished in the time of the past, which therefore goes on until it is. */
  const leaveInTime = async ({ leave, untilQuiet }: PastLife): Promise<void> => {
    const left = leave().then(() => 'left' as const);
    while ((await Promise.race([left, untilQuiet()])) !== 'left') {
      const told = await ask(url, { unfinished: 1, marketAtMs: null }, 1);
      if ('nowMs' in told) await moveTo(told.nowMs);
    }
  };
  const follow = async (life: PastLife): Promise<void> => {
    for (;;) {
      await life.untilQuiet();
      const told = await ask(url, await life.news(), 1);
      if ('over' in told) break;
      await moveTo(told.nowMs);
    }
    await leaveInTime(life);
    windSystemClock(null);
    clock.close();
    await unwindDatabase(database);
    await database.end();
    await ask(url, { unfinished: 0, marketAtMs: null, hasLeft: true }, 1).catch(() => undefined);
  };
  return { follow };
}

async function windDatabase(database: Client, nowMs: number): Promise<void> {
  await database.query(`create schema if not exists past`);
  await database.query(`create unlogged table if not exists past.clock (at timestamptz not null)`);
  await database.query(`delete from past.clock`);
  await database.query(`insert into past.clock values ($1)`, [new Date(nowMs)]);
  await database.query(
    `create or replace function past.now() returns timestamptz language sql stable as 'select at from past.clock'`,
  );
  await changeDefaults(database, 'now()', 'past.now()');
  // Only for connections that are opened from here on: the pool's. A past that a crash interrupts is thrown away, so its
  // commits need not wait for the disk.
  await database.query(`set synchronous_commit = off`);
  const { rows } = await database.query<{ name: string }>(`select quote_ident(current_database()) as name`);
  await database.query(`alter database ${rows[0]!.name} set search_path = past, pg_catalog, public`);
  await database.query(`alter database ${rows[0]!.name} set synchronous_commit = off`);
  // Each statement runs some hundred times in so short a life; planning it anew each time would be half of the work.
  await database.query(`alter database ${rows[0]!.name} set plan_cache_mode = force_generic_plan`);
}

function setDatabaseTime(database: Client, nowMs: number): Promise<unknown> {
  return database.query({ name: 'move', text: `update past.clock set at = $1`, values: [new Date(nowMs)] });
}

async function unwindDatabase(database: Client): Promise<void> {
  const { rows } = await database.query<{ name: string }>(`select quote_ident(current_database()) as name`);
  await database.query(`alter database ${rows[0]!.name} reset search_path`);
  await database.query(`alter database ${rows[0]!.name} reset synchronous_commit`);
  await database.query(`alter database ${rows[0]!.name} reset plan_cache_mode`);
  await changeDefaults(database, 'past.now()', 'now()');
  // The last commit waits for the disk, and so for all before it: from here on nothing of the past may be lost.
  await database.query(`set synchronous_commit = on`);
  await database.query(`drop schema past cascade`);
}

async function changeDefaults(database: Client, from: string, to: string): Promise<void> {
  const { rows } = await database.query<{ table: string; column: string }>(NOW_DEFAULTS, [from]);
  for (const { table, column } of rows) {
    await database.query(`alter table ${table} alter column ${column} set default ${to}`);
  }
}

/** The chain answers when the time has changed. It may start later than we do. */
async function ask(url: string, news: PastNews, tries: number): Promise<Told> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await post(url, news);
    } catch (error) {
      if (attempt >= tries) throw error;
      await systemClock.pause(CONNECT_MS);
    }
  }
}

function post(url: string, body: PastNews): Promise<Told> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST' }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(JSON.parse(text) as Told);
        else reject(new Error(`the past's clock answered ${response.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}
