import { SignerClient } from '@hunter/signer-client/signer-client';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPersonalWallet } from '../ledger/wallets.ts';
import { AccountsUnderTest, type RegisteredUser } from './accounts-for-test.ts';
import { freezeAtSigner } from './freeze.ts';
import { SignerWalletKeys } from './signer-wallet-keys.ts';

const TOKEN = 'token-of-a-test-0123456789abcdef0123456789';
const STEP_MS = 30_000;

// The signer as the product starts it: it verifies, and what is tested here is that its word holds behind the API.
describe('second factors behind the API', () => {
  const folder = mkdtempSync(join(tmpdir(), 'factors-'));
  const signer = new SignerClient({ socketPath: join(folder, 'signer.sock'), token: TOKEN });
  let child: ChildProcess;
  let test: AccountsUnderTest;

  beforeAll(async () => {
    child = spawn(process.execPath, [fileURLToPath(new URL('../../../signer/src/main.ts', import.meta.url))], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: join(folder, 'data'),
        SIGNER_SOCKET: join(folder, 'signer.sock'),
        SIGNER_TOKEN: TOKEN,
        SIGNER_ENVIRONMENT: 'test',
        SIGNER_ORIGINS: 'http://localhost:3000',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    await once(createInterface({ input: child.stdout! }), 'line');
    test = await AccountsUnderTest.start({ keys: new SignerWalletKeys(signer) });
  });
  afterAll(async () => {
    await test.stop();
    signer.close();
    child.kill('SIGTERM');
    await once(child, 'close');
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (user: RegisteredUser, name: string, body: object) =>
    (await test.post(`user/${name}`, { password: user.password, ...body }, { token: user.token })).data as Record<
      string,
      unknown
    >;

  /** Codes of the app: of now, and then of the next step, which counts already; a third would have to wait. */
  function anApp(secret: string): () => string {
    const bits = Array.from(secret, (letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    ).join('');
    const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
    let used = 0;
    return () => {
      used = Math.max(used + 1, Math.floor(Date.now() / STEP_MS));
      const counter = Buffer.alloc(8);
      counter.writeBigUInt64BE(BigInt(used));
      const mac = createHmac('sha1', key).update(counter).digest();
      return String((mac.readUInt32BE(mac.at(-1)! & 15) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
    };
  }

  async function enrolled(email: string) {
    const user = await test.register(email);
    const { id, secret } = await call(user, 'startTotp', {});
    const code = anApp(secret as string);
    const { recoveryCodes } = await call(user, 'confirmTotp', { id, code: code(), name: 'my phone' });
    return { user, code, recoveryCodes: recoveryCodes as string[] };
  }

  it('enrols an app, tells it by mail, and asks for it at login once the user wants that', async () => {
    const { user, code, recoveryCodes } = await enrolled('login-factor@example.com');
    expect(recoveryCodes).toHaveLength(10);
    const listed = (await test.get('user/getMyFactors', user.token)).data;
    expect(listed).toMatchObject({ totp: { name: 'my phone' }, passkeys: [], recoveryCodesLeft: 10 });
    const id = randomUUID();
    expect(await call(user, 'setLoginRule', { id, on: true })).toMatchObject({ error: 'SECOND_FACTOR_REQUIRED' });
    await call(user, 'setLoginRule', { id, on: true, factor: { kind: 'recovery', code: recoveryCodes[1] } });

    const login = async (more: object) =>
      (await test.post('login/check', { email: user.email, password: user.password, ...more })).data;
    const wanted = await login({});
    expect(wanted).toMatchObject({ error: 'LOGIN_FACTOR_REQUIRED', factors: ['totp'], address: user.wallet.address });
    const wrong = await login({ factor: { kind: 'recovery', code: 'AAAA-AAAA-AAAA' } });
    expect(wrong).toMatchObject({ error: 'SECOND_FACTOR_WRONG' });
    expect(await login({ factor: { kind: 'totp', code: code() } })).toHaveProperty('token');
    expect(await login({ factor: { kind: 'recovery', code: recoveryCodes[0] } })).toHaveProperty('token');
    const log = (await test.get('user/getMyAuditLog', user.token)).data as unknown as { lists: { event: string }[] };
    expect(log.lists.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['factor-enrolled', 'login-rule-changed']),
    );
  });

  it('shows no key without the factor', async () => {
    const { user, code } = await enrolled('export-factor@example.com');
    const verificationCode = await test.code(user.email, 'export');
    expect(await call(user, 'exportKey', { verificationCode })).toMatchObject({ error: 'SECOND_FACTOR_REQUIRED' });
    const factor = { kind: 'totp', code: code() };
    expect(await call(user, 'exportKey', { verificationCode, factor })).toEqual(user.wallet);
  });

  it('lets nobody remove what is not there or without agreeing, and says when a recovery is over', async () => {
    const { user } = await enrolled('remove-factor@example.com');
    expect(await call(user, 'removeFactor', { id: 'AAAA' })).toMatchObject({ error: 'NOT_FOUND' });
    const { totp } = (await test.get('user/getMyFactors', user.token)).data as unknown as { totp: { id: string } };
    expect(await call(user, 'removeFactor', { id: totp.id })).toMatchObject({ error: 'SECOND_FACTOR_REQUIRED' });
    const wrong = { password: 'not the password' };
    expect(await call(user, 'startRecovery', wrong)).toMatchObject({ error: 'WRONG_PASSWORD' });
    expect(await call(user, 'startRecovery', {})).toHaveProperty('readyAt');
    expect(await call(user, 'finishRecovery', {})).toMatchObject({ error: 'RECOVERY_WAITS' });
    expect((await test.post('user/cancelRecovery', {}, { token: user.token })).code).toBe(200);
    expect((await test.get('user/getMyFactors', user.token)).data).toMatchObject({ recovery: null });
  });

  it('tells every change in the app too, with a mail that can freeze the account', async () => {
    const { user } = await enrolled('told@example.com');
    const alerts = await test.database.query(`select kind, payload from alert where user_id = $1`, [user.userId]);
    expect(JSON.stringify(alerts)).toContain('factor-added');
    const mails = await test.mailsTo(user.email);
    expect(mails.find(({ subject }) => subject.includes('second factor was added'))?.text).toContain('/freeze#');
  });

  it('unfreezes with a factor in the place of the mailed code, and the signer knows of the freeze', async () => {
    const { user, code, recoveryCodes } = await enrolled('frozen@example.com');
    await test.database.write(`update users set frozen_at = now() where id = $1`, [user.userId]);
    await freezeAtSigner(test.accounts, user.userId);
    const { email, password } = user;
    const refused = await test.post(
      'user/exportKey',
      {
        password,
        verificationCode: await test.code(email, 'export'),
        factor: { kind: 'totp', code: code() },
      },
      { token: user.token },
    );
    expect(refused.msg).toContain('frozen');
    const unfreeze = (more: object) => test.post('login/unfreezeAccount', { email, password, ...more });
    const mailed = { verificationCode: await test.code(email, 'unfreeze') };
    // A thief with the mailbox and the password has no factor.
    expect((await unfreeze(mailed)).data).toMatchObject({ factors: ['totp'] });
    const wrong = await unfreeze({ factor: { kind: 'totp', code: '000000' } });
    expect(wrong.code).not.toBe(200);
    expect((await unfreeze({ factor: { kind: 'recovery', code: recoveryCodes[0] } })).code).toBe(200);
    expect((await test.post('login/check', { email, password })).code).toBe(200);
  });

  it('stays unfrozen at the signer where its owner unfreezes it while the signer is being told', async () => {
    const { userId, email, password, token, wallet } = await test.register('thawed@example.com');
    await test.database.write(`update users set frozen_at = now() where id = $1`, [userId]);
    const told = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const keys = Object.create(test.accounts.keys) as typeof test.accounts.keys;
    keys.freeze = async (of) => {
      reached.resolve();
      await told.promise;
      return test.accounts.keys.freeze(of);
    };
    const freezing = freezeAtSigner({ ...test.accounts, keys }, userId);
    await reached.promise;
    const verificationCode = await test.code(email, 'unfreeze');
    const unfreezing = test.post('login/unfreezeAccount', { email, password, verificationCode });
    // It waits for the other, or is through long before this.
    await Promise.race([unfreezing, delay(1_000)]);
    told.resolve();
    await freezing;
    expect((await unfreezing).code).toBe(200);
    const code = await test.code(email, 'export');
    expect((await test.post('user/exportKey', { password, verificationCode: code }, { token })).data).toEqual(wallet);
  });

  it('undoes a reset for a code of the second factor, and tells nobody else whether there was one', async () => {
    const { user, recoveryCodes } = await enrolled('reset@example.com');
    const other = await test.register('never-reset@example.com');
    const { email } = user;
    const verificationCode = await test.code(email, 'reset');
    const thiefs = { password: 'set by the thief 1', confirmPassword: 'set by the thief 1' };
    expect((await test.post('login/resetPassword', { email, verificationCode, ...thiefs })).code).toBe(200);
    const undo = (of: string, code: string) =>
      test.post('login/undoPasswordReset', { email: of, factor: { kind: 'recovery', code } });
    const replies = [await undo(other.email, 'aaaaa-bbbbb'), await undo('nobody@example.com', 'aaaaa-bbbbb')];
    const wrong = await undo(email, 'aaaaa-bbbbb');
    expect(replies.map(({ code, msg }) => [code, msg])).toEqual([wrong, wrong].map(({ code, msg }) => [code, msg]));
    expect((await undo(email, recoveryCodes[0]!)).code).toBe(200);
    const login = (password: string) => test.post('login/check', { email, password });
    expect((await login(thiefs.password)).msg).toContain('password');
    expect((await login(user.password)).msg).toContain('frozen');
  });

  it('says whether a key was sealed under another password since, also where the database does not know', async () => {
    const user = await test.register('sealed-since@example.com');
    const before = await loadPersonalWallet(test.database, user.userId);
    expect(await test.keys.sealedSince(before)).toBeNull();
    const passwords = { oldPassword: user.password, newPassword: 'an entirely new password' };
    const changed = await test.keys.changePassword(before, passwords);
    expect(await test.keys.sealedSince(before)).toEqual(changed);
    expect(await test.keys.sealedSince({ ...before, ...changed })).toBeNull();
  });

  it('shows the key of a large wallet after a day, which is mailed and can be canceled', async () => {
    const user = await test.register('large@example.com');
    const { email, password, token } = user;
    await test.database.write(
      `insert into holding (book_id, asset, quantity, cost_lamports) select id, 'mint', 1, 60000000000
       from book where user_id = $1`,
      [user.userId],
    );
    const ask = async () => {
      const verificationCode = await test.code(email, 'export');
      return test.post('user/exportKey', { password, verificationCode }, { token });
    };
    expect((await ask()).msg).toContain('can be shown from');
    const factors = async () =>
      (await test.get('user/getMyFactors', token)).data as unknown as { exportReadyAt: number | null };
    expect((await factors()).exportReadyAt).toBeGreaterThan(Date.now());
    expect((await test.mailsTo(email)).map(({ subject }) => subject)).toContain('Your private key was asked for');
    expect((await test.post('user/cancelKeyExport', {}, { token })).code).toBe(200);
    expect(await factors()).toMatchObject({ exportReadyAt: null });
  });
});
