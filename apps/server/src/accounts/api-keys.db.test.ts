import type { Call } from '@hunter/contract/call';
import { calls, type CallName } from '@hunter/contract/calls';
import { keyScopes } from '@hunter/contract/key-scopes';
import { AppError } from '@hunter/contract/app-error';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadPersonalBook, openBook } from '../ledger/books.ts';
import { AccountsUnderTest, type Envelope, type RegisteredUser } from './accounts-for-test.ts';

let test: AccountsUnderTest;
/** What reached a handler; `refuse` lets the next trade be refused. */
const reached: string[] = [];
const requests: unknown[] = [];
let refusal: AppError | null = null;

beforeAll(async () => {
  const answer = (name: CallName) => async (request: unknown) => {
    reached.push(name);
    requests.push(request);
    if (refusal) throw refusal;
    return {} as never;
  };
  test = await AccountsUnderTest.start({
    handlers: () => ({
      tokenTransfer: answer('tokenTransfer'),
      tokenClose: answer('tokenClose'),
      placeTrigger: answer('placeTrigger'),
      pauseTrigger: answer('pauseTrigger'),
      resumeTrigger: answer('resumeTrigger'),
      cancelTrigger: answer('cancelTrigger'),
      cancelAllTriggers: answer('cancelAllTriggers'),
      endWalletFollow: answer('endWalletFollow'),
      followStrategy: answer('followStrategy'),
      followWallet: answer('followWallet'),
      withdrawal: answer('withdrawal'),
    }),
  });
});
afterAll(() => test.stop());

type Made = { key: string; id: string };
const mint = 'So11111111111111111111111111111111111111112';

async function aKey(user: RegisteredUser, wanted: Record<string, unknown> = {}): Promise<Made> {
  const reply = await create(user, wanted);
  if (reply.code !== 200) throw new Error(reply.msg);
  const { key, apiKey } = reply.data as unknown as { key: string; apiKey: { id: string } };
  return { key, id: apiKey.id };
}

function create(user: RegisteredUser, wanted: Record<string, unknown> = {}): Promise<Envelope> {
  const request = { id: randomUUID(), name: 'bot', scope: 'read', days: 30, password: user.password, ...wanted };
  return test.post('user/createApiKey', request, { token: user.token });
}

async function withKey(key: string, name: CallName, payload: object = {}, address = '203.0.113.7') {
  const { method, path } = calls[name] as Call;
  const reply = await test.app.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address },
    ...(method === 'POST' ? { payload } : {}),
  });
  return { status: reply.statusCode, ...reply.json<Envelope & { data: { error?: string } }>() };
}

async function aTrigger(userId: string, bookId: string): Promise<string> {
  const rows = await test.database.write<{ id: string }>(
    `insert into order_trigger (id, user_id, book_id, book_kind, mint, kind, side, state, level, slippage_bps, created_at)
     select gen_random_uuid(), $1, $2, kind, $3, 'limit', 'sell', 'paused', '{"unit":"sol","value":"5","when":"above"}', 100, now()
     from book where id = $2 returning id`,
    [userId, bookId, mint],
  );
  return rows[0]!.id;
}

async function aWalletFollow(userId: string, bookId: string): Promise<string> {
  const rows = await test.database.write<{ id: string }>(
    `insert into wallet_follow (id, user_id, book_id, address, name, settings, amount_lamports, seen_seq, started_at)
     values (gen_random_uuid(), $1, $2, $3, 'whale', '{}', 0, 0, now()) returning id`,
    [userId, bookId, mint],
  );
  return rows[0]!.id;
}

const buy = (amount: string, more: object = {}) => ({ tokenContractAddress: mint, side: 'buy', amount, ...more });
const errorOf = async (reply: Promise<{ data: { error?: string } }>) => (await reply).data.error ?? null;

describe('making an API key', () => {
  it('needs the password, and puts only its hash into the database', async () => {
    const user = await test.register('maker@example.com');
    expect((await create(user, { password: 'not it at all' })).data).toMatchObject({ error: 'WRONG_PASSWORD' });
    const { key } = await aKey(user);
    const stored = await test.database.query(`select t::text as row from api_key t`);
    expect(JSON.stringify(stored)).not.toContain(key.slice(3, 20));
    const listed = await test.get('user/getMyApiKeys', user.token);
    expect(JSON.stringify(listed)).not.toContain(key);
    expect(listed.data).toMatchObject({ lists: [{ name: 'bot', hint: key.slice(-4), lastUsedAt: null }] });
  });

  it('is told by mail and in the bell, and written into the audit log', async () => {
    const user = await test.register('told@example.com');
    await aKey(user, { name: 'grid bot', scope: 'trade', dailySol: '2' });
    const [mail] = await test.mailsTo('told@example.com');
    expect(mail).toMatchObject({ subject: 'An API key was made for your Hunter account' });
    expect(mail!.text).toContain('grid bot');
    const [alert] = await test.database.query(`select payload from alert where user_id = $1 order by id desc`, [
      user.userId,
    ]);
    expect(alert).toMatchObject({ payload: { kind: 'security', event: 'api-key-created', detail: 'grid bot' } });
    const { data } = await test.get('user/getMyAuditLog', user.token);
    expect(data).toMatchObject({ lists: [{ event: 'api-key-created', detail: 'grid bot' }, {}] });
  });

  it('ends at ten keys, even where two are made at once', async () => {
    const user = await test.register('many@example.com');
    for (let made = 0; made < 9; made += 1) await aKey(user);
    const both = await Promise.all([create(user), create(user)]);
    expect(both.filter(({ code }) => code === 200)).toHaveLength(1);
    expect(both.find(({ code }) => code !== 200)?.data).toMatchObject({ error: 'API_KEY_LIMIT', most: 10 });
  });

  it('asks a key that trades for a limit per day, and takes no address that is none', async () => {
    const user = await test.register('limits@example.com');
    expect((await create(user, { scope: 'trade' })).data).toMatchObject({ field: 'dailySol', reason: 'required' });
    expect((await create(user, { addresses: ['home'] })).data).toMatchObject({ field: 'addresses', reason: 'format' });
  });
});

describe('an API key', () => {
  it('opens exactly the calls of its scope, of all calls there are', async () => {
    const user = await test.register('matrix@example.com');
    const keys = {
      read: (await aKey(user, { requestsPerSecond: 50 })).key,
      trade: (await aKey(user, { scope: 'trade', dailySol: '1', requestsPerSecond: 50 })).key,
    };
    for (const [scope, key] of Object.entries(keys)) {
      for (const name of Object.keys(calls) as CallName[]) {
        test.clock.advanceSeconds(1);
        const { status, data } = await withKey(key, name);
        const needs = keyScopes[name];
        const isOpen = needs === 'read' || (needs === 'trade' && scope === 'trade');
        expect([name, scope, status === 403 && data.error === 'API_KEY_SCOPE']).toEqual([name, scope, !isOpen]);
        if (isOpen) expect([name, [401, 403].includes(status)]).toEqual([name, false]);
      }
    }
  });

  it('never reaches what lets money or secrets out or changes how the account is secured', () => {
    const sensitive =
      /withdraw|export|factor|totp|passkey|password|recover|session|apikey|login|freeze|limits|addresses|invite|audit|settings|rule/i;
    const open = (Object.keys(calls) as CallName[]).filter(
      (name) => keyScopes[name] !== 'session' && sensitive.test(`${name} ${calls[name].path}`),
    );
    // A look at one's own trading preferences.
    expect(open).toEqual(['getMySettings']);
  });

  it('is dead with the next request once it is revoked, expired, or its account frozen or its password changed', async () => {
    const user = await test.register('ends@example.com');
    const works = async (key: string) => (await withKey(key, 'getMySettings')).status;

    const revoked = await aKey(user);
    expect(await works(revoked.key)).toBe(200);
    await test.post('user/revokeApiKey', { id: revoked.id }, { token: user.token });
    expect(await works(revoked.key)).toBe(401);

    const expired = await aKey(user, { days: 1 });
    test.clock.advanceSeconds(86_400);
    expect(await works(expired.key)).toBe(401);

    const before = await aKey(user);
    const password = 'another fine password 9';
    const changed = { oldPassword: user.password, password, confirmPassword: password };
    expect(await test.post('user/changePassword', changed, { token: user.token })).toMatchObject({ code: 200 });
    expect(await works(before.key)).toBe(401);

    const frozen = await aKey({ ...user, password });
    const [mail] = await test.mailsTo('ends@example.com');
    const token = /freeze#([\w-]{43})/.exec(mail!.text)![1]!;
    expect(await test.post('login/freezeAccount', { token })).toMatchObject({ code: 200 });
    expect(await works(frozen.key)).toBe(401);
  });

  it('is not made by a session that ends while it is being made', async () => {
    const user = await test.register('late@example.com');
    const login = await test.post('login/check', { email: user.email, password: user.password });
    const { token } = login.data as unknown as { token: string };
    const password = 'another fine password 9';
    const factors = test.keys.factors.bind(test.keys);
    vi.spyOn(test.keys, 'factors').mockImplementationOnce(async (wallet, ask) => {
      const changed = { oldPassword: user.password, password, confirmPassword: password };
      expect(await test.post('user/changePassword', changed, { token: user.token })).toMatchObject({ code: 200 });
      return factors(wallet, ask);
    });
    expect(await create({ ...user, token })).toMatchObject({ code: 401 });
    vi.restoreAllMocks();
    expect(await test.get('user/getMyApiKeys', user.token)).toMatchObject({ data: { lists: [] } });
  });

  it('is refused from an address that is not on its list', async () => {
    const user = await test.register('home@example.com');
    const { key } = await aKey(user, { addresses: ['203.0.113.0/24'] });
    expect((await withKey(key, 'getMySettings', {}, '203.0.113.9')).status).toBe(200);
    expect((await withKey(key, 'getMySettings', {}, '198.51.100.1')).status).toBe(403);
    const { data } = await test.get('user/getMyApiKeys', user.token);
    expect(data).toMatchObject({ lists: [{ lastUsedFrom: '203.0.113.9' }] });
  });

  it('is held to its own rate', async () => {
    const user = await test.register('rate@example.com');
    const { key } = await aKey(user, { requestsPerSecond: 2 });
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await withKey(key, 'getMySettings')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    test.clock.advanceSeconds(1);
    expect((await withKey(key, 'getMySettings')).status).toBe(200);
  });

  it('gains nothing from a session that is sent beside it', async () => {
    const user = await test.register('beside@example.com');
    const { key } = await aKey(user);
    const reply = await test.post(
      'user/revokeSession',
      { id: randomUUID() },
      { token: user.token, authorization: `Bearer ${key}` },
    );
    expect(reply.data).toMatchObject({ error: 'API_KEY_SCOPE' });
  });

  it('of somebody else cannot be seen or revoked', async () => {
    const [owner, other] = [await test.register('own@example.com'), await test.register('other@example.com')];
    const { key, id } = await aKey(owner);
    expect(await test.post('user/revokeApiKey', { id }, { token: other.token })).toMatchObject({ code: 404 });
    expect((await test.get('user/getMyApiKeys', other.token)).data).toEqual({ lists: [] });
    expect((await withKey(key, 'getMySettings')).status).toBe(200);
  });
});

describe('a thief', () => {
  it('with a read key neither trades nor learns the email', async () => {
    const user = await test.register('seen@example.com');
    const { key } = await aKey(user);
    reached.length = 0;
    expect(await errorOf(withKey(key, 'tokenTransfer', buy('0.1')))).toBe('API_KEY_SCOPE');
    expect(reached).toEqual([]);
    const wallet = await withKey(key, 'myWallet');
    expect(wallet.code).toBe(200);
    expect(JSON.stringify(wallet)).not.toContain('seen@example.com');
  });

  it('with a trade key spends no more than its SOL per day, however it is spent', async () => {
    const user = await test.register('spent@example.com');
    const { key } = await aKey(user, { scope: 'trade', dailySol: '1', requestsPerSecond: 50 });
    const dca = {
      kind: 'dca',
      side: 'buy',
      amount: { unit: 'sol', value: '0.1' },
      schedule: { intervalSeconds: 60, count: 10 },
    };
    reached.length = 0;
    expect(await errorOf(withKey(key, 'tokenTransfer', buy('0.6')))).toBe(null);
    expect(await errorOf(withKey(key, 'tokenTransfer', buy('0.5')))).toBe('API_KEY_SPEND_LIMIT');
    expect(await errorOf(withKey(key, 'followStrategy', { slug: 'mine', mode: 'sol', amount: '0.5' }))).toBe(
      'API_KEY_SPEND_LIMIT',
    );
    expect(await errorOf(withKey(key, 'placeTrigger', { tokenContractAddress: mint, triggers: [dca] }))).toBe(
      'API_KEY_SPEND_LIMIT',
    );
    const everything = { ...dca, amount: { unit: 'sol', value: '10000000000' } };
    expect(await errorOf(withKey(key, 'placeTrigger', { tokenContractAddress: mint, triggers: [everything] }))).toBe(
      'API_KEY_SPEND_LIMIT',
    );
    // The own strategy that follows a wallet of the thief's would bring the money of its followers along.
    const follow = { address: mint, name: 'x', slug: 'own-strategy' };
    expect(await errorOf(withKey(key, 'followWallet', follow))).toBe('API_KEY_SCOPE');
    expect(reached).toEqual(['tokenTransfer']);
    expect(await errorOf(withKey(key, 'tokenTransfer', buy('0.4')))).toBe(null);
    test.clock.advanceSeconds(86_400);
    expect(await errorOf(withKey(key, 'tokenTransfer', buy('1')))).toBe(null);
  });

  it('with a trade key cannot pass the limit by many requests at once', async () => {
    const user = await test.register('race@example.com');
    const { key } = await aKey(user, { scope: 'trade', dailySol: '1', requestsPerSecond: 50 });
    const spent = await Promise.all(
      Array.from({ length: 20 }, (_, index) => errorOf(withKey(key, 'tokenTransfer', buy(`0.2${index + 10}`)))),
    );
    expect(spent.filter((error) => error === null)).toHaveLength(4);
  });

  it('with a trade key cannot sell at a slippage that lets somebody take the difference', async () => {
    const user = await test.register('slip@example.com');
    const { key } = await aKey(user, { scope: 'trade', dailySol: '1' });
    const sell = { tokenContractAddress: mint, side: 'sell', amount: '5' };
    expect(await errorOf(withKey(key, 'tokenTransfer', { ...sell, slippageBps: 501 }))).toBe('API_KEY_SLIPPAGE');
    expect(await errorOf(withKey(key, 'tokenTransfer', { ...sell, slippageBps: 500 }))).toBe(null);
  });

  it('with a trade key gains no wider slippage by leaving it out, in a sale, in a stop or in what protects a purchase', async () => {
    const user = await test.register('unsaid@example.com');
    await test.database.write(`update users set slippage_bps = 3000 where id = $1`, [user.userId]);
    const { key } = await aKey(user, { scope: 'trade', dailySol: '1', requestsPerSecond: 50 });
    // Above the price: it would fire at once and sell everything.
    const stopLoss = { unit: 'sol', value: '1000000' };
    const token = { tokenContractAddress: mint };
    const triggers = [
      { kind: 'stop-loss', level: stopLoss },
      { kind: 'limit', side: 'sell', level: { ...stopLoss, when: 'below' }, slippageBps: 80 },
    ];
    requests.length = 0;
    expect(await errorOf(withKey(key, 'tokenClose', token))).toBe(null);
    expect(await errorOf(withKey(key, 'placeTrigger', { ...token, triggers }))).toBe(null);
    expect(await errorOf(withKey(key, 'tokenTransfer', buy('0.1', { protect: { stopLoss } })))).toBe(null);
    const wide = { protect: { stopLoss, slippageBps: 501 } };
    expect(await errorOf(withKey(key, 'tokenTransfer', buy('0.1', wide)))).toBe('API_KEY_SLIPPAGE');
    expect(requests).toMatchObject([
      { slippageBps: 500 },
      { triggers: [{ slippageBps: 500 }, { slippageBps: 80 }] },
      { slippageBps: 500, protect: { stopLoss, slippageBps: 500 } },
    ]);
  });

  it('with a trade key does not trade for those who follow its owner', async () => {
    const user = await test.register('creator@example.com');
    const { key } = await aKey(user, { scope: 'trade', dailySol: '1', requestsPerSecond: 50 });
    const { id: bookId, walletId } = await loadPersonalBook(test.database, user.userId);
    const token = { tokenContractAddress: mint };
    const limit = { kind: 'limit', side: 'buy', amount: { unit: 'sol', value: '0.1' } };
    const triggers = [{ ...limit, level: { unit: 'sol', value: '1', when: 'below' } }];
    expect(await errorOf(withKey(key, 'tokenClose', token))).toBe(null);
    const kind = 'strategy' as const;
    const strategy = await openBook(test.database, { userId: user.userId, walletId, kind, name: 'mine' });
    reached.length = 0;
    const inStrategy = { bookId: strategy.id };
    expect(await errorOf(withKey(key, 'tokenTransfer', buy('0.1', inStrategy)))).toBe('API_KEY_SCOPE');
    expect(await errorOf(withKey(key, 'placeTrigger', { ...token, ...inStrategy, triggers }))).toBe('API_KEY_SCOPE');
    expect(await errorOf(withKey(key, 'tokenClose', { ...token, ...inStrategy }))).toBe('API_KEY_SCOPE');
    // Without a book it would close in all of them. Long enough after the first one not to be a double click.
    test.clock.advanceSeconds(3);
    expect(await errorOf(withKey(key, 'tokenClose', token))).toBe('API_KEY_SCOPE');
    expect(reached).toEqual([]);
    expect(await errorOf(withKey(key, 'tokenClose', { ...token, bookId }))).toBe(null);
    expect(await errorOf(withKey(key, 'tokenTransfer', buy('0.1', { bookId })))).toBe(null);
  });

  it('with a trade key changes no trigger and ends no wallet follow of its owner’s strategy', async () => {
    const user = await test.register('steering@example.com');
    const { userId } = user;
    const { key } = await aKey(user, { scope: 'trade', dailySol: '1', requestsPerSecond: 50 });
    const { id: personal, walletId } = await loadPersonalBook(test.database, userId);
    const strategy = (await openBook(test.database, { userId, walletId, kind: 'strategy', name: 'mine' })).id;
    const [mine, ofAll] = await Promise.all([aTrigger(userId, personal), aTrigger(userId, strategy)]);
    const [copied, ran] = await Promise.all([aWalletFollow(userId, personal), aWalletFollow(userId, strategy)]);
    reached.length = 0;
    for (const name of ['pauseTrigger', 'resumeTrigger', 'cancelTrigger'] as const) {
      expect([name, await errorOf(withKey(key, name, { id: ofAll }))]).toEqual([name, 'API_KEY_SCOPE']);
      expect([name, await errorOf(withKey(key, name, { id: mine }))]).toEqual([name, null]);
    }
    expect(await errorOf(withKey(key, 'cancelAllTriggers', { bookId: strategy }))).toBe('API_KEY_SCOPE');
    // Without a book it would cancel in all of them.
    expect(await errorOf(withKey(key, 'cancelAllTriggers'))).toBe('API_KEY_SCOPE');
    expect(await errorOf(withKey(key, 'cancelAllTriggers', { bookId: personal }))).toBe(null);
    expect(await errorOf(withKey(key, 'endWalletFollow', { id: ran }))).toBe('API_KEY_SCOPE');
    expect(await errorOf(withKey(key, 'endWalletFollow', { id: copied }))).toBe(null);
    expect(reached).toEqual(['pauseTrigger', 'resumeTrigger', 'cancelTrigger', 'cancelAllTriggers', 'endWalletFollow']);
  });

  it('has the limit back where a trade was refused', async () => {
    const user = await test.register('refused@example.com');
    const { key } = await aKey(user, { scope: 'trade', dailySol: '1', requestsPerSecond: 50 });
    refusal = new AppError('INSUFFICIENT_BALANCE');
    try {
      expect(await errorOf(withKey(key, 'tokenTransfer', buy('0.9')))).toBe('INSUFFICIENT_BALANCE');
    } finally {
      refusal = null;
    }
    expect(await errorOf(withKey(key, 'tokenTransfer', buy('1')))).toBe(null);
  });
});
