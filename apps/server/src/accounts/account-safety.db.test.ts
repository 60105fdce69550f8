import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadAlerts, markRead } from '../alerts/alert-store.ts';
import { loadLinkedUsers } from '../alerts/telegram-links.ts';
import { AccountsUnderTest, type RegisteredUser } from './accounts-for-test.ts';
import { EmailCodes } from './email-codes.ts';
import { maskAddress, maskEmail, readUserAsOperator } from './operator-reads.ts';

const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36';
const HOUR = 3600;

describe('an account against thieves', () => {
  let test: AccountsUnderTest;
  beforeAll(async () => {
    test = await AccountsUnderTest.start();
  });
  afterAll(() => test.stop());

  const mailed = async (email: string, subject: string) =>
    (await test.mailsTo(email)).filter((mail) => mail.subject.startsWith(subject));
  const login = (email: string, password: string, headers: Record<string, string> = {}) =>
    test.post('login/check', { email, password }, headers);
  const isAlive = async ({ token }: RegisteredUser) => (await test.get('user/myWallet', token)).code === 200;
  const reset = async (email: string, password: string) => {
    const verificationCode = await test.code(email, 'reset');
    const reply = await test.post('login/resetPassword', {
      email,
      verificationCode,
      password,
      confirmPassword: password,
    });
    test.clock.advanceSeconds(61);
    return reply;
  };
  const undo = (email: string, password: string) => test.post('login/undoPasswordReset', { email, password });
  const unfreeze = async (email: string, password: string) => {
    const verificationCode = await test.code(email, 'unfreeze');
    const reply = await test.post('login/unfreezeAccount', { email, password, verificationCode });
    test.clock.advanceSeconds(61);
    return reply;
  };
  const freezeToken = async (email: string, subject: string) => {
    const [mail] = await mailed(email, subject);
    return /\/freeze#([\w-]{43})/.exec(mail!.text)![1]!;
  };

  it('says in its owner’s language which device is new, and nothing about one it knows', async () => {
    const user = await test.register('devices@example.com');
    const headers = { 'user-agent': CHROME, 'accept-language': 'en' };
    await login(user.email, user.password, headers);
    const [mail] = await mailed(user.email, 'New login to Hunter');
    expect(mail!.text).toContain('Device: Chrome · Windows');
    await login(user.email, user.password, headers);
    expect(await mailed(user.email, 'New login to Hunter')).toHaveLength(1);
    // Under IPv6 a computer takes another address of its network every day.
    await login(user.email, user.password, { ...headers, 'x-forwarded-for': '2001:db8:1:2:aaaa::1' });
    await login(user.email, user.password, { ...headers, 'x-forwarded-for': '2001:db8:1:2:bbbb::2' });
    expect(await mailed(user.email, 'New login to Hunter')).toHaveLength(2);
    // Whoever logs in in Chinese gets Chinese mails from then on, codes included.
    await login(user.email, user.password, { ...headers, 'accept-language': 'zh-CN' });
    await login(user.email, user.password, { 'user-agent': 'something else', 'accept-language': 'zh-CN' });
    expect(await mailed(user.email, 'Hunter 新设备登录')).toHaveLength(1);
    await test.code(user.email, 'reset');
    expect((await test.mailsTo(user.email))[0]!.text).toContain('重置 Hunter 密码的验证码');
  });

  it('sends nothing more to a Telegram chat once its password was changed or reset, or it was frozen', async () => {
    const user = await test.register('chat@example.com');
    const { userId, email } = user;
    const linked = () => loadLinkedUsers(test.database, [userId]);
    const link = async () => {
      await test.database.write(
        `insert into telegram_link (user_id, chat_id, chat_name, linked_at)
         values ($1, 88, 'thief', now())`,
        [userId],
      );
      expect(await linked()).toEqual([userId]);
    };
    await link();
    const password = 'another fine password 9';
    const changed = { oldPassword: user.password, password, confirmPassword: password };
    expect(await test.post('user/changePassword', changed, { token: user.token })).toMatchObject({ code: 200 });
    expect(await linked()).toEqual([]);
    await link();
    expect(await reset(email, 'a third fine password 9')).toMatchObject({ code: 200 });
    expect(await linked()).toEqual([]);
    await link();
    const token = await freezeToken(email, 'Your Hunter password was reset');
    expect(await test.post('login/freezeAccount', { token })).toMatchObject({ code: 200 });
    expect(await linked()).toEqual([]);
  });

  it('escapes in mails what others chose', async () => {
    const user = await test.register('escape@example.com');
    await test.accounts.tell(test.database, user.userId, {
      kind: 'address-saved',
      toWallet: 'x',
      label: '<img src=x onerror=alert(1)>',
    });
    const [mail] = await mailed(user.email, 'Your saved addresses were changed');
    expect(mail!.html).not.toContain('<img');
  });

  it('lets a thief with the mailbox freeze and unfreeze nothing without the password', async () => {
    const user = await test.register('mailbox@example.com');
    await login(user.email, user.password, { 'user-agent': CHROME });
    const token = await freezeToken(user.email, 'New login');
    expect((await test.post('login/freezeAccount', { token })).code).toBe(200);
    expect(await isAlive(user)).toBe(false);
    expect((await login(user.email, user.password)).data).toMatchObject({ error: 'ACCOUNT_FROZEN' });
    expect((await login(user.email, 'a wrong password')).data).toMatchObject({ error: 'WRONG_CREDENTIALS' });
    expect((await unfreeze(user.email, 'a wrong password')).data).toMatchObject({ error: 'WRONG_CREDENTIALS' });
    // The mailbox resets the password, and still does not open the account with it.
    expect((await reset(user.email, 'the thief’s password')).code).toBe(200);
    expect((await login(user.email, 'the thief’s password')).data).toMatchObject({ error: 'ACCOUNT_FROZEN' });
    expect((await unfreeze(user.email, 'the thief’s password')).data).toMatchObject({ error: 'UNFREEZE_AFTER_RESET' });
    // The owner undoes it and comes back with both.
    expect((await undo(user.email, user.password)).code).toBe(200);
    expect((await unfreeze(user.email, user.password)).code).toBe(200);
    expect((await login(user.email, user.password)).code).toBe(200);
    expect(await mailed(user.email, 'Your Hunter account is no longer frozen')).toHaveLength(1);
  });

  it('lets nobody who tries again and again keep the owner’s own device from undoing a reset and unfreezing', async () => {
    const user = await test.register('besieged@example.com');
    const home = { 'x-forwarded-for': '10.2.0.1', 'user-agent': 'Home' };
    const elsewhere = { 'x-forwarded-for': '10.2.6.6', 'user-agent': 'Elsewhere' };
    expect((await login(user.email, user.password, home)).code).toBe(200);
    expect((await reset(user.email, 'the thief’s password')).code).toBe(200);
    const undoFrom = (headers: Record<string, string>, password: string) =>
      test.post('login/undoPasswordReset', { email: user.email, password }, headers);
    for (let count = 0; count < 5; count += 1) await undoFrom(elsewhere, 'a wrong guess');
    expect((await undoFrom(elsewhere, user.password)).code).toBe(429);
    expect((await undoFrom(home, user.password)).code).toBe(200);
    const { email, password } = user;
    const verificationCode = await test.code(email, 'unfreeze');
    const unfrozen = await test.post('login/unfreezeAccount', { email, password, verificationCode }, home);
    expect(unfrozen.code).toBe(200);
  });

  it('forgets no device that was there before, however many a thief with the password invents', async () => {
    const user = await test.register('crowded@example.com');
    const home = { 'x-forwarded-for': '10.4.0.1', 'user-agent': 'Home' };
    const elsewhere = { 'x-forwarded-for': '10.4.6.6', 'user-agent': 'Elsewhere' };
    expect((await login(user.email, user.password, home)).code).toBe(200);
    for (let count = 0; count < 25; count += 1) {
      expect((await login(user.email, user.password, { 'user-agent': `Invented ${count}` })).code).toBe(200);
    }
    for (let count = 0; count < 5; count += 1) await login(user.email, 'a wrong guess', elsewhere);
    expect((await login(user.email, user.password, elsewhere)).code).toBe(429);
    expect((await login(user.email, user.password, home)).code).toBe(200);
  });

  it('forgets devices that their owner has not used for longest, over the months', async () => {
    const user = await test.register('many-phones@example.com');
    const phone = (month: number) => ({ 'x-forwarded-for': `10.5.0.${month}`, 'user-agent': 'Phone' });
    const known = async () =>
      (await test.database.query(`select 1 from known_device where user_id = $1`, [user.userId])).length;
    for (let month = 0; month < 25; month += 1) {
      await login(user.email, user.password, phone(month));
      await test.database.write(
        `update known_device set first_login_at = first_login_at - interval '31 days',
           last_login_at = last_login_at - interval '31 days' where user_id = $1`,
        [user.userId],
      );
    }
    expect(await known()).toBe(11);
    const told = () => mailed(user.email, 'New login to Hunter').then((mails) => mails.length);
    const before = await told();
    for (const month of [24, 23, 22]) expect((await login(user.email, user.password, phone(month))).code).toBe(200);
    expect(await told()).toBe(before);
    expect((await login(user.email, user.password, phone(1))).code).toBe(200);
    expect(await told()).toBe(before + 1);
  });

  it('mails its owner a code also after strangers have had a day’s codes sent to him', async () => {
    const user = await test.register('flooded@example.com');
    const home = { 'x-forwarded-for': '10.3.0.1', 'user-agent': 'Home' };
    expect((await login(user.email, user.password, home)).code).toBe(200);
    const ask = (headers: Record<string, string>) =>
      test.post('login/sendEmailCode', { email: user.email, purpose: 'reset' }, headers);
    const dayMs = 86_400_000;
    test.clock.advanceSeconds((dayMs - (test.clock.nowMs() % dayMs)) / 1_000);
    const strangers = async (): Promise<number> => {
      for (let count = 0; ; count += 1) {
        test.clock.advanceSeconds(61);
        if ((await ask({ 'x-forwarded-for': `10.3.6.${count}` })).code !== 200) return count;
      }
    };
    expect(await strangers()).toBe(10);
    expect((await ask(home)).code).toBe(200);
    // Each has ten: what his own device has sent does not count for strangers, and ends as well.
    for (let count = 1; count < 10; count += 1) {
      test.clock.advanceSeconds(61);
      expect((await ask(home)).code).toBe(200);
    }
    test.clock.advanceSeconds(61);
    expect((await ask(home)).data).toMatchObject({ error: 'CODE_TOO_SOON' });
  });

  it('mails its owner a code also while strangers use up what all of them may have sent in an hour', async () => {
    const user = await test.register('crowded-out@example.com');
    const home = { 'x-forwarded-for': '10.8.0.1', 'user-agent': 'Home' };
    expect((await login(user.email, user.password, home)).code).toBe(200);
    const limits = { perAddressPerHour: 30, globalPerHour: 2 };
    const codes = new EmailCodes(test.database, test.clock, test.accounts.secret, limits);
    const ask = (email: string, address: string, device: string) =>
      codes.send(email, 'reset', { address, device, language: 'en' });
    for (const [index, email] of ['a@example.com', 'b@example.com'].entries()) {
      await ask(email, `10.8.6.${index}`, 'Elsewhere');
    }
    await expect(ask('c@example.com', '10.8.6.9', 'Elsewhere')).rejects.toMatchObject({ errorName: 'RATE_LIMITED' });
    await expect(ask(user.email, '10.8.6.9', 'Elsewhere')).rejects.toMatchObject({ errorName: 'RATE_LIMITED' });
    await expect(ask(user.email, '10.8.0.1', 'Home')).resolves.toEqual({ retryAfterSeconds: 60 });
    // The others of this file have them sent as well.
    test.clock.advanceSeconds(HOUR);
  });

  it('tells of thirty new devices an hour and no more, and of a withdrawal all the same', async () => {
    const user = await test.register('devices-all-day@example.com');
    for (let count = 0; count < 33; count += 1) {
      expect((await login(user.email, user.password, { 'user-agent': `Device ${count}` })).code).toBe(200);
    }
    expect(await mailed(user.email, 'New login to Hunter')).toHaveLength(30);
    const withdrawal = { amount: '1 SOL', toWallet: 'x' };
    for (let count = 0; count < 31; count += 1) {
      await test.accounts.tell(test.database, user.userId, { kind: 'withdrawal-requested', ...withdrawal });
    }
    const all = (await test.mailsTo(user.email)).filter(({ text }) => text.includes('1 SOL'));
    expect(all).toHaveLength(31);
    test.clock.advanceSeconds(3600);
    await login(user.email, user.password, { 'user-agent': 'Device of the next hour' });
    expect(await mailed(user.email, 'New login to Hunter')).toHaveLength(31);
  });

  it('lets a thief with the password unfreeze nothing without the mailbox', async () => {
    const user = await test.register('password@example.com');
    await login(user.email, user.password, { 'user-agent': CHROME });
    await test.post('login/freezeAccount', { token: await freezeToken(user.email, 'New login') });
    const guess = { email: user.email, password: user.password, verificationCode: '000000' };
    expect((await test.post('login/unfreezeAccount', guess)).data).toMatchObject({ error: 'WRONG_CODE' });
    expect((await login(user.email, user.password)).data).toMatchObject({ error: 'ACCOUNT_FROZEN' });
  });

  it('undoes a reset with the old password for 72 hours, also after a second reset, and blocks the next by mail', async () => {
    const user = await test.register('undo@example.com');
    await reset(user.email, 'the thief’s password');
    await reset(user.email, 'the thief’s second password');
    const thief = await login(user.email, 'the thief’s second password');
    const thiefs = { ...user, token: (thief.data as unknown as { token: string }).token };
    expect(await isAlive(thiefs)).toBe(true);
    expect((await undo(user.email, 'the thief’s password')).data).toMatchObject({ error: 'WRONG_CREDENTIALS' });
    expect((await undo('nobody@example.com', user.password)).data).toMatchObject({ error: 'WRONG_CREDENTIALS' });
    expect((await undo(user.email, user.password)).code).toBe(200);
    expect(await isAlive(thiefs)).toBe(false);
    expect((await login(user.email, 'the thief’s second password')).data).toMatchObject({ error: 'WRONG_CREDENTIALS' });
    expect((await login(user.email, user.password)).data).toMatchObject({ error: 'ACCOUNT_FROZEN' });
    expect((await reset(user.email, 'the thief’s third')).data).toMatchObject({ error: 'RESET_REFUSED' });
    const told = await mailed(user.email, 'The reset of your Hunter password was undone');
    expect(told).toEqual([expect.objectContaining({ text: expect.stringContaining('your second factor, or') })]);
    expect((await undo(user.email, user.password)).data).toMatchObject({ error: 'WRONG_CREDENTIALS' });
    test.clock.advanceSeconds(72 * HOUR);
    expect((await reset(user.email, 'my own new password')).code).toBe(200);
  });

  it('undoes no reset that is older than 72 hours', async () => {
    const user = await test.register('undo-late@example.com');
    await reset(user.email, 'my own new password');
    test.clock.advanceSeconds(72 * HOUR);
    expect((await undo(user.email, user.password)).data).toMatchObject({ error: 'RESET_NOT_UNDOABLE' });
    expect((await login(user.email, 'my own new password')).code).toBe(200);
  });

  it('lists what was told, newest first, and marks it as read for its owner only', async () => {
    const user = await test.register('alerts@example.com');
    const stranger = await test.register('alerts-stranger@example.com');
    for (const name of ['first', 'second']) {
      await test.accounts.tell(test.database, user.userId, { kind: 'factor-added', name });
    }
    const alerts = () => loadAlerts(test.database, user.userId, null);
    const [newest] = (await alerts()).lists;
    expect(newest).toMatchObject({ body: { kind: 'security', event: 'factor-added', detail: 'second' }, read: false });
    await markRead(test.database, stranger.userId, BigInt(newest!.id));
    expect((await alerts()).lists.map((row) => row.read)).toEqual([false, false]);
    await markRead(test.database, user.userId, BigInt(newest!.id));
    expect((await alerts()).lists.map((row) => row.read)).toEqual([true, true]);
    expect((await loadAlerts(test.database, stranger.userId, null)).lists).toEqual([]);
  });

  it('shows an operator masked data only, with a reason, and its owner who looked', async () => {
    const user = await test.register('looked-at@example.com');
    const request = { email: user.email, operator: 'dana', reason: 'ticket 4711' };
    const seen = await test.database.transaction((sql) => readUserAsOperator(sql, request));
    expect(JSON.stringify(seen)).not.toMatch(/looked-at|127\.0\.0\.1|example\.com/);
    expect(seen).toMatchObject({ email: 'l***@e***.com', sessions: [{ address: '127.0.…' }] });
    const reads = await test.get('user/getMyOperatorReads', user.token);
    expect(reads.data).toMatchObject({ lists: [{ operator: 'dana', reason: 'ticket 4711' }] });
    await expect(test.database.write(`delete from operator_read`)).rejects.toThrow(/insert-only/);
    expect(await readUserAsOperator(test.database, { ...request, email: 'nobody@example.com' })).toBeNull();
    expect([maskEmail('b@c.co.uk'), maskAddress('2001:db8::1')]).toEqual(['b***@c***.uk', '2001:db8:…']);
  });
});
