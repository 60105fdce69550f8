import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AccountsUnderTest, type RegisteredUser } from './accounts-for-test.ts';

describe('login and sessions', () => {
  let test: AccountsUnderTest;
  let ann: RegisteredUser;
  beforeAll(async () => {
    test = await AccountsUnderTest.start();
    ann = await test.register('ann@example.com');
  });
  afterAll(() => test.stop());

  const login = (headers: Record<string, string> = {}, password = ann.password) =>
    test.post('login/check', { email: 'Ann@Example.com', password }, headers);
  const tokenOf = (reply: { data: unknown }) => (reply.data as { token: string }).token;

  it('logs in whatever the case of the address and answers with the wallet', async () => {
    const reply = await login();
    expect(reply.data).toMatchObject({ email: 'ann@example.com', walletInfo: ann.walletInfo });
    expect(tokenOf(reply)).not.toBe(ann.token);
  });

  it('ends a session at once, also where it was believed a moment ago', async () => {
    const token = tokenOf(await login());
    expect((await test.get('user/myWallet', token)).code).toBe(200);
    expect((await test.post('login/logout', {}, { token })).code).toBe(200);
    expect((await test.get('user/myWallet', token)).code).toBe(401);
  });

  it('shows the sessions of the user and ends the chosen one, telling live streams', async () => {
    const ended: string[] = [];
    test.accounts.sessions.onEnd((id) => ended.push(id));
    const token = tokenOf(await login({ 'user-agent': 'Other Browser' }));
    const list = (await test.get('user/getMySessions', ann.token)).data as unknown as {
      lists: { id: string; device: string; current: boolean }[];
    };
    const other = list.lists.find((one) => one.device === 'Other Browser')!;
    expect(list.lists.filter((one) => one.current)).toHaveLength(1);
    expect((await test.post('user/revokeSession', { id: other.id }, { token: ann.token })).code).toBe(200);
    expect((await test.get('user/myWallet', token)).code).toBe(401);
    expect(ended).toEqual([other.id]);
  });

  it('treats another user’s session as one that does not exist', async () => {
    const bob = await test.register('bob@example.com');
    const sessions = (await test.get('user/getMySessions', bob.token)).data as unknown as { lists: { id: string }[] };
    const reply = await test.post('user/revokeSession', { id: sessions.lists[0]!.id }, { token: ann.token });
    expect(reply.code).toBe(404);
    expect((await test.get('user/myWallet', bob.token)).code).toBe(200);
  });

  it('slides the expiry while a session is used and ends one that is not', async () => {
    const token = tokenOf(await login());
    for (let week = 0; week < 6; week += 1) {
      test.clock.advanceSeconds(7 * 86_400);
      expect((await test.get('user/myWallet', token)).code).toBe(200);
      await test.accounts.sessions.saveSeen();
    }
    test.clock.advanceSeconds(31 * 86_400);
    expect((await test.get('user/myWallet', token)).code).toBe(401);
  });

  it('slows strangers down without locking the owner’s own device out', async () => {
    const home = { 'x-forwarded-for': '10.0.0.1', 'user-agent': 'Home' };
    const elsewhere = { 'x-forwarded-for': '10.6.6.6', 'user-agent': 'Elsewhere' };
    expect((await login(home)).code).toBe(200);
    for (let count = 0; count < 5; count += 1) {
      expect((await login(elsewhere, 'a wrong guess')).data).toMatchObject({ error: 'WRONG_CREDENTIALS' });
    }
    // Right or wrong does not matter any more, so nothing is learned by going on.
    expect((await login(elsewhere)).code).toBe(429);
    expect((await login(home)).code).toBe(200);
    test.clock.advanceSeconds(61);
    expect((await login(elsewhere)).code).toBe(200);
  });

  it('slows an address without an account exactly like one with an account', async () => {
    const tries = async (email: string, address: string) => {
      const replies: unknown[] = [];
      for (let count = 0; count < 8; count += 1) {
        const headers = { 'x-forwarded-for': address };
        replies.push(await test.post('login/check', { email, password: 'a wrong guess' }, headers));
      }
      return replies;
    };
    test.clock.advanceSeconds(3600);
    expect(await tries('ann@example.com', '10.7.7.1')).toEqual(await tries('nobody@example.com', '10.7.7.2'));
  });

  it('keeps an audit log that nobody can rewrite and each user sees alone', async () => {
    const user = await test.register('audited@example.com');
    await test.post('login/check', { email: user.email, password: 'a wrong guess' });
    await test.post('login/check', { email: user.email, password: user.password });
    const log = (await test.get('user/getMyAuditLog', user.token)).data as unknown as { lists: { event: string }[] };
    expect(log.lists.map((row) => row.event)).toEqual(['login', 'login-failed', 'registered']);
    for (const statement of [`update audit_event set detail = ''`, `delete from audit_event`, `truncate audit_event`]) {
      await expect(test.database.write(statement)).rejects.toThrow(/insert-only/);
    }
  });

  it('remembers settings', async () => {
    const token = tokenOf(await login());
    await test.post('user/saveMySettings', { slippageBps: 250 }, { token });
    await test.post('user/saveMySettings', { quietNotices: true }, { token });
    const settings = await test.get('user/getMySettings', token);
    expect(settings.data).toEqual({ slippageBps: 250, quietNotices: true });
  });
});

describe('passwords and keys', () => {
  let test: AccountsUnderTest;
  beforeAll(async () => {
    test = await AccountsUnderTest.start();
  });
  afterAll(() => test.stop());

  const newPassword = 'an entirely new password';

  it('changes the password, ends the other sessions and says so by mail', async () => {
    const user = await test.register('change@example.com');
    const other = await test.post('login/check', { email: user.email, password: user.password });
    const otherToken = (other.data as unknown as { token: string }).token;
    const change = (oldPassword: string) =>
      test.post(
        'user/changePassword',
        { oldPassword, password: newPassword, confirmPassword: newPassword },
        { token: user.token },
      );
    expect((await change('not the old one')).data).toMatchObject({ error: 'WRONG_PASSWORD' });
    expect((await change(user.password)).code).toBe(200);
    expect((await test.get('user/myWallet', otherToken)).code).toBe(401);
    expect((await test.get('user/myWallet', user.token)).code).toBe(200);
    expect((await test.post('login/check', { email: user.email, password: user.password })).code).toBe(1100);
    expect((await test.post('login/check', { email: user.email, password: newPassword })).code).toBe(200);
    expect((await test.mailsTo(user.email))[0]!.subject).toContain('password was changed');
  });

  it('logs nobody in with a password that was changed, or for an account that was frozen, while he was logging in', async () => {
    const user = await test.register('meanwhile@example.com');
    const change = (oldPassword: string, password: string) =>
      test.post('user/changePassword', { oldPassword, password, confirmPassword: password }, { token: user.token });
    const freeze = () => test.database.write(`update users set frozen_at = now() where email = $1`, [user.email]);
    const factors = test.keys.factors.bind(test.keys);
    const loginDuring = async (meanwhile: () => Promise<unknown>, password: string) => {
      // Asked for between the check of the password and the new session.
      const spy = vi.spyOn(test.keys, 'factors').mockImplementationOnce(async (wallet, ask) => {
        await meanwhile();
        return factors(wallet, ask);
      });
      const reply = await test.post('login/check', { email: user.email, password });
      spy.mockRestore();
      return reply.code;
    };
    expect(await loginDuring(() => change(user.password, newPassword), user.password)).toBe(1100);
    expect(await loginDuring(freeze, newPassword)).toBe(1100);
    const sessions = (await test.get('user/getMySessions', user.token)).data as unknown as { lists: unknown[] };
    expect(sessions.lists).toHaveLength(1);
  });

  it('resets a forgotten password with a mailed code and ends every session', async () => {
    const user = await test.register('forgot@example.com');
    const verificationCode = await test.code(user.email, 'reset');
    const reset = () =>
      test.post('login/resetPassword', {
        email: user.email,
        verificationCode,
        password: newPassword,
        confirmPassword: newPassword,
      });
    expect((await reset()).code).toBe(200);
    expect((await reset()).data).toMatchObject({ error: 'WRONG_CODE' });
    expect((await test.get('user/myWallet', user.token)).code).toBe(401);
    expect((await test.post('login/check', { email: user.email, password: newPassword })).code).toBe(200);
  });

  it('takes no code for another purpose', async () => {
    const user = await test.register('purpose@example.com');
    const verificationCode = await test.code(user.email, 'export');
    const reply = await test.post('login/resetPassword', {
      email: user.email,
      verificationCode,
      password: newPassword,
      confirmPassword: newPassword,
    });
    expect(reply.data).toMatchObject({ error: 'WRONG_CODE' });
  });

  it('shows the key again for password and code, and keeps that on record', async () => {
    const user = await test.register('export@example.com');
    const verificationCode = await test.code(user.email, 'export');
    const ask = (password: string) =>
      test.post('user/exportKey', { password, verificationCode }, { token: user.token });
    expect((await ask('not the password')).data).toMatchObject({ error: 'WRONG_PASSWORD' });
    expect((await ask(user.password)).data).toEqual(user.wallet);
    expect((await ask(user.password)).data).toMatchObject({ error: 'WRONG_CODE' });
    const log = (await test.get('user/getMyAuditLog', user.token)).data as unknown as { lists: { event: string }[] };
    expect(log.lists.map((row) => row.event)).toContain('key-exported');
  });
});
