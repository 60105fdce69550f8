import { beforeEach, describe, expect, it } from 'vitest';
import { aBrowserKey } from '../fixtures/a-browser-key.ts';
import { Authenticator } from '../fixtures/an-authenticator.ts';
import { anOwner, NAME, outcomeOf, type WalletOwner } from '../fixtures/an-owner.ts';
import type { SealedReply } from '../keys/sealed-reply.ts';
import { STEP_MS } from './totp.ts';

const NOT_STARTED = 'SECOND_FACTOR_WRONG: this enrolment was not started, or too long ago';
const ONE_ALREADY = 'FACTOR_LIMIT: there is an authenticator app already';
const ENROLMENT_MS = 10 * 60_000;

let user: WalletOwner;

beforeEach(async () => {
  user = await anOwner();
});

describe('enrolling an authenticator app', () => {
  it('takes the last enrolment that the owner started and no other', async () => {
    expect(await user.confirmTotp({ id: 'never started', secret: 'A'.repeat(32) })).toBe(NOT_STARTED);
    const first = await user.startTotp();
    const second = await user.startTotp();
    expect(await user.confirmTotp(first)).toBe(NOT_STARTED);
    expect(await user.confirmTotp({ id: second.id, secret: first.secret })).toBe(
      'SECOND_FACTOR_WRONG: the code is not of this secret',
    );
    expect(await user.confirmTotp(second)).toBe('DONE');
  });

  it('takes ten minutes at most', async () => {
    const late = await user.startTotp();
    user.test.clock.now += ENROLMENT_MS + 1;
    expect(await user.confirmTotp(late)).toBe(NOT_STARTED);
    const inTime = await user.startTotp();
    user.test.clock.now += ENROLMENT_MS;
    expect(await user.confirmTotp(inTime)).toBe('DONE');
  });

  it('is not ended by somebody else who starts one', async () => {
    const other = await anOwner(user.test, '2');
    const mine = await user.startTotp();
    user.test.clock.now += ENROLMENT_MS / 2;
    const theirs = await other.startTotp();
    expect(await user.confirmTotp(theirs)).toBe(NOT_STARTED);
    expect(await user.confirmTotp(mine)).toBe('DONE');
    expect(await other.confirmTotp(theirs)).toBe('DONE');
  });

  it('is done once: what was removed is not enrolled again by its old confirmation', async () => {
    const app = await user.startTotp();
    await user.confirmTotp(app);
    user.test.clock.now += STEP_MS;
    await user.factors.remove(user.change({ kind: 'totp', code: user.codeOf(app.secret) }), app.id);
    user.test.clock.now += STEP_MS;
    expect(await user.confirmTotp(app)).toBe(NOT_STARTED);
    expect((await user.list()).totp).toBeNull();
  });

  it('is refused where there is an app, also to two confirmations at a time', async () => {
    const app = await user.startTotp();
    const outcomes = await Promise.all([user.confirmTotp(app), user.confirmTotp(app)]);
    // Whether the other comes too late or finds the app there is a matter of its password's turn.
    expect(outcomes.filter((outcome) => outcome === 'DONE')).toHaveLength(1);
    expect(await outcomeOf(user.startTotp())).toBe(ONE_ALREADY);
    expect((await user.list()).totp).toMatchObject({ id: app.id, name: NAME });
  });

  it('needs the passkey of an owner who has one, for this very app', async () => {
    const { device } = await user.enrolPasskey();
    const app = await user.startTotp();
    expect(await user.confirmTotp(app)).toMatch(/^SECOND_FACTOR_REQUIRED/);
    const thief = new Authenticator().sign(user.own('enrol', app.id));
    expect(await user.confirmTotp(app, thief)).toMatch(/^SECOND_FACTOR_WRONG/);
    expect(await user.confirmTotp(app, device.sign(user.own('enrol', 'another')))).toMatch(/^SECOND_FACTOR_WRONG/);
    expect(await user.confirmTotp(app, device.sign(user.own('enrol', app.id)))).toBe('DONE');
  });

  it('shows its secret and the codes to the browser that asked and to nobody who carries them', async () => {
    const browser = await aBrowserKey();
    const { id, secret } = await user.factors.startTotp(user.change(), browser.sealTo);
    expect(Object.keys(secret)).toEqual(['publicKey', 'box']);
    const shown = await browser.openReply(secret as SealedReply, 'totp-secret', user.address);
    const totp = { id, code: user.codeOf(shown), name: NAME };
    const { recoveryCodes } = await user.factors.confirmTotp(user.change(), totp, browser.sealTo);
    expect(Object.keys(recoveryCodes!)).toEqual(['publicKey', 'box']);
    const codes = await browser.openReply(recoveryCodes as SealedReply, 'recovery-codes', user.address);
    expect(codes.split('\n')).toHaveLength(10);
    expect(await user.logIn({ kind: 'recovery', code: codes.split('\n')[9]! })).toBe('DONE');
  });

  it('keeps working beside a wallet with a passkey alone when the key file is rotated', async () => {
    const other = await anOwner(user.test, '2');
    const { device } = await other.enrolPasskey();
    const app = await user.startTotp();
    await user.confirmTotp(app);
    await user.test.signer.rotate();
    await user.restart();
    other.test = user.test;
    user.test.clock.now += STEP_MS;
    expect(await user.logIn({ kind: 'totp', code: user.codeOf(app.secret) })).toBe('DONE');
    expect(await other.logIn(device.sign(other.own('login', 'a login')))).toBe('DONE');
  });
});
