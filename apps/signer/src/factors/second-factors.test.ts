import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { fromBase58, toBase58 } from '../base58.ts';
import { Denied } from '../denial.ts';
import { Authenticator, type Twist } from '../fixtures/an-authenticator.ts';
import { aSigner, RECOVERY_MS, type TestSigner } from '../fixtures/a-signer.ts';
import { fromBase32, NAME, PASSWORD } from '../fixtures/an-owner.ts';
import { aWithdrawal } from '../fixtures/a-withdrawal.ts';
import type { Intent } from './intent.ts';
import type { SecondFactor } from './second-factor.ts';
import { STEP_MS, totpCode } from './totp.ts';
import { DAY_MS } from '../limits/withdrawal-rules.ts';

const SOL = 1_000_000_000n;
const owner = { userId: 'user-1', walletId: 'wallet-1' };

let test: TestSigner;
let sealedKey: string;
let address: string;

beforeEach(async () => {
  test = aSigner();
  ({ sealedKey, address } = await test.signer.createWallet(owner, PASSWORD));
});

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'DONE',
    (error: unknown) => {
      if (error instanceof Denied) return error.denial.code;
      throw error;
    },
  );

const change = (factor: SecondFactor | null = null, password = PASSWORD) => ({ owner, sealedKey, password, factor });
const factors = () => test.signer.factorChanges;
const own = (kind: Intent['kind'], id: string): Intent => ({ kind, asset: '-', destination: address, amount: '0', id });

async function enrolPasskey(device = new Authenticator(), factor: SecondFactor | null = null) {
  const created = { ...device.create(address, randomUUID()), name: NAME };
  const { recoveryCodes } = await factors().enrolPasskey(change(factor), created, null);
  return { device, codes: recoveryCodes as string[] | null };
}

/** An authenticator app: the code of the time, or of some steps later. */
async function enrolTotp(factorOf: (id: string) => SecondFactor | null = () => null) {
  const { id, secret } = await factors().startTotp(change(), null);
  const bytes = fromBase32(secret as string);
  const code = (steps = 0): string => totpCode(bytes, Math.floor(test.clock.now / STEP_MS) + steps);
  const { recoveryCodes } = await factors().confirmTotp(change(factorOf(id)), { id, code: code(), name: NAME }, null);
  test.clock.now += STEP_MS;
  return { id, code, totp: (steps = 0): SecondFactor => ({ kind: 'totp', code: code(steps) }), recoveryCodes };
}

type Wanted = { to: { bytes: Buffer; text: string }; lamports: bigint; withdrawalId: string };
const somewhere = (() => {
  const bytes = randomBytes(32);
  return { bytes, text: toBase58(bytes) };
})();
const wanted = (): Wanted => ({ to: somewhere, lamports: SOL, withdrawalId: randomUUID() });
const intentOf = ({ to, lamports, withdrawalId }: Wanted): Intent => ({
  kind: 'withdrawal',
  asset: 'SOL',
  destination: to.text,
  amount: String(lamports),
  id: withdrawalId,
});

async function withdraw(input: Wanted, factor?: SecondFactor, more: { password?: string; blockhash?: Buffer } = {}) {
  const request = aWithdrawal({
    owner,
    sealedKey,
    from: fromBase58(address, 32)!,
    password: PASSWORD,
    ...input,
    ...more,
  });
  if (factor !== undefined) (request.policy as { factor?: unknown }).factor = factor;
  if ('password' in more && more.password === '') delete (request.policy as { password?: string }).password;
  const [outcome] = await test.signer.sign([request]);
  return 'denied' in outcome! ? outcome.denied.code : 'SIGNED';
}

describe('a passkey', () => {
  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'of %s confirms the very withdrawal it signed, once',
    async (algorithm) => {
      const { device, codes } = await enrolPasskey(new Authenticator(algorithm));
      expect(codes).toHaveLength(10);
      const one = wanted();
      expect(await withdraw(one)).toBe('SECOND_FACTOR_REQUIRED');
      const factor = device.sign(intentOf(one));
      expect(await withdraw(one, factor)).toBe('SIGNED');
      expect(await withdraw(one, factor, { blockhash: Buffer.alloc(32, 9) })).toBe('SECOND_FACTOR_WRONG');
      // What was confirmed may be signed again when its blockhash has expired, as with the password.
      expect(await withdraw(one, undefined, { password: '', blockhash: Buffer.alloc(32, 9) })).toBe('SIGNED');
    },
  );

  const hostile: [string, (intent: Intent) => Intent, Twist?][] = [
    ['another amount', (intent) => ({ ...intent, amount: '1' })],
    ['another destination', (intent) => ({ ...intent, destination: toBase58(Buffer.alloc(32, 1)) })],
    ['another withdrawal', (intent) => ({ ...intent, id: randomUUID() })],
    ['another asset', (intent) => ({ ...intent, asset: toBase58(Buffer.alloc(32, 2)) })],
    ['an export', (intent) => ({ ...intent, kind: 'export' })],
    ['a login', (intent) => ({ ...intent, kind: 'login' })],
    ['another origin', (intent) => intent, { origin: 'https://localhost.example' }],
    ['another port', (intent) => intent, { origin: 'http://localhost:3001' }],
    ['another domain', (intent) => intent, { rpId: 'example.com' }],
    ['a user who was not verified', (intent) => intent, { flags: 0x01 }],
    ['a user who was not there', (intent) => intent, { flags: 0x04 }],
    ['a frame in another page', (intent) => intent, { clientData: { crossOrigin: true } }],
    ['a page inside another', (intent) => intent, { clientData: { topOrigin: 'http://localhost:3000' } }],
    ['the making of a passkey', (intent) => intent, { type: 'webauthn.create' }],
    ['no challenge', (intent) => intent, { clientData: { challenge: '' } }],
    ['a count that does not go up', (intent) => intent, { counter: 1 }],
    ['a signature of zeros', (intent) => intent, { signature: Buffer.alloc(70) }],
    ['a credential that is not enrolled', (intent) => intent, { credentialId: 'AAAA' }],
  ];
  it.each(hostile)('is refused where it signed for %s', async (_what, other, twist) => {
    const { device } = await enrolPasskey();
    const one = wanted();
    expect(await withdraw(one, device.sign(other(intentOf(one)), twist))).toBe('SECOND_FACTOR_WRONG');
    expect(await withdraw(one, device.sign(intentOf(one)))).toBe('SIGNED');
  });

  it('is refused where another authenticator signed in its name', async () => {
    const { device } = await enrolPasskey();
    const one = wanted();
    const forged = new Authenticator().sign(intentOf(one), { credentialId: device.credentialId, counter: 100 });
    expect(await withdraw(one, forged)).toBe('SECOND_FACTOR_WRONG');
  });

  it('may have no count at all', async () => {
    const { device } = await enrolPasskey(new Authenticator('ES256', { counter: 0 }));
    const [one, two] = [wanted(), wanted()];
    expect(await withdraw(one, device.sign(intentOf(one)))).toBe('SIGNED');
    expect(await withdraw(two, device.sign(intentOf(two)))).toBe('SIGNED');
  });

  const twisted: [string, Twist][] = [
    ['at another origin', { origin: 'http://127.0.0.1:3000' }],
    ['for another domain', { rpId: 'example.com' }],
    ['for another challenge', { challenge: Buffer.alloc(32) }],
    ['by a user who was not verified', { flags: 0x01 }],
    ['in a frame', { clientData: { crossOrigin: true } }],
    ['by a use instead', { type: 'webauthn.get' }],
  ];
  it.each(twisted)('is not enrolled when made %s', async (_how, twist) => {
    const created = { ...new Authenticator().create(address, randomUUID(), twist), name: NAME };
    expect(await codeOf(factors().enrolPasskey(change(), created, null))).toBe('SECOND_FACTOR_WRONG');
    expect(test.state.factors.isEnrolled(address)).toBe(false);
  });

  it('is not enrolled when its key is cut short or has something behind it', async () => {
    const created = { ...new Authenticator().create(address, randomUUID()), name: NAME };
    const bytes = Buffer.from(created.authenticatorData, 'base64url');
    for (const wrong of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from([0])]), bytes.subarray(0, 40)]) {
      const authenticatorData = wrong.toString('base64url');
      const refused = factors().enrolPasskey(change(), { ...created, authenticatorData }, null);
      expect(await codeOf(refused)).toBe('SECOND_FACTOR_WRONG');
    }
  });

  it('belongs to one wallet', async () => {
    const { device } = await enrolPasskey();
    const other = { userId: 'user-2', walletId: 'wallet-2' };
    const wallet = await test.signer.createWallet(other, PASSWORD);
    const created = { ...device.create(wallet.address, randomUUID()), name: NAME };
    const theirs = { owner: other, sealedKey: wallet.sealedKey, password: PASSWORD, factor: null };
    expect(await codeOf(factors().enrolPasskey(theirs, created, null))).toBe('FACTOR_LIMIT');
  });
});

describe('an authenticator app', () => {
  it('confirms with each code once, across restarts', async () => {
    const app = await enrolTotp();
    expect(await withdraw(wanted())).toBe('SECOND_FACTOR_REQUIRED');
    const factor = app.totp();
    expect(await withdraw(wanted(), factor)).toBe('SIGNED');
    expect(await withdraw(wanted(), factor)).toBe('SECOND_FACTOR_WRONG');
    test = await test.reopen();
    expect(await withdraw(wanted(), factor)).toBe('SECOND_FACTOR_WRONG');
    await test.state.compact();
    test = await test.reopen();
    expect(await withdraw(wanted(), app.totp(-1))).toBe('SECOND_FACTOR_WRONG');
    expect(await withdraw(wanted(), app.totp(2))).toBe('SECOND_FACTOR_WRONG');
    expect(await withdraw(wanted(), app.totp(1))).toBe('SIGNED');
  });

  it('of two requests with one code confirms one', async () => {
    const app = await enrolTotp();
    const factor = app.totp();
    const outcomes = await Promise.all([withdraw(wanted(), factor), withdraw(wanted(), factor)]);
    expect(outcomes.sort()).toEqual(['SECOND_FACTOR_WRONG', 'SIGNED']);
  });

  it('is not guessed: five wrong codes end the tries for a while, twenty for the day, across restarts', async () => {
    const app = await enrolTotp();
    const device = new Authenticator();
    await enrolPasskey(device, app.totp());
    test.clock.now += STEP_MS;
    const wrong = (): Promise<string> => withdraw(wanted(), { kind: 'totp', code: app.code(50) });
    for (let quarter = 0; quarter < 4; quarter += 1) {
      for (let index = 0; index < 5; index += 1) expect(await wrong()).toBe('SECOND_FACTOR_WRONG');
      test = await test.reopen();
      expect(await withdraw(wanted(), app.totp())).toBe('TOO_MANY_TRIES');
      test.clock.now += 16 * 60_000;
    }
    expect(await withdraw(wanted(), app.totp())).toBe('TOO_MANY_TRIES');
    // Nobody guesses a signature, so the owner's passkey is not locked out with the codes.
    const one = wanted();
    expect(await withdraw(one, device.sign(intentOf(one)))).toBe('SIGNED');
    test.clock.now += DAY_MS;
    expect(await withdraw(wanted(), app.totp())).toBe('SIGNED');
  });

  it('keeps working when the key file is rotated, and holds its key until then', async () => {
    const app = await enrolTotp();
    const before = test.keys.currentKeyId;
    await test.signer.rotate();
    const [rewrapped] = await test.signer.rewrap([{ ...owner, sealedKey }]);
    ({ sealedKey } = rewrapped as { sealedKey: string });
    test.signer.retireKey(before);
    test = await test.reopen();
    expect(await withdraw(wanted(), app.totp())).toBe('SIGNED');
  });

  it('is enrolled only with a code of its own secret, within ten minutes', async () => {
    const { id, secret } = await factors().startTotp(change(), null);
    const code = (): string => totpCode(fromBase32(secret as string), Math.floor(test.clock.now / STEP_MS));
    const confirm = (totp: { id: string; code: string }) =>
      codeOf(factors().confirmTotp(change(), { ...totp, name: NAME }, null));
    expect(await confirm({ id, code: '000000' === code() ? '000001' : '000000' })).toBe('SECOND_FACTOR_WRONG');
    expect(await confirm({ id: randomUUID(), code: code() })).toBe('SECOND_FACTOR_WRONG');
    test.clock.now += 11 * 60_000;
    expect(await confirm({ id, code: code() })).toBe('SECOND_FACTOR_WRONG');
    expect(test.state.factors.isEnrolled(address)).toBe(false);
  });
});

describe('recovery codes', () => {
  it('take the place of a factor once each, however they are typed', async () => {
    const { codes } = await enrolPasskey();
    const [first, second] = codes as [string, string];
    expect(await withdraw(wanted(), { kind: 'recovery', code: ` ${first.toLowerCase().replaceAll('-', ' ')}` })).toBe(
      'SIGNED',
    );
    expect(await withdraw(wanted(), { kind: 'recovery', code: first })).toBe('SECOND_FACTOR_WRONG');
    test = await test.reopen();
    expect(await withdraw(wanted(), { kind: 'recovery', code: first })).toBe('SECOND_FACTOR_WRONG');
    expect(await withdraw(wanted(), { kind: 'recovery', code: second })).toBe('SIGNED');
    expect((await factors().list(owner, sealedKey)).recoveryCodesLeft).toBe(8);
  });

  it('are replaced by new ones with a factor, and stay with a further factor', async () => {
    const { device, codes } = await enrolPasskey();
    const second = new Authenticator();
    const further = await enrolPasskey(second, device.sign(own('enrol', second.credentialId)));
    expect(further.codes).toBeNull();
    const id = randomUUID();
    const renewed = await factors().renewCodes(change(device.sign(own('codes', id))), id, null);
    expect(await withdraw(wanted(), { kind: 'recovery', code: codes![0]! })).toBe('SECOND_FACTOR_WRONG');
    expect(await withdraw(wanted(), { kind: 'recovery', code: (renewed.recoveryCodes as string[])[0]! })).toBe(
      'SIGNED',
    );
  });
});

describe('changes of factors', () => {
  it('need the password from the first on', async () => {
    const created = { ...new Authenticator().create(address, randomUUID()), name: NAME };
    const stranger = change(null, 'not the password');
    expect(await codeOf(factors().enrolPasskey(stranger, created, null))).toBe('BAD_PASSWORD');
    expect(await codeOf(factors().startTotp(stranger, null))).toBe('BAD_PASSWORD');
    expect(await codeOf(factors().startRecovery(owner, sealedKey, 'not the password'))).toBe('BAD_PASSWORD');
    expect(test.state.factors.isEnrolled(address)).toBe(false);
  });

  it('need an enrolled factor that agrees to this very change', async () => {
    const { device } = await enrolPasskey();
    const thief = new Authenticator();
    const created = { ...thief.create(address, randomUUID()), name: NAME };
    const enrol = (factor: SecondFactor | null) => codeOf(factors().enrolPasskey(change(factor), created, null));
    expect(await enrol(null)).toBe('SECOND_FACTOR_REQUIRED');
    expect(await enrol(thief.sign(own('enrol', thief.credentialId)))).toBe('SECOND_FACTOR_WRONG');
    // A touch for the owner's own second passkey does not enrol the thief's.
    expect(await enrol(device.sign(own('enrol', new Authenticator().credentialId)))).toBe('SECOND_FACTOR_WRONG');
    expect(await codeOf(factors().remove(change(), device.credentialId))).toBe('SECOND_FACTOR_REQUIRED');
    const one = wanted();
    const spent = device.sign(intentOf(one));
    expect(await codeOf(factors().remove(change(spent), device.credentialId))).toBe('SECOND_FACTOR_WRONG');
    expect(await codeOf(factors().setLoginRule(change(), randomUUID(), false))).toBe('SECOND_FACTOR_REQUIRED');
    expect(await enrol(device.sign(own('enrol', thief.credentialId)))).toBe('DONE');
  });

  it('hold across a restart and a compaction: what was removed stays removed', async () => {
    const { device } = await enrolPasskey();
    const app = await enrolTotp((id) => device.sign(own('enrol', id)));
    await factors().remove(change(app.totp(1)), device.credentialId);
    await test.state.compact();
    test = await test.reopen();
    const one = wanted();
    expect(await withdraw(one, device.sign(intentOf(one)))).toBe('SECOND_FACTOR_WRONG');
    const listed = await factors().list(owner, sealedKey);
    expect(listed).toMatchObject({ passkeys: [], totp: { name: NAME }, recovery: null });
    test.clock.now += 2 * STEP_MS;
    await factors().remove(change(app.totp()), app.id);
    expect(await withdraw(wanted())).toBe('SIGNED');
  });

  it('do not let a withdrawal pass that had the password before the factor came', async () => {
    const one = { ...wanted(), lamports: 60n * SOL };
    expect(await withdraw(one)).toBe('HELD');
    const { device } = await enrolPasskey();
    test.clock.now += DAY_MS;
    expect(await withdraw(one, undefined, { password: '' })).toBe('SECOND_FACTOR_REQUIRED');
    expect(await withdraw(one, device.sign(intentOf(one)), { password: '' })).toBe('SIGNED');
  });
});

describe('an export', () => {
  const show = (factor: SecondFactor | null, exportId: string | null) =>
    codeOf(test.signer.exportKey(owner, sealedKey, PASSWORD, { exportId, factor, sealTo: null }));

  it('needs the factor where one is enrolled, for this export, once', async () => {
    const { device } = await enrolPasskey();
    const id = randomUUID();
    const intent: Intent = { kind: 'export', asset: 'SOL', destination: address, amount: '0', id };
    expect(await show(null, id)).toBe('SECOND_FACTOR_REQUIRED');
    const factor = device.sign(intent);
    expect(await show(factor, null)).toBe('SECOND_FACTOR_REQUIRED');
    expect(await show(factor, randomUUID())).toBe('SECOND_FACTOR_WRONG');
    expect(await show(factor, id)).toBe('DONE');
    expect(await show(factor, id)).toBe('SECOND_FACTOR_WRONG');
    const app = await enrolTotp((enrolment) => device.sign(own('enrol', enrolment)));
    expect(await show(app.totp(), null)).toBe('DONE');
  });
});

describe('recovering without any factor', () => {
  it('takes the full delay, is an alarm, and refuses exports for three days after it', async () => {
    await enrolPasskey();
    const finish = () => codeOf(factors().finishRecovery(owner, sealedKey, PASSWORD));
    expect(await finish()).toBe('POLICY_INVALID');
    const { readyAt } = await factors().startRecovery(owner, sealedKey, PASSWORD);
    expect(readyAt).toBe(test.clock.now + RECOVERY_MS);
    expect(JSON.stringify(test.alarms)).toContain(address);
    expect(test.signer.status().recoveries).toHaveLength(1);
    test.clock.now = readyAt - 1;
    test = await test.reopen();
    await test.state.compact();
    // Asking again does not start anew, and nothing passes without the factor meanwhile.
    expect(await factors().startRecovery(owner, sealedKey, PASSWORD)).toEqual({ readyAt });
    expect(await finish()).toBe('HELD');
    expect(await withdraw(wanted())).toBe('SECOND_FACTOR_REQUIRED');
    test.clock.now = readyAt;
    expect(await codeOf(factors().finishRecovery(owner, sealedKey, 'not the password'))).toBe('BAD_PASSWORD');
    expect(await finish()).toBe('DONE');
    expect(await codeOf(test.signer.exportKey(owner, sealedKey, PASSWORD))).toBe('EXPORT_AFTER_RESET');
    expect(await withdraw({ ...wanted(), lamports: 60n * SOL })).toBe('HELD');
    expect(await withdraw(wanted())).toBe('SIGNED');
    test.clock.now += 72 * 60 * 60_000;
    expect(await codeOf(test.signer.exportKey(owner, sealedKey, PASSWORD))).toBe('DONE');
  });

  it('ends when a factor is used meanwhile or the owner cancels it', async () => {
    const { device } = await enrolPasskey();
    await factors().startRecovery(owner, sealedKey, PASSWORD);
    const one = wanted();
    expect(await withdraw(one, device.sign(intentOf(one)))).toBe('SIGNED');
    test.clock.now += RECOVERY_MS;
    expect(await codeOf(factors().finishRecovery(owner, sealedKey, PASSWORD))).toBe('POLICY_INVALID');
    await factors().startRecovery(owner, sealedKey, PASSWORD);
    await factors().cancelRecovery(owner, sealedKey);
    test = await test.reopen();
    test.clock.now += RECOVERY_MS;
    expect(await codeOf(factors().finishRecovery(owner, sealedKey, PASSWORD))).toBe('POLICY_INVALID');
    expect(await withdraw(wanted())).toBe('SECOND_FACTOR_REQUIRED');
  });

  it('lapses when nobody finishes it', async () => {
    await enrolPasskey();
    await factors().startRecovery(owner, sealedKey, PASSWORD);
    test.clock.now += RECOVERY_MS + 15 * DAY_MS;
    expect(await codeOf(factors().finishRecovery(owner, sealedKey, PASSWORD))).toBe('POLICY_INVALID');
    expect(test.signer.status().recoveries).toEqual([]);
  });

  it('is limited in number over all wallets, with an alarm for one too many', async () => {
    const start = async (name: string): Promise<string> => {
      const of = { userId: name, walletId: name };
      const wallet = await test.signer.createWallet(of, PASSWORD);
      const created = { ...new Authenticator().create(wallet.address, randomUUID()), name: NAME };
      const theirs = { owner: of, sealedKey: wallet.sealedKey, password: PASSWORD, factor: null };
      await factors().enrolPasskey(theirs, created, null);
      return codeOf(factors().startRecovery(of, wallet.sealedKey, PASSWORD));
    };
    expect([await start('a'), await start('b')]).toEqual(['DONE', 'DONE']);
    expect(await start('c')).toBe('RECOVERY_LIMIT');
    expect(test.alarms).toHaveLength(3);
  });
});

describe('an API key', () => {
  it('needs the factor of an owner who has one, for this key and what it may do', async () => {
    const asked = (id: string, scope: 'read' | 'trade', factor: SecondFactor | null = null) =>
      codeOf(factors().checkApiKey(owner, sealedKey, { id, scope }, factor));
    expect(await asked(randomUUID(), 'trade')).toBe('DONE');
    const { device } = await enrolPasskey();
    const id = randomUUID();
    expect(await asked(id, 'trade')).toBe('SECOND_FACTOR_REQUIRED');
    expect(await asked(id, 'trade', device.sign({ ...own('api-key', id), asset: 'read' }))).toBe('SECOND_FACTOR_WRONG');
    expect(await asked(id, 'trade', device.sign(own('login', id)))).toBe('SECOND_FACTOR_WRONG');
    const agreed = device.sign({ ...own('api-key', id), asset: 'trade' });
    expect(await asked(id, 'trade', agreed)).toBe('DONE');
    expect(await asked(id, 'trade', agreed)).toBe('SECOND_FACTOR_WRONG');
  });
});

describe('a second factor as proof of the owner', () => {
  const undo = (factor: SecondFactor) => test.signer.undoReset(owner, sealedKey, { id: 'proof', factor });
  const unfreeze = (password: string, factor: SecondFactor | null) =>
    test.signer.unfreeze(owner, sealedKey, password, { id: 'proof', factor });

  it('undoes a reset, and a thief with the mailbox cannot', async () => {
    const { device } = await enrolPasskey();
    const login = device.sign(own('login', 'proof'));
    sealedKey = await test.signer.resetPassword(owner, sealedKey, 'the thief’s');
    expect(await codeOf(undo({ kind: 'recovery', code: 'aaaa-bbbb-cccc' }))).toBe('SECOND_FACTOR_WRONG');
    // A touch for something else is none for this.
    expect(await codeOf(undo(login))).toBe('SECOND_FACTOR_WRONG');
    sealedKey = await undo(device.sign(own('undo-reset', 'proof')));
    await test.signer.verifyPassword(owner, sealedKey, PASSWORD);
    expect(await codeOf(undo(device.sign(own('undo-reset', 'proof'))))).toBe('NOTHING_TO_UNDO');
  });

  it('undoes nothing where none is enrolled', async () => {
    sealedKey = await test.signer.resetPassword(owner, sealedKey, 'the thief’s');
    expect(await codeOf(undo({ kind: 'totp', code: '123456' }))).toBe('SECOND_FACTOR_WRONG');
  });

  it('is needed to unfreeze, and counts where the password was just reset', async () => {
    const { device, codes } = await enrolPasskey();
    await test.signer.freeze(owner, sealedKey);
    expect(await withdraw(wanted())).toBe('FROZEN');
    expect(await codeOf(unfreeze(PASSWORD, null))).toBe('SECOND_FACTOR_REQUIRED');
    sealedKey = await test.signer.resetPassword(owner, sealedKey, 'new');
    expect(await codeOf(unfreeze('new', null))).toBe('SECOND_FACTOR_REQUIRED');
    expect(await codeOf(unfreeze('wrong', device.sign(own('unfreeze', 'proof'))))).toBe('BAD_PASSWORD');
    expect(await codeOf(unfreeze('new', { kind: 'recovery', code: codes![0]! }))).toBe('DONE');
    expect(await withdraw(wanted())).not.toBe('FROZEN');
  });
});
