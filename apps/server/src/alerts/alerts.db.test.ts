import { randomUUID } from 'node:crypto';
import type { AlertBody } from '@hunter/contract/calls/alerts';
import { DIGEST_MS } from '@hunter/domain/alerts/alert-digest';
import { beforeEach, describe, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { address, type Address } from '@hunter/solana/address';
import { ManualClock } from '../platform/clock-for-test.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { createLog } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { loadAlerts, markRead, removeOldAlerts, saveChoice } from './alert-store.ts';
import { Alerts } from './alerts.ts';
import { createPriceAlert, loadPriceAlerts, PRICE_ALERTS_MAX, PriceAlerts } from './price-alerts.ts';
import { ALERTS_TOPIC, raiseAlerts, type AlertsRaised } from './raise-alerts.ts';

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

const deposit = (amount: string): AlertBody => ({
  kind: 'deposit',
  tokenContractAddress: null,
  tokenSymbol: 'SOL',
  amount,
  txHash: 'sig',
});
const stopped: AlertBody = { kind: 'follow-stopped', slug: 's', strategyName: 'S', by: 'stop-loss' };
const ended: AlertBody = { kind: 'strategy-ended', slug: 's', strategyName: 'S' };

let ann: string;
let clock: ManualClock;
let alerts: Alerts;
/** What was written for the outbox, and what the stream said. */
let sent: { userId: string; alerts: readonly AlertBody[] }[];
let told: { userId: string; unread: number }[];

beforeEach(async () => {
  await database.write(`truncate alert, alert_choice, alert_delivery, price_alert, outbox`);
  ann = randomUUID();
  sent = [];
  told = [];
  clock = new ManualClock();
  const bus = new LiveBus();
  bus.subscribe((channel, userId, data) => {
    if (channel === 'alerts') told.push({ userId, unread: (data as { unread: number }).unread });
  });
  const mail = {
    reachable: async (_sql: unknown, userIds: readonly string[]) => new Set(userIds),
    enqueue: async (_sql: unknown, userId: string, bodies: readonly AlertBody[]) =>
      void sent.push({ userId, alerts: bodies }),
  };
  alerts = new Alerts({ database, bus, senders: { mail }, clock, log: createLog('silent') });
});

const raise = (body: AlertBody, reference: string = randomUUID(), userId = ann) =>
  database.transaction((sql) => raiseAlerts(sql, [{ userId, reference, body }]));

/** Carries out what is in the outbox; `times` as after a crash between the work and its mark. */
async function runOutbox(times = 1): Promise<void> {
  const rows = await database.write<{ payload: AlertsRaised }>(
    `update outbox set done_at = now() where topic = $1 and done_at is null returning payload`,
    [ALERTS_TOPIC],
  );
  for (const { payload } of rows) for (let time = 0; time < times; time += 1) await alerts.onRaised(payload);
}

describe('an alert', () => {
  it('is written once for one cause, told on the stream, and counted until it is read', async () => {
    await raise(deposit('1'), 'first');
    await raise(deposit('1'), 'first');
    await raise(deposit('2'), 'second');
    await runOutbox();
    expect(told).toEqual([
      { userId: ann, unread: 2 },
      { userId: ann, unread: 2 },
    ]);
    const page = await loadAlerts(database, ann, null);
    expect(page.unread).toBe(2);
    expect(page.lists.map(({ body, read }) => [body, read])).toEqual([
      [deposit('2'), false],
      [deposit('1'), false],
    ]);
    expect(await markRead(database, ann, BigInt(page.lists[1]!.id))).toEqual({ unread: 1 });
    expect((await loadAlerts(database, ann, null)).lists.map(({ read }) => read)).toEqual([false, true]);
  });

  it('goes with the transaction that raised it', async () => {
    await expect(
      database.transaction(async (sql) => {
        await raiseAlerts(sql, [{ userId: ann, reference: 'r', body: deposit('1') }]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect((await loadAlerts(database, ann, null)).lists).toEqual([]);
    expect(await database.query(`select 1 from outbox`)).toEqual([]);
  });

  it('is another user’s neither to see nor to read', async () => {
    const bob = randomUUID();
    await raise(deposit('1'), 'r', bob);
    expect(await loadAlerts(database, ann, null)).toEqual({ lists: [], nextCursor: null, unread: 0 });
    await markRead(database, ann, 10n ** 17n);
    expect((await loadAlerts(database, bob, null)).unread).toBe(1);
  });

  it('stays out of the bell where its kind was switched off', async () => {
    await saveChoice(database, ann, 'deposit', ['mail']);
    await raise(deposit('1'));
    await runOutbox();
    expect(told).toEqual([]);
    expect(await loadAlerts(database, ann, null)).toMatchObject({ lists: [], unread: 0 });
    await alerts.sendDue();
    expect(sent).toEqual([{ userId: ann, alerts: [deposit('1')] }]);
  });

  it('comes in pages, newest first', async () => {
    for (let each = 0; each < 35; each += 1) await raise(deposit(String(each + 1)));
    const first = await loadAlerts(database, ann, null);
    const second = await loadAlerts(database, ann, BigInt(first.nextCursor!));
    expect([first.lists.length, second.lists.length, second.nextCursor]).toEqual([30, 5, null]);
    expect(second.lists.at(-1)!.body).toEqual(deposit('1'));
  });

  it('is removed after 90 days', async () => {
    await raise(deposit('1'));
    await removeOldAlerts(database, new Date(Date.now() + 89 * 86_400_000));
    expect((await loadAlerts(database, ann, null)).lists).toHaveLength(1);
    await removeOldAlerts(database, new Date(Date.now() + 91 * 86_400_000));
    expect((await loadAlerts(database, ann, null)).lists).toEqual([]);
  });
});

describe('a channel', () => {
  it('gets each alert once, however often the outbox and the sender run', async () => {
    await raise(stopped);
    await runOutbox(2);
    await Promise.all([alerts.sendDue(), alerts.sendDue()]);
    await alerts.sendDue();
    expect(sent).toEqual([{ userId: ann, alerts: [stopped] }]);
  });

  it('gets the first at once and those that follow together', async () => {
    await raise(stopped);
    await runOutbox();
    await alerts.sendDue();
    for (const reference of ['a', 'b', 'c']) await raise(ended, reference);
    await runOutbox();
    await alerts.sendDue();
    expect(sent).toHaveLength(1);
    await clock.advance(DIGEST_MS.mail);
    await alerts.sendDue();
    expect(sent.map((message) => message.alerts.length)).toEqual([1, 3]);
  });

  it('keeps an alert for the next try when writing its message fails', async () => {
    await raise(stopped);
    await runOutbox();
    const failing = new Alerts({
      database,
      bus: new LiveBus(),
      senders: {
        mail: {
          reachable: async (_sql, userIds) => new Set(userIds),
          enqueue: async () => {
            throw new Error('no space left');
          },
        },
      },
      clock,
      log: createLog('silent'),
    });
    expect(await failing.sendDue()).toBe(0);
    expect(sent).toEqual([]);
    await alerts.sendDue();
    expect(sent).toHaveLength(1);
  });

  it('gets nothing that its user did not choose for it', async () => {
    await raise(deposit('1'));
    await saveChoice(database, ann, 'strategy-ended', ['app']);
    await raise(ended);
    await runOutbox();
    await alerts.sendDue();
    expect(sent).toEqual([]);
  });
});

describe('a price alert', () => {
  const mint = address('So11111111111111111111111111111111111111112');
  const create = (direction: 'above' | 'below', target: string) =>
    createPriceAlert(database, ann, { tokenContractAddress: mint, direction, target }, 'CAT');
  let prices: Map<Address, string>;
  /** The tokens whose prices were asked for. */
  let asked: Address[];
  let watch: PriceAlerts;
  beforeEach(() => {
    prices = new Map();
    asked = [];
    const pricesOf = async (mints: readonly Address[]) => {
      asked.push(...mints);
      return new Map([...prices].filter(([priced]) => mints.includes(priced)));
    };
    watch = new PriceAlerts({ database, pricesOf, clock, log: createLog('silent') });
  });
  const check = (price: string | null) => {
    prices = new Map(price === null ? [] : [[mint, price]]);
    watch.pricesMoved([mint]);
    return watch.pass();
  };

  it('tells once, at its target or beyond, and is gone then', async () => {
    await create('above', '0.000002');
    await create('below', '0.000001');
    await check('0.0000015');
    await check(null);
    expect((await loadAlerts(database, ann, null)).lists).toEqual([]);
    await check('0.000002');
    await check('0.000003');
    const { lists } = await loadAlerts(database, ann, null);
    expect(lists.map(({ body }) => body)).toEqual([
      {
        kind: 'price',
        tokenContractAddress: mint,
        tokenSymbol: 'CAT',
        direction: 'above',
        target: '0.000002',
        price: '0.000002',
      },
    ]);
    expect((await loadPriceAlerts(database, ann, undefined)).lists.map(({ direction }) => direction)).toEqual([
      'below',
    ]);
  });

  it('is one of so many for each user, however many are asked for at once', async () => {
    for (let place = 1; place < PRICE_ALERTS_MAX; place += 1) await create('above', String(place));
    const asked = await Promise.allSettled(
      ['0.1', '0.2', '0.3', '0.4', '0.5'].map((target) => create('below', target)),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = asked.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { errorName: 'PRICE_ALERTS_FULL', context: { most: PRICE_ALERTS_MAX } } });
    expect((await loadPriceAlerts(database, ann, undefined)).lists).toHaveLength(PRICE_ALERTS_MAX);
    expect(await create('above', '1')).toMatchObject({ direction: 'above', target: '1' });
  });

  it('is reached at the target itself', async () => {
    const waiting = async () =>
      (await loadPriceAlerts(database, ann, undefined)).lists.map((row) => `${row.direction} ${row.target}`);
    await create('above', '5');
    await create('below', '3');
    for (const price of ['4.999999999999999999', '3.000000000000000001']) await check(price);
    expect((await waiting()).toSorted()).toEqual(['above 5', 'below 3']);
    await check('5');
    expect(await waiting()).toEqual(['below 3']);
    await check('3');
    expect(await waiting()).toEqual([]);
  });

  it('tells at once where it is past its target already', async () => {
    prices.set(mint, '7');
    await create('above', '5');
    await watch.look(mint);
    expect((await loadPriceAlerts(database, ann, undefined)).lists).toEqual([]);
  });

  it('is looked at when its token’s price moves, and in turn where nobody told of that, a few tokens at a time', async () => {
    const mints = Array.from({ length: 120 }, (_, place) => mintNamed(`Coin${place}`));
    for (const each of mints) {
      await createPriceAlert(database, ann, { tokenContractAddress: each, direction: 'above', target: '5' }, 'C');
      if (each === mints[99]) ann = randomUUID();
    }
    const last = mints.toSorted().at(-1)!;
    prices.set(last, '6');
    const told = () => database.query(`select 1 from alert`);
    await watch.pass();
    expect(asked).toHaveLength(50);
    expect(await told()).toEqual([]);
    await watch.pass();
    await watch.pass();
    expect(await told()).toHaveLength(1);
    const moved = mints.toSorted().at(-2)!;
    prices.set(moved, '6');
    asked = [];
    watch.pricesMoved([moved]);
    await watch.pass();
    expect(asked.length).toBeLessThanOrEqual(51);
    expect(await told()).toHaveLength(2);
  });
});
