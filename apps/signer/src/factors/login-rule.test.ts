import { beforeEach, describe, expect, it } from 'vitest';
import { Authenticator } from '../fixtures/an-authenticator.ts';
import { anOwner, outcomeOf, type WalletOwner } from '../fixtures/an-owner.ts';
import type { SecondFactor } from './second-factor.ts';

const REQUIRED = 'SECOND_FACTOR_REQUIRED: this wallet has a second factor';
const WRONG = 'SECOND_FACTOR_WRONG: the second factor is wrong or was used before';

let user: WalletOwner;
let device: Authenticator;

beforeEach(async () => {
  user = await anOwner();
  device = new Authenticator();
});

describe('a login', () => {
  it('needs no factor where none is enrolled', async () => {
    expect(await user.logIn(null)).toBe('DONE');
  });

  it('needs the factor where one is, for this very login, once', async () => {
    await user.enrolPasskey(device);
    expect(await user.logIn(null, 'first')).toBe(REQUIRED);
    expect(await user.logIn(device.sign(user.own('login', 'another')), 'first')).toBe(WRONG);
    expect(await user.logIn(device.sign(user.own('api-key', 'first')), 'first')).toBe(WRONG);
    const agreed = device.sign(user.own('login', 'first'));
    expect(await user.logIn(agreed, 'first')).toBe('DONE');
    expect(await user.logIn(agreed, 'first')).toBe(WRONG);
  });

  it('with a code of an app is refused where there is none', async () => {
    await user.enrolPasskey(device);
    expect(await user.logIn({ kind: 'totp', code: '123456' })).toBe(WRONG);
  });
});

describe('the rule that a login needs the factor', () => {
  const set = (on: boolean, factor: SecondFactor | null, id = 'rule') =>
    outcomeOf(user.factors.setLoginRule(user.change(factor), id, on));
  const isOn = async () => (await user.list()).loginRequired;

  it('is switched on and off by an enrolled factor only, and holds across restarts', async () => {
    await user.enrolPasskey(device);
    expect(await isOn()).toBe(false);
    expect(await set(true, null)).toBe(REQUIRED);
    expect(await set(true, device.sign(user.own('login-rule', 'rule', 'on')))).toBe('DONE');
    await user.restart();
    expect(await isOn()).toBe(true);
    expect(await set(false, null)).toBe(REQUIRED);
    expect(await isOn()).toBe(true);
    expect(await set(false, device.sign(user.own('login-rule', 'rule', 'off')))).toBe('DONE');
    expect(await isOn()).toBe(false);
    expect((await user.list()).passkeys).toHaveLength(1);
  });

  it('is not switched off with a touch that was for on, for another time or for something else', async () => {
    await user.enrolPasskey(device);
    await set(true, device.sign(user.own('login-rule', 'first', 'on')), 'first');
    expect(await set(false, device.sign(user.own('login-rule', 'rule', 'on')))).toBe(WRONG);
    expect(await set(false, device.sign(user.own('login-rule', 'another', 'off')))).toBe(WRONG);
    expect(await set(false, device.sign(user.own('codes', 'rule', 'off')))).toBe(WRONG);
    expect(await isOn()).toBe(true);
  });

  it('needs a factor to be about', async () => {
    expect(await set(true, null)).toBe('POLICY_INVALID: there is no second factor');
    expect(await isOn()).toBe(false);
  });

  it('ends with the last factor', async () => {
    await user.enrolPasskey(device);
    await set(true, device.sign(user.own('login-rule', 'rule', 'on')));
    await user.factors.remove(user.change(device.sign(user.own('remove', device.credentialId))), device.credentialId);
    expect(await isOn()).toBe(false);
    expect(await user.logIn(null)).toBe('DONE');
  });
});
