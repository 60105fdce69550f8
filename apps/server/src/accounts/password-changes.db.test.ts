import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@hunter/contract/app-error';
import type { SealedWallet } from '../ledger/wallets.ts';
import { AccountsUnderTest, KeysInMemory, type RegisteredUser } from './accounts-for-test.ts';
import { settlePasswordChanges } from './begun-changes.ts';

const NEW = 'an entirely new password';
const RESET = 'set by a reset 12';

/** Answers of the signer are lost as told, after it has done what it was asked for or before. */
class LosingKeys extends KeysInMemory {
  lost: 'before' | 'after' | null = null;

  override async changePassword(wallet: SealedWallet, passwords: { oldPassword: string; newPassword: string }) {
    if (this.lost === 'before') throw new AppError('UNAVAILABLE');
    const sealed = await super.changePassword(wallet, passwords);
    if (this.lost === 'after') throw new AppError('UNAVAILABLE');
    return sealed;
  }

  override async resetPassword(wallet: SealedWallet, newPassword: string) {
    if (this.lost === 'before') throw new AppError('UNAVAILABLE');
    const sealed = await super.resetPassword(wallet, newPassword);
    if (this.lost === 'after') throw new AppError('UNAVAILABLE');
    return sealed;
  }
}

describe('a change of password', () => {
  const keys = new LosingKeys();
  let test: AccountsUnderTest;
  beforeAll(async () => {
    test = await AccountsUnderTest.start({ keys });
  });
  afterAll(() => test.stop());

  const change = ({ password, token }: RegisteredUser, next = NEW) =>
    test.post('user/changePassword', { oldPassword: password, password: next, confirmPassword: next }, { token });
  const reset = async ({ email }: RegisteredUser, verificationCode?: string) =>
    test.post('login/resetPassword', {
      email,
      password: RESET,
      confirmPassword: RESET,
      verificationCode: verificationCode ?? (await test.code(email, 'reset')),
    });
  const login = async ({ email }: RegisteredUser, password: string) =>
    (await test.post('login/check', { email, password })).code === 200;
  /** What begun so long ago that nobody is at work on it any more is settled. */
  const settle = async () => {
    await test.database.write(`update password_change set begun_at = begun_at - interval '10 seconds'`);
    await settlePasswordChanges(test.accounts);
  };
  const left = () => test.database.query(`select 1 from password_change`);
  const isNewest = async ({ userId }: RegisteredUser) => {
    const [wallet] = await test.database.query<SealedWallet>(
      `select user_id as "userId", id as "walletId", address, envelope as "sealedKey" from wallet where user_id = $1`,
      [userId],
    );
    return (await keys.sealedSince(wallet!)) === null;
  };

  async function whose(email: string, lost: LosingKeys['lost']): Promise<RegisteredUser & { elsewhere: string }> {
    const user = await test.register(email);
    const { password } = user;
    const reply = await test.post('login/check', { email, password }, { 'user-agent': 'Elsewhere' });
    const { token } = reply.data as unknown as { token: string };
    keys.lost = lost;
    expect((await change(user)).data).toMatchObject({ error: 'UNAVAILABLE' });
    keys.lost = null;
    return { ...user, elsewhere: token };
  }

  it('is completed by itself where the signer has done it and its answer was lost', async () => {
    const user = await whose('lost-after@example.com', 'after');
    expect([await login(user, user.password), await isNewest(user)]).toEqual([true, false]);
    await settlePasswordChanges(test.accounts);
    expect(await left()).toHaveLength(1);
    await settle();
    expect([await login(user, user.password), await login(user, NEW)]).toEqual([false, true]);
    expect([await isNewest(user), await left()]).toEqual([true, []]);
    expect((await test.get('user/myWallet', user.token)).code).toBe(200);
    expect((await test.get('user/myWallet', user.elsewhere)).code).toBe(401);
    expect((await test.mailsTo(user.email)).map(({ subject }) => subject)).toContain(
      'Your Hunter password was changed',
    );
  });

  it('is dropped where the signer has not done it', async () => {
    const user = await whose('lost-before@example.com', 'before');
    await settle();
    expect([await login(user, user.password), await login(user, NEW), await left()]).toEqual([true, false, []]);
    expect((await test.get('user/myWallet', user.elsewhere)).code).toBe(200);
    expect((await change(user)).code).toBe(200);
    expect([await login(user, NEW), await left()]).toEqual([true, []]);
  });

  it('is completed before the next one, which then needs the password that it set', async () => {
    const user = await whose('changed-twice@example.com', 'after');
    expect((await change(user, 'a third long password')).data).toMatchObject({ error: 'WRONG_PASSWORD' });
    expect([await login(user, NEW), await left()]).toEqual([true, []]);
    expect((await change({ ...user, password: NEW }, 'a third long password')).code).toBe(200);
    expect(await login(user, 'a third long password')).toBe(true);
  });

  it('does not come back after a reset', async () => {
    const user = await whose('reset-after-loss@example.com', 'after');
    expect((await reset(user)).code).toBe(200);
    await settle();
    expect([await login(user, RESET), await login(user, NEW), await left()]).toEqual([true, false, []]);
  });

  it('by mail is completed by itself where the signer has done it, and can then be undone', async () => {
    const user = await test.register('reset-lost-after@example.com');
    keys.lost = 'after';
    expect((await reset(user)).data).toMatchObject({ error: 'UNAVAILABLE' });
    keys.lost = null;
    expect([await login(user, user.password), await isNewest(user)]).toEqual([true, false]);
    await settle();
    expect([await login(user, user.password), await login(user, RESET)]).toEqual([false, true]);
    expect([await isNewest(user), await left()]).toEqual([true, []]);
    expect((await test.get('user/myWallet', user.token)).code).toBe(401);
    expect((await test.mailsTo(user.email)).map(({ subject }) => subject)).toContain('Your Hunter password was reset');
    const undo = { email: user.email, password: user.password };
    expect((await test.post('login/undoPasswordReset', undo)).code).toBe(200);
    expect(await login(user, RESET)).toBe(false);
  });

  it('by mail is dropped where the signer has not done it, and the code is still good', async () => {
    const user = await test.register('reset-lost-before@example.com');
    const verificationCode = await test.code(user.email, 'reset');
    keys.lost = 'before';
    expect((await reset(user, verificationCode)).data).toMatchObject({ error: 'UNAVAILABLE' });
    keys.lost = null;
    await settle();
    expect([await login(user, user.password), await login(user, RESET), await left()]).toEqual([true, false, []]);
    expect((await test.get('user/myWallet', user.token)).code).toBe(200);
    expect((await reset(user, verificationCode)).code).toBe(200);
    expect((await reset(user, verificationCode)).data).toMatchObject({ error: 'WRONG_CODE' });
    await settle();
    expect([await login(user, RESET), await left()]).toEqual([true, []]);
  });
});
