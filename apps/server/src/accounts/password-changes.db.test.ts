import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@hunter/contract/app-error';
import type { SealedWallet } from '../ledger/wallets.ts';
import { AccountsUnderTest, KeysInMemory, type RegisteredUser } from './accounts-for-test.ts';
import { settlePasswordChanges } from './begun-changes.ts';
import type { ResetProof } from './wallet-keys.ts';

const NEW = 'an entirely new password';
const RESET = 'set by a reset 12';

/** Answers of the signer are lost as told, after it has done what it was asked for or before. */
class LosingKeys extends KeysInMemory {
  lost: 'before' | 'after' | null = null;
  /** Of an authenticator app; like the signer's it counts once. */
  code: string | null = null;
  /** Called once the signer has undone a reset, before it answers. */
  onUndone: (() => Promise<unknown>) | null = null;

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

  override async undoReset(wallet: SealedWallet, proof: ResetProof) {
    if (this.lost === 'before') throw new AppError('UNAVAILABLE');
    const sealed = await super.undoReset(wallet, this.#asPassword(wallet, proof));
    if (sealed !== null) await this.onUndone?.();
    if (this.lost === 'after') throw new AppError('UNAVAILABLE');
    return sealed;
  }

  #asPassword({ walletId }: SealedWallet, proof: ResetProof): ResetProof {
    const { before } = this.keypairs.get(walletId)!;
    if (!('factor' in proof) || proof.factor.kind !== 'totp' || proof.factor.code !== this.code) return proof;
    this.code = null;
    return before === undefined ? proof : { password: before };
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
  /** Another code is mailed after a minute. */
  const resetCode = ({ email }: RegisteredUser) => {
    test.clock.advanceSeconds(61);
    return test.code(email, 'reset');
  };
  const reset = async (user: RegisteredUser, verificationCode?: string, password = RESET) =>
    test.post('login/resetPassword', {
      email: user.email,
      password,
      confirmPassword: password,
      verificationCode: verificationCode ?? (await resetCode(user)),
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

  const isFrozen = async ({ email }: RegisteredUser, password: string) =>
    (await test.post('login/check', { email, password })).msg.includes('frozen');
  const undo = ({ email, password }: RegisteredUser) => test.post('login/undoPasswordReset', { email, password });
  const passwordOf = async ({ userId }: RegisteredUser) => {
    const [wallet] = await test.database.query<{ id: string }>(`select id from wallet where user_id = $1`, [userId]);
    return keys.keypairs.get(wallet!.id)!.password;
  };
  const losing = async (lost: LosingKeys['lost'], ask: () => Promise<{ data: unknown }>) => {
    keys.lost = lost;
    expect((await ask()).data).toMatchObject({ error: 'UNAVAILABLE' });
    keys.lost = null;
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

  it('that is begun right after a lost one was settled, and dies before the signer is asked, is dropped', async () => {
    const user = await whose('lost-twice@example.com', 'after');
    await losing('before', () => reset(user));
    await settle();
    expect([await login(user, NEW), await login(user, RESET), await left()]).toEqual([true, false, []]);
    expect(await passwordOf(user)).toBe(NEW);
  });

  it('that dies before the signer is asked is dropped also where the key here was outdated before', async () => {
    const user = await test.register('outdated-before@example.com');
    const envelope = `select envelope from wallet where user_id = $1`;
    const [before] = await test.database.query<{ envelope: string }>(envelope, [user.userId]);
    expect((await change(user)).code).toBe(200);
    // Somebody who had asked for the newest key a change ago stores it last.
    await test.database.write(`update wallet set envelope = $2 where user_id = $1`, [user.userId, before!.envelope]);
    await losing('before', () => reset(user));
    await settle();
    expect([await login(user, NEW), await login(user, RESET), await left()]).toEqual([true, false, []]);
  });

  it('that is the undoing of a reset is completed by itself where the signer has done it', async () => {
    const user = await test.register('undo-lost-after@example.com');
    await reset(user);
    await losing('after', () => undo(user));
    expect(await login(user, RESET)).toBe(true);
    await settle();
    expect([await login(user, RESET), await isFrozen(user, user.password)]).toEqual([false, true]);
    expect([await isNewest(user), await left(), await passwordOf(user)]).toEqual([true, [], user.password]);
    expect((await test.mailsTo(user.email)).map(({ subject }) => subject)).toContain(
      'The reset of your Hunter password was undone',
    );
    expect((await reset(user)).data).toMatchObject({ error: 'RESET_REFUSED' });
  });

  it('that is the undoing of a reset is dropped where the signer has not done it, and done when asked for again', async () => {
    const user = await test.register('undo-lost-before@example.com');
    await reset(user);
    await losing('before', () => undo(user));
    await settle();
    expect([await login(user, RESET), await left()]).toEqual([true, []]);
    await losing('after', () => undo(user));
    expect((await undo(user)).code).toBe(200);
    expect([await isFrozen(user, user.password), await left()]).toEqual([true, []]);
  });

  it('is not taken for a reset that died before the signer was asked, where an undoing was lost before it', async () => {
    const user = await test.register('undo-then-reset@example.com');
    await reset(user);
    await losing('after', () => undo(user));
    keys.lost = 'before';
    expect((await reset(user)).code).not.toBe(200);
    keys.lost = null;
    await settle();
    expect([await login(user, RESET), await isFrozen(user, user.password), await left()]).toEqual([false, true, []]);
    expect(await passwordOf(user)).toBe(user.password);
  });

  it('that is the undoing of a reset with a second factor is done also where the database goes away at the end', async () => {
    const user = await test.register('undo-by-factor@example.com');
    await reset(user);
    keys.code = '246810';
    keys.onUndone = async () => {
      keys.onUndone = null;
      await test.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
      );
    };
    const factor = { kind: 'totp', code: keys.code };
    expect((await test.post('login/undoPasswordReset', { email: user.email, factor })).code).toBe(200);
    expect(keys.onUndone).toBeNull();
    expect([await login(user, RESET), await isFrozen(user, user.password), await left()]).toEqual([false, true, []]);
    expect([await isNewest(user), await passwordOf(user)]).toEqual([true, user.password]);
  });

  it('that was lost is not forgotten because somebody tries to undo a reset without a right to', async () => {
    const user = await test.register('undo-by-stranger@example.com');
    await reset(user);
    const again = 'set by another reset 3';
    await losing('after', () => reset(user, undefined, again));
    const wrong = { email: user.email, factor: { kind: 'totp', code: '000000' } };
    expect((await test.post('login/undoPasswordReset', wrong)).data).toMatchObject({ error: 'WRONG_CREDENTIALS' });
    await settle();
    expect([await login(user, again), await passwordOf(user)]).toEqual([true, again]);
  });
});
