import type { AlertBody } from '@hunter/contract/calls/alerts';
import { DIGEST_MS } from '@hunter/domain/alerts/alert-digest';
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepOpen } from '../accounts/sessions.ts';
import { createTellUser } from '../accounts/tell-user.ts';
import { ManualClock } from '../platform/clock-for-test.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { createLog } from '../platform/log.ts';
import { type Mail, MAIL_TOPIC, type MailPayload } from '../platform/mail.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { ServerSecret } from '../platform/server-secret.ts';
import { AlertChannels } from './alert-channels.ts';
import { loadAlerts, saveChoice } from './alert-store.ts';
import { Alerts } from './alerts.ts';
import { startPushService, type TestPushService } from './push-service-for-test.ts';
import { ALERTS_TOPIC, raiseAlerts } from './raise-alerts.ts';
import { TelegramBot } from './telegram-bot.ts';
import { TelegramApi } from './telegram-api.ts';
import { pushMessage } from './push-sender.ts';
import type { TellLinked } from './telegram-links.ts';
import { startTelegram, type TestTelegram } from './telegram-for-test.ts';

const BOT_TOKEN = '123:bot-token';
const secret = new ServerSecret(Buffer.alloc(32, 7));
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

let ann: { userId: string; sessionId: string; userAgent: string };
let language: 'en' | 'zh';
let unreadable: string | null;
let clock: ManualClock;
let service: TestPushService;
let telegram: TestTelegram;
let channels: AlertChannels;
let told: TellLinked;
let alerts: Alerts;
let bot: TelegramBot;

beforeEach(async () => {
  await database.write(`truncate alert, alert_choice, alert_delivery, push_device, telegram_link, outbox`);
  language = 'en';
  unreadable = null;
  clock = new ManualClock();
  service = await startPushService();
  telegram = await startTelegram(BOT_TOKEN);
  const log = createLog('silent');
  told = createTellUser({ secret, clock, origin: 'https://hunter.test' });
  channels = new AlertChannels({
    database,
    secret,
    tell: told,
    keepOpen,
    recipientOf: async (_sql, userId) => {
      if (userId === unreadable) throw new Error('this user cannot be read');
      return { email: 'ann@example.com', language };
    },
    push: { hosts: ['push.example'], loopback: true, contact: 'mailto:ops@example.com' },
    telegram: { url: telegram.url, token: BOT_TOKEN },
    clock,
    log,
  });
  const api = new TelegramApi({ url: telegram.url, token: BOT_TOKEN });
  bot = new TelegramBot({ api, database, tell: told, clock, log });
  alerts = new Alerts({ database, bus: new LiveBus(), senders: channels.senders, clock, log });
  ann = await aUser();
});
afterEach(() => {
  service.close();
  telegram.close();
});

async function aUser(): Promise<{ userId: string; sessionId: string; userAgent: string }> {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const [user] = await database.write<{ id: string }>(
    `insert into users (email, email_key, password_hash, display_name) values ($1, $1, 'x', $1) returning id`,
    [email],
  );
  const [session] = await database.write<{ id: string }>(
    `insert into session (user_id, token_hash, expires_at, device, address) values ($1, $2, now() + interval '1 day', 'x', 'y')
     returning id`,
    [user!.id, randomBytes(32)],
  );
  return { userId: user!.id, sessionId: session!.id, userAgent: CHROME };
}

/** The subjects of what waits to be mailed. */
async function mailed(): Promise<string[]> {
  const rows = await database.query<{ payload: MailPayload }>(
    `select payload from outbox where topic = $1 order by id`,
    [MAIL_TOPIC],
  );
  return rows.map(({ payload }) => (JSON.parse(secret.open(payload.sealed)) as Mail).subject);
}

const skipped = (strategyName = 'Moon'): AlertBody => ({
  kind: 'round-skipped',
  slug: 'moon',
  strategyName,
  tokenContractAddress: 'Mint',
  tokenSymbol: 'CAT',
  side: 'buy',
  reason: 'coin-cap',
});

/** Raises, plans what is due and carries out the outbox once; answers what failed and waits for the next attempt. */
async function tell(...bodies: AlertBody[]): Promise<Error[]> {
  await database.transaction((sql) =>
    raiseAlerts(
      sql,
      bodies.map((body) => ({ userId: ann.userId, reference: randomBytes(6).toString('hex'), body })),
    ),
  );
  return runOutbox();
}

async function runOutbox(): Promise<Error[]> {
  const take = () =>
    database.write<{ id: bigint; topic: string; payload: never }>(
      `update outbox set attempts = attempts + 1 where done_at is null returning id, topic, payload`,
    );
  const failures: Error[] = [];
  for (const round of ['raised', 'sent']) {
    for (const { id, topic, payload } of await take()) {
      try {
        await (topic === ALERTS_TOPIC ? alerts.onRaised(payload) : channels.topics[topic]?.(payload, id, 0));
        await database.write(`update outbox set done_at = now() where id = $1`, [id]);
      } catch (error) {
        failures.push(error as Error);
      }
    }
    if (round === 'raised') await alerts.sendDue();
  }
  return failures;
}

/** A browser of hers that has been told of its own adding. */
async function addBrowser(path = '/browser'): Promise<string> {
  const { id } = await channels.addPushDevice(ann, service.subscription(path));
  await runOutbox();
  await clock.advance(DIGEST_MS.push);
  service.received.length = 0;
  return id;
}

describe('web push', () => {
  it('reaches the browser in its owner’s language, encrypted, signed with the key that browsers are given', async () => {
    await addBrowser();
    language = 'zh';
    expect(await tell(skipped())).toEqual([]);
    expect(service.received.map(({ path, message }) => [path, message])).toEqual([
      ['/browser', { title: '未跟单：买入 CAT', text: 'Moon：单币上限：该币占比已满', path: '/strategies/moon' }],
    ]);
    const [push] = service.received;
    expect(push!.senderKey).toBe((await channels.load(ann.userId)).push.publicKey);
    expect(push!.claims).toMatchObject({ aud: service.origin, sub: 'mailto:ops@example.com' });
    expect(push!.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' });
    expect(push!.raw.includes('/strategies/moon')).toBe(false);
  });

  it('says that a browser was added, urgently and to all browsers of the user', async () => {
    await channels.addPushDevice(ann, service.subscription('/first'));
    await runOutbox();
    expect(service.received.map(({ message, headers }) => [message, headers['urgency']])).toEqual([
      [
        {
          title: 'A browser gets your notifications',
          text: 'Chrome · Linux. If it was not you, freeze your account.',
          path: '/account?tab=security',
        },
        'high',
      ],
    ]);
    expect((await loadAlerts(database, ann.userId, null)).lists).toHaveLength(1);
    // The same browser again, as after a reload, is nothing new.
    await channels.addPushDevice(ann, service.subscription('/first'));
    expect((await loadAlerts(database, ann.userId, null)).lists).toHaveLength(1);
  });

  it('gathers a flood into one message that fits', async () => {
    await addBrowser();
    await tell(skipped());
    await tell(...Array.from({ length: 40 }, () => skipped('名'.repeat(80))));
    expect(service.received).toHaveLength(1);
    await clock.advance(DIGEST_MS.push);
    await runOutbox();
    expect(service.received).toHaveLength(2);
    expect(service.received[1]!.message).toMatchObject({
      title: '40 notifications',
      path: '/account?tab=notifications',
    });
    expect(service.received[1]!.raw.length).toBeLessThan(4_096);
  });

  it('never cuts an emoji in half where it shortens a message', () => {
    const texts = Array.from({ length: 120 }, (_, shift) => {
      const lines = Array.from({ length: 10 }, () => skipped(`${'x'.repeat(shift)}${'🚀'.repeat(20)}`));
      return pushMessage(lines, 'en').text;
    });
    expect(texts.some((text) => text.endsWith('🚀…'))).toBe(true);
    expect(texts.filter((text) => !text.isWellFormed())).toEqual([]);
  });

  it('writes to the others where a message cannot be written', async () => {
    const bob = await aUser();
    await addBrowser();
    await channels.addPushDevice(bob, service.subscription('/bob'));
    await runOutbox();
    service.received.length = 0;
    await clock.advance(DIGEST_MS.push);
    unreadable = ann.userId;
    await database.transaction((sql) => raiseAlerts(sql, [{ userId: bob.userId, reference: 'b', body: skipped() }]));
    await tell(skipped());
    expect(service.received.map(({ path }) => path)).toEqual(['/bob']);
    unreadable = null;
    await runOutbox();
    expect(service.received.map(({ path }) => path)).toEqual(['/bob', '/browser']);
  });

  it('keeps what was written for one account from the next one at the same browser', async () => {
    const bob = await aUser();
    await addBrowser();
    service.answers.push(503);
    expect(await tell(skipped())).toHaveLength(1);
    service.received.length = 0;
    await channels.addPushDevice(bob, service.subscription('/browser'));
    expect(await runOutbox()).toEqual([]);
    expect(service.received.map(({ message }) => (message as { path: string }).path)).not.toContain('/strategies/moon');
  });

  it('tries again after a failure, and removes a browser that the push service no longer knows', async () => {
    await addBrowser();
    service.answers.push(503);
    const [failure] = await tell(skipped());
    expect(failure?.message).toContain('answered 503: told by the push service');
    // A failure names the service and not the address, which is a secret of the browser.
    expect(failure?.message).not.toContain('/browser');
    service.answers.push(410);
    expect(await runOutbox()).toEqual([]);
    expect(service.received).toHaveLength(2);
    expect((await channels.load(ann.userId)).push.devices).toEqual([]);
    await tell(skipped());
    expect(service.received).toHaveLength(2);
  });

  it('sends only the kinds that were chosen for it', async () => {
    await addBrowser();
    await saveChoice(database, ann.userId, 'round-skipped', ['app', 'mail']);
    await tell(skipped());
    expect(service.received).toEqual([]);
  });

  it('refuses addresses that are no push service', async () => {
    for (const endpoint of ['https://evil.example/x', 'http://10.0.0.1/x', 'http://169.254.169.254/']) {
      await expect(channels.addPushDevice(ann, { ...service.subscription('/x'), endpoint })).rejects.toMatchObject({
        errorName: 'INVALID_INPUT',
      });
    }
  });

  it('keeps no address and no key of a browser readable in the database', async () => {
    await addBrowser('/a-secret-address');
    const { p256dh } = service.subscription('');
    const [row] = await database.query(`select row_to_json(d)::text as text from push_device d`);
    for (const secret of ['a-secret-address', p256dh]) expect(JSON.stringify(row)).not.toContain(secret);
  });

  it('ends with the session that the browser was added in', async () => {
    await addBrowser();
    await database.write(`delete from session where id = $1`, [ann.sessionId]);
    await tell(skipped());
    expect(service.received).toEqual([]);
  });

  it('goes to the account that is logged in at the browser now, and to nobody else', async () => {
    const id = await addBrowser();
    expect(id).toBe(createHash('sha256').update(service.subscription('/browser').endpoint).digest('base64url'));
    const bob = await aUser();
    await channels.removePushDevice(bob.userId, id);
    expect((await channels.load(ann.userId)).push.devices).toMatchObject([{ id, name: 'Chrome · Linux' }]);
    await channels.addPushDevice(bob, service.subscription('/browser'));
    expect((await channels.load(ann.userId)).push.devices).toEqual([]);
    await channels.removePushDevice(bob.userId, id);
    expect((await channels.load(bob.userId)).push.devices).toEqual([]);
  });

  it('keeps the ten browsers that were added last', async () => {
    for (let each = 0; each < 12; each += 1) await channels.addPushDevice(ann, service.subscription(`/${each}`));
    expect((await channels.load(ann.userId)).push.devices).toHaveLength(10);
  });

  it('keeps a browser that another account had before, also where it is one too many', async () => {
    const id = await addBrowser('/shared');
    const bob = await aUser();
    for (let each = 0; each < 10; each += 1) await channels.addPushDevice(bob, service.subscription(`/bob-${each}`));
    await channels.addPushDevice(bob, service.subscription('/shared'));
    const { devices } = (await channels.load(bob.userId)).push;
    expect(devices).toHaveLength(10);
    expect(devices.map((device) => device.id)).toContain(id);
  });
});

describe('Telegram', () => {
  const codeOf = async () => new URL((await channels.connectTelegram(ann)).url).searchParams.get('start')!;
  async function connect(): Promise<void> {
    telegram.write(`/start ${await codeOf()}`);
    await bot.poll();
    await runOutbox();
    await clock.advance(DIGEST_MS.telegram);
    telegram.sent.length = 0;
  }

  it('is linked by a code that the bot is sent once, and tells in plain text', async () => {
    const { url } = await channels.connectTelegram(ann);
    expect(url).toMatch(/^https:\/\/t\.me\/hunter_bot\?start=[\w-]{22}$/);
    const code = new URL(url).searchParams.get('start')!;
    telegram.write(`/start ${code}`);
    await bot.poll();
    expect((await channels.load(ann.userId)).telegram).toEqual({ configured: true, chat: '@ann_t' });
    expect(telegram.sent[0]).toMatchObject({ chat_id: 77, text: expect.stringContaining('Connected') });
    telegram.write(`/start ${code}`, { id: 88, type: 'private', username: 'thief' });
    await bot.poll();
    expect(telegram.sent[1]).toMatchObject({ chat_id: 88, text: expect.stringContaining('not valid') });
    await runOutbox();
    await clock.advance(DIGEST_MS.telegram);
    await tell(skipped('<b>Moon</b>'));
    expect(telegram.sent.at(-1)).toEqual({
      chat_id: 77,
      text: 'Skipped: buy CAT: <b>Moon</b>: Coin cap: this coin’s share of the follow is full',
      link_preview_options: { is_disabled: true },
    });
  });

  it('of a thief is mailed to the owner, also where he has silenced everything', async () => {
    await saveChoice(database, ann.userId, 'security', []);
    telegram.write(`/start ${await codeOf()}`, { id: 88, type: 'private', username: 'thief' });
    await bot.poll();
    expect(await mailed()).toEqual(['A Telegram chat gets your Hunter notifications']);
  });

  it('takes no code that is old, replaced or sent in a group', async () => {
    const replaced = await codeOf();
    const old = await codeOf();
    telegram.write(`/start ${replaced}`);
    telegram.write(`/start ${old}`, { id: -5, type: 'group' });
    await bot.poll();
    await clock.advance(15 * 60_000);
    telegram.write(`/start ${old}`);
    await bot.poll();
    expect((await channels.load(ann.userId)).telegram.chat).toBeNull();
    expect(telegram.sent.map(({ chat_id }) => chat_id)).toEqual([77, 77]);
  });

  it('gives no code to a request whose session has ended under way', async () => {
    await database.write(`delete from session where id = $1`, [ann.sessionId]);
    await expect(channels.connectTelegram(ann)).rejects.toMatchObject({ errorName: 'UNAUTHENTICATED' });
    expect(await database.query(`select 1 from telegram_link`)).toEqual([]);
  });

  it('is unlinked from the settings, from the chat, and when the bot is blocked', async () => {
    await connect();
    await channels.disconnectTelegram(ann.userId);
    await tell(skipped());
    expect(telegram.sent).toEqual([]);
    await connect();
    telegram.write('/stop');
    await bot.poll();
    expect((await channels.load(ann.userId)).telegram.chat).toBeNull();
    await connect();
    telegram.refusal = { code: 403, description: 'Forbidden: bot was blocked by the user' };
    expect(await tell(skipped())).toEqual([]);
    expect((await channels.load(ann.userId)).telegram.chat).toBeNull();
  });

  it('is linked whatever the name of the chat, also where that is cut', async () => {
    telegram.write(`/start ${await codeOf()}`, { id: 77, type: 'private', first_name: `${'x'.repeat(63)}🚀🚀` });
    await bot.poll();
    expect((await channels.load(ann.userId)).telegram.chat).toBe(`${'x'.repeat(63)}…`);
  });

  it('says the same again, and tells it once, where Telegram hands a message out again after a kill', async () => {
    telegram.write(`/start ${await codeOf()}`);
    await bot.poll();
    const api = new TelegramApi({ url: telegram.url, token: BOT_TOKEN });
    await new TelegramBot({ api, database, tell: told, clock, log: createLog('silent') }).poll();
    expect(telegram.sent).toEqual([
      expect.objectContaining({ chat_id: 77, text: expect.stringContaining('Connected') }),
      expect.objectContaining({ chat_id: 77, text: expect.stringContaining('Connected') }),
    ]);
    const linked = await database.query(`select 1 from alert where payload ->> 'event' = 'telegram-linked'`);
    expect(linked).toHaveLength(1);
  });

  it('stays linked and says nothing else about its code where the reply to it failed', async () => {
    telegram.write(`/start ${await codeOf()}`);
    telegram.isSilent = true;
    await bot.poll();
    telegram.isSilent = false;
    await bot.poll();
    expect((await channels.load(ann.userId)).telegram.chat).toBe('@ann_t');
    expect(telegram.sent).toEqual([]);
  });

  it('tries again when Telegram asks for a pause, and never names the token', async () => {
    await connect();
    telegram.refusal = { code: 429, description: 'Too Many Requests: retry after 3' };
    const [failure] = await tell(skipped());
    expect(failure?.message).toBe('Telegram refused sendMessage with 429: Too Many Requests: retry after 3');
    telegram.refusal = null;
    expect(await runOutbox()).toEqual([]);
    expect(telegram.sent).toHaveLength(1);
    telegram.close();
    const [unreachable] = await tell(skipped());
    await clock.advance(DIGEST_MS.telegram);
    const [later] = await runOutbox();
    expect((unreachable ?? later)!.message).toContain('did not answer sendMessage');
    expect(String((unreachable ?? later)!.stack)).not.toContain(BOT_TOKEN);
  });

  it('is not offered where there is no bot', async () => {
    const without = new AlertChannels({
      database,
      secret,
      tell: told,
      keepOpen,
      recipientOf: async () => null,
      push: { hosts: [], loopback: false, contact: 'mailto:ops@example.com' },
      telegram: null,
      clock,
      log: createLog('silent'),
    });
    expect((await without.load(ann.userId)).telegram).toEqual({ configured: false, chat: null });
    await expect(without.connectTelegram(ann)).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  });
});
