import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { Authenticator } from '../fixtures/an-authenticator.ts';
import { aSigner, RECOVERY_MS, type TestSigner } from '../fixtures/a-signer.ts';
import { NAME, PASSWORD } from '../fixtures/an-owner.ts';
import type { Intent } from './intent.ts';
import type { SecondFactor } from './second-factor.ts';
import { STEP_MS } from './totp.ts';
import { DAY_MS } from '../limits/withdrawal-rules.ts';
import { codeOf, factorSteps, intentOf, owner, wanted } from '../fixtures/factor-steps.ts';

const SOL = 1_000_000_000n;

let test: TestSigner;
let sealedKey: string;
let address: string;

beforeEach(async () => {
  test = aSigner();
  ({ sealedKey, address } = await test.signer.createWallet(owner, PASSWORD));
});

const { change, factors, own, enrolPasskey, enrolTotp, withdraw } = factorSteps(() => ({ test, sealedKey, address }));

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
