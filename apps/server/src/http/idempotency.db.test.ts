import { Keypair } from '@hunter/solana/keypair';
import { AppError } from '@hunter/contract/app-error';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../accounts/accounts-for-test.ts';
import { openBook } from '../ledger/books.ts';
import { insertWallet } from '../ledger/wallets.ts';
import { LocalBus } from '../platform/bus/local-bus.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/postgres.ts';
import { rowsPassedOver, useTestDatabase } from '../platform/postgres-for-test.ts';
import { ServerSecret } from '../platform/server-secret.ts';
import type { SignedInCaller } from './handlers.ts';
import { isOpenedSince } from '../trading/trade.ts';
import { Idempotency } from './idempotency.ts';

describe('Idempotency', () => {
  let database: Database;
  const clock = new FakeClock();
  const secret = new ServerSecret(Buffer.alloc(32, 3));
  useTestDatabase((opened) => {
    database = opened;
  });

  const aProcess = () => new Idempotency({ database, clock, secret });
  const aCaller = (userId: string, idempotencyKey: string | null): SignedInCaller => ({
    session: { sessionId: 's', userId, email: 'a@example.com' },
    address: '127.0.0.1',
    device: '',
    language: 'en',
    apiKey: null,
    requestId: 'r',
    idempotencyKey,
  });

  it('has one effect for 100 requests with one key, over two processes, and gives all the same bytes', async () => {
    const userId = randomUUID();
    const processes = [aProcess(), aProcess()];
    let effects = 0;
    const requests = [
      { amount: 1n, to: 'a' },
      { to: 'a', amount: 1n },
    ];
    const { promise: allAsked, resolve: nowAllAsked } = Promise.withResolvers<void>();
    const running = Array.from({ length: 100 }, (_, index) =>
      processes[index % 2]!.run('withdrawal', aCaller(userId, 'key'), requests[index % 2], async () => {
        effects += 1;
        await allAsked;
        return { zebra: 1, apple: effects };
      }),
    );
    nowAllAsked();
    const replies = await Promise.all(running);
    expect(effects).toBe(1);
    expect(new Set(replies.map((reply) => JSON.stringify(reply)))).toEqual(new Set(['{"zebra":1,"apple":1}']));
  });

  it('goes through none of the keys that it keeps for ever to find what is too old', async () => {
    await database.write(
      `insert into idempotency (user_id, key, call, request_hash, created_at, claimed_at)
       select gen_random_uuid(), 'key:' || n, 'withdrawal', '', now() - interval '1 year', 'epoch' from generate_series(1, 500) n`,
    );
    const passedOver: number[] = [];
    const explained = {
      write: async (text: string, values: readonly unknown[] = []) => {
        passedOver.push(await rowsPassedOver(database, text, values));
        return [];
      },
    } as unknown as Database;
    await new Idempotency({ database: explained, clock, secret }).removeOld();
    expect(passedOver).toEqual([0, 0]);
    await database.write(`delete from idempotency where created_at < now() - interval '1 month'`);
  });

  it('is told by the process that answered', async () => {
    const bus = new LocalBus();
    const waiting = Promise.withResolvers<void>();
    // Never looks again by itself.
    const pause = (_ms: number, signal?: AbortSignal): Promise<void> => {
      waiting.resolve();
      return new Promise((resolve) => signal!.addEventListener('abort', () => resolve()));
    };
    const [here, there] = [1, 2].map(
      () => new Idempotency({ database, clock: { ...systemClock, pause }, secret, bus }),
    );
    const userId = randomUUID();
    const begun = Promise.withResolvers<void>();
    const reply = Promise.withResolvers<object>();
    const first = here!.run('withdrawal', aCaller(userId, 'key'), {}, () => {
      begun.resolve();
      return reply.promise;
    });
    await begun.promise;
    const second = there!.run('withdrawal', aCaller(userId, 'key'), {}, async () => ({ twice: true }));
    await waiting.promise;
    reply.resolve({ once: true });
    expect(await Promise.all([first, second])).toEqual([{ once: true }, { once: true }]);
  });

  it('answers a close anew where the position was opened after the one that it repeats', async () => {
    const userId = randomUUID();
    const mint = randomUUID();
    const isNewIntent = (_name: string, user: string, request: unknown, since: Date) =>
      isOpenedSince(database, user, request, since);
    const process = new Idempotency({ database, clock, secret, isNewIntent });
    const keys = new Set<string | null>();
    let closes = 0;
    const close = (key: string | null = null): Promise<unknown> => {
      const caller = aCaller(userId, key);
      return process.run('tokenClose', caller, { tokenContractAddress: mint }, async () => {
        keys.add(caller.idempotencyKey);
        closes += 1;
        return closes;
      });
    };
    await database.write(
      `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
      [userId, userId],
    );
    await insertWallet(database, {
      id: userId,
      userId,
      kind: 'personal',
      address: Keypair.generate().address,
      sealedKey: '',
    });
    const open = async (openedAt: Date) => {
      const { id } = await openBook(database, { userId, walletId: userId, kind: 'strategy', name: 'Held' });
      await database.write(
        `insert into holding (book_id, asset, quantity, cost_lamports, opened_at) values ($1, $2, 5, 0, $3)`,
        [id, mint, openedAt],
      );
    };
    expect([await close(), await close(), await close('chosen')]).toEqual([1, 1, 2]);
    // Held in another book all the time, which this close could not sell: still a double click.
    await open(new Date(clock.nowMs() - 60_000));
    expect(await close()).toBe(1);
    await open(new Date(clock.nowMs()));
    clock.advanceSeconds(1);
    expect(await close()).toBe(3);
    expect(await close('chosen')).toBe(2);
    expect(keys.size).toBe(3);
  });

  it('refuses a key that was used for another request', async () => {
    const userId = randomUUID();
    const process = aProcess();
    await process.run('withdrawal', aCaller(userId, 'key'), { amount: '1' }, async () => ({}));
    const other = process.run('withdrawal', aCaller(userId, 'key'), { amount: '2' }, async () => ({}));
    await expect(other).rejects.toMatchObject({ errorName: 'IDEMPOTENCY_CONFLICT' });
  });

  it('refuses a key for another request also after the reply to the first is gone', async () => {
    const userId = randomUUID();
    const process = aProcess();
    const keys: (string | null)[] = [];
    const run = (request: object) => {
      const caller = aCaller(userId, 'key');
      return process.run('withdrawal', caller, request, async () => keys.push(caller.idempotencyKey));
    };
    await run({ amount: '1', password: 'right' });
    clock.advanceSeconds(3 * 86_400);
    await process.removeOld();
    for (const request of [
      { amount: '2', password: 'right' },
      { amount: '1', password: 'wrong' },
    ]) {
      await expect(run(request)).rejects.toMatchObject({ errorName: 'IDEMPOTENCY_CONFLICT' });
    }
    // The same one runs again under the same request key, by which the use case finds what it did.
    await run({ amount: '1', password: 'right' });
    expect(keys).toEqual(['key:key', 'key:key']);
  });

  it('keeps the keys of users apart', async () => {
    const process = aProcess();
    const run = (userId: string) => process.run('withdrawal', aCaller(userId, 'key'), {}, async () => userId);
    const [left, right] = [randomUUID(), randomUUID()];
    expect([await run(left), await run(right)]).toEqual([left, right]);
  });

  it('runs the same request of two users at one moment for each of them', async () => {
    const process = aProcess();
    const run = (userId: string) => process.run('withdrawal', aCaller(userId, 'key'), {}, async () => userId);
    const users = [randomUUID(), randomUUID()];
    expect(await Promise.all(users.map(run))).toEqual(users);
  });

  it('takes an identical withdrawal within a minute for a double click, and later for a new one', async () => {
    const userId = randomUUID();
    const process = aProcess();
    const keys: (string | null)[] = [];
    const run = () => {
      const caller = aCaller(userId, null);
      return process.run('withdrawal', caller, { amount: '1' }, async () => {
        keys.push(caller.idempotencyKey);
        return keys.length;
      });
    };
    expect([await run(), await run()]).toEqual([1, 1]);
    clock.advanceSeconds(60);
    expect(await run()).toBe(2);
    expect(new Set(keys).size).toBe(2);
  });

  it('lets a refused request be tried again', async () => {
    const userId = randomUUID();
    const process = aProcess();
    const refused = process.run('withdrawal', aCaller(userId, 'key'), {}, () =>
      Promise.reject(new AppError('WRONG_PASSWORD')),
    );
    await expect(refused).rejects.toMatchObject({ errorName: 'WRONG_PASSWORD' });
    expect(await process.run('withdrawal', aCaller(userId, 'key'), {}, async () => 'done')).toBe('done');
  });

  it('runs a request that broke off again under the same request key', async () => {
    const userId = randomUUID();
    const process = aProcess();
    const keys: (string | null)[] = [];
    const run = (fails: boolean) => {
      const caller = aCaller(userId, null);
      return process.run('withdrawal', caller, { amount: '1' }, async () => {
        keys.push(caller.idempotencyKey);
        if (fails) throw new Error('the database went away');
        return 'done';
      });
    };
    await expect(run(true)).rejects.toThrow('went away');
    expect(await run(false)).toBe('done');
    expect(keys[0]).toBe(keys[1]);
  });

  it('goes on at once with what a process left open that was alone, and otherwise only after a minute', async () => {
    const userId = randomUUID();
    const callers = [aCaller(userId, 'key'), aCaller(userId, 'key'), aCaller(userId, 'key')];
    const begun = Promise.withResolvers<void>();
    // It dies here: this is never answered.
    void aProcess().run('withdrawal', callers[0]!, {}, () => {
      begun.resolve();
      return new Promise(() => {});
    });
    await begun.promise;
    const pause = async (ms: number) => clock.advanceSeconds(ms / 1000);
    const second = new Idempotency({ database, clock: { nowMs: () => clock.nowMs(), pause }, secret });
    const inProgress = second.run('withdrawal', callers[1]!, {}, async () => 'done');
    await expect(inProgress).rejects.toMatchObject({ errorName: 'REQUEST_IN_PROGRESS' });
    const next = new Idempotency({ database, clock, secret, aloneSince: new Date(clock.nowMs()) });
    expect(await next.run('withdrawal', callers[2]!, {}, async () => 'done')).toBe('done');
    expect(callers[2]!.idempotencyKey).toBe(callers[0]!.idempotencyKey);
  });

  it('keeps nothing of the request that could be guessed back', async () => {
    const userId = randomUUID();
    await aProcess().run('withdrawal', aCaller(userId, 'key'), { password: 'hunter2' }, async () => ({}));
    const rows = await database.query(`select i::text as row from idempotency i where user_id = $1`, [userId]);
    expect(JSON.stringify(rows)).not.toContain('hunter2');
  });
});
