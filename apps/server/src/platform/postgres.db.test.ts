import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { createLog } from './log.ts';
import { Database, isDatabaseUnavailable, type Sql, type Transaction } from './postgres.ts';

describe('a transaction', () => {
  let empty: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    empty = await createEmptyDatabase();
    database = new Database(empty.url, createLog('silent'));
    await database.write(`create table note (text text primary key)`);
  });
  beforeEach(() => database.write(`truncate note`));
  afterAll(async () => {
    await database.close();
    await empty.drop();
  });

  const note = (sql: Sql, text: string) => sql.write(`insert into note values ($1)`, [text]);
  const notes = async () =>
    (await database.query<{ text: string }>(`select text from note order by text`)).map((row) => row.text);

  it('shows nobody anything before it is committed, from its first statement on', async () => {
    await database.transaction(async (sql) => {
      await note(sql, 'first');
      expect(await notes()).toEqual([]);
    });
    expect(await notes()).toEqual(['first']);
  });

  it('keeps the order of statements that do not wait for each other', async () => {
    const counts = await database.transaction((sql) =>
      Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const count = sql.query<{ count: bigint }>(`select count(*) from note`);
          await note(sql, `${i}`);
          return (await count)[0]!.count;
        }),
      ),
    );
    expect(counts).toEqual(Array.from({ length: 20 }, (_, i) => BigInt(i)));
  });

  it('leaves nothing behind when one of several statements sent together fails', async () => {
    const failing = database.transaction((sql) =>
      Promise.all([note(sql, 'one'), note(sql, 'one'), note(sql, 'two'), note(sql, 'three')]),
    );
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await notes()).toEqual([]);
    // The connection is as good as new.
    await database.transaction((sql) => note(sql, 'later'));
    expect(await notes()).toEqual(['later']);
  });

  it('lets no straggler write after it has ended, well or badly', async () => {
    let late: Transaction | null = null;
    await database.transaction(async (sql) => {
      late = sql;
      await note(sql, 'in time');
    });
    await expect(note(late!, 'too late')).rejects.toThrow('the transaction is over');
    const failing = database.transaction(async (sql) => {
      late = sql;
      await sql.query(`select 1 / 0`);
    });
    await expect(failing).rejects.toThrow('division by zero');
    await expect(note(late!, 'too late')).rejects.toThrow('the transaction is over');
    expect(await notes()).toEqual(['in time']);
  });

  it('is made once where the answer to its commit is lost', async () => {
    const proxy = await startCuttingProxy(empty.url);
    const remote = new Database(proxy.url, createLog('silent'));
    let runs = 0;
    try {
      await remote.query(`select 1`);
      proxy.cutAtCommit();
      const value = await remote.transaction(async (sql) => {
        runs += 1;
        await note(sql, `run ${runs}`);
        return 'done';
      });
      expect([value, runs, proxy.cuts()]).toEqual(['done', 1, 1]);
      expect(await notes()).toEqual(['run 1']);
      await remote.transaction((sql) => note(sql, 'later'));
    } finally {
      await remote.close();
      await proxy.stop();
    }
  });

  it('carries a write that stands alone, made once where its answer is lost, and no read', async () => {
    const proxy = await startCuttingProxy(empty.url);
    const remote = new Database(proxy.url, createLog('silent'));
    try {
      await remote.query(`select 1`);
      proxy.cutAtCommit();
      await remote.query(`with all_notes as (select text from note) select text from all_notes`);
      expect(proxy.cuts()).toBe(0);
      await note(remote, 'alone');
      expect([proxy.cuts(), await notes()]).toEqual([1, ['alone']]);
      proxy.cutAtCommit();
      await remote.write(`with added as (insert into note values ('with') returning text) select text from added`);
      expect([proxy.cuts(), await notes()]).toEqual([2, ['alone', 'with']]);
    } finally {
      await remote.close();
      await proxy.stop();
    }
  });

  it('is refused as a query where it changes rows, in a transaction and outside of one', async () => {
    const changing = [
      `insert into note values ('asked')`,
      `update note set text = 'asked'`,
      `with gone as (delete from note returning text) select text from gone`,
      `with locked as (select text from note for update) update note n set text = 'asked' from locked`,
      `truncate note`,
    ];
    for (const text of changing) {
      await expect(database.query(text)).rejects.toThrow('changes rows');
      await expect(database.transaction((sql) => sql.query(text))).rejects.toThrow('changes rows');
    }
    expect(await notes()).toEqual([]);
  });

  it('may lock rows by a query', async () => {
    const locking = `with kept as (select text from note for no key update) select text from kept`;
    await expect(database.transaction((sql) => sql.query(locking))).resolves.toEqual([]);
  });
});

describe('a database that is starting', () => {
  it('is away also where the socket is not there yet, unlike a file that is missing', async () => {
    const folder = '/nowhere';
    const connecting = new Client({ host: folder }).connect();
    expect(isDatabaseUnavailable(await connecting.catch((error: unknown) => error))).toBe(true);
    expect(isDatabaseUnavailable(await readFile(folder).catch((error: unknown) => error))).toBe(false);
  });

  it('is asked by one for all who wait whether it is there, and then answers all', async () => {
    const empty = await createEmptyDatabase();
    // As many as there are connections, so that none waits for one.
    const WAITING = 20;
    const proxy = await startRefusingProxy(empty.url, WAITING);
    const database = new Database(proxy.url, createLog('silent'));
    try {
      const ask = (n: number) => database.query<{ n: number }>(`select $1::int as n`, [n]);
      const answers = Promise.all(Array.from({ length: WAITING }, (_, n) => ask(n)));
      await proxy.asked;
      const late = ask(WAITING);
      // Whoever asks on his own does so within milliseconds of being refused.
      await delay(500);
      expect(proxy.connections()).toBe(WAITING + 1);
      proxy.open();
      expect((await answers).map(([row]) => row!.n)).toEqual(Array.from({ length: WAITING }, (_, n) => n));
      expect(await late).toEqual([{ n: WAITING }]);
    } finally {
      proxy.open();
      await database.close();
      await proxy.stop();
      await empty.drop();
    }
  });
});

/** Refuses so many connections, all at once, as a server does that is starting; keeps the later ones waiting until it opens. */
async function startRefusingProxy(url: string, refusals: number) {
  const all = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  let connections = 0;
  const proxy = await startProxy(url, (client, reachDatabase) => {
    connections += 1;
    if (connections <= refusals) {
      const said = Buffer.from('SFATAL\0C57P03\0Mthe database system is starting up\0\0');
      const head = Buffer.from('E\0\0\0\0');
      head.writeInt32BE(said.length + 4, 1);
      client.once('data', () => void all.promise.then(() => client.end(Buffer.concat([head, said]))));
      if (connections === refusals) all.resolve();
      return;
    }
    asked.resolve();
    void opened.promise.then(() => client.pipe(reachDatabase()).pipe(client));
  });
  return {
    ...proxy,
    /** When somebody asks after the refusals. */
    asked: asked.promise,
    connections: () => connections,
    open: () => opened.resolve(),
  };
}

/** Passes everything on until told to cut: then the next connection is reset where the server says that it has committed. */
async function startCuttingProxy(url: string) {
  let armed = false;
  let cuts = 0;
  const proxy = await startProxy(url, (client, reachDatabase) => {
    const upstream = reachDatabase();
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      const at = armed ? chunk.indexOf('COMMIT\0') : -1;
      if (at === -1) return client.write(chunk);
      armed = false;
      cuts += 1;
      // Up to the message that says so: its kind and its length are the five bytes before.
      client.write(chunk.subarray(0, at - 5), () => client.destroy());
      return undefined;
    });
  });
  return {
    ...proxy,
    cutAtCommit: () => {
      armed = true;
    },
    cuts: () => cuts,
  };
}

/** Stands before the database; a connection to it ends with the client's, and the other way round. */
async function startProxy(url: string, serve: (client: Socket, reachDatabase: () => Socket) => void) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    serve(keep(client), () => {
      const upstream = keep(connect(Number(target.port), target.hostname));
      client.on('close', () => upstream.destroy());
      return upstream.on('close', () => client.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  // A Unix socket would lead around it.
  own.searchParams.delete('host');
  return {
    url: own.href,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a PostgreSQL whose machine is gone', () => {
  it.each(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'])(
    'is unavailable, and no fault of ours: %s',
    (code) => {
      expect(isDatabaseUnavailable(Object.assign(new Error(`read ${code}`), { code }))).toBe(true);
    },
  );

  it('is noticed by connections that wait for its answer: they ask whether it is still there', async () => {
    const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
    const empty = await createEmptyDatabase();
    const database = new Database(empty.url, createLog('silent'));
    await database.query(`select 1`);
    expect(keepAlive).toHaveBeenCalledWith(true, 10_000);
    keepAlive.mockRestore();
    await database.close();
    await empty.drop();
  });
});
