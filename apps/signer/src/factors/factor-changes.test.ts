import { beforeEach, describe, expect, it } from 'vitest';
import { Authenticator } from '../fixtures/an-authenticator.ts';
import { anOwner, outcomeOf, type WalletOwner } from '../fixtures/an-owner.ts';
import type { SecondFactor } from './second-factor.ts';

const WRONG = 'SECOND_FACTOR_WRONG: the second factor is wrong or was used before';

let user: WalletOwner;

beforeEach(async () => {
  user = await anOwner();
});

describe('a change of factors', () => {
  const enrol = (device: Authenticator, by: Authenticator) =>
    outcomeOf(user.enrolPasskey(device, by.sign(user.own('enrol', device.credentialId))));

  it('brings ten passkeys at most, each once', async () => {
    const { device } = await user.enrolPasskey();
    expect(await enrol(device, device)).toBe('FACTOR_LIMIT: this passkey is enrolled already');
    for (let count = 1; count < 10; count += 1) expect(await enrol(new Authenticator(), device)).toBe('DONE');
    expect(await enrol(new Authenticator(), device)).toBe('FACTOR_LIMIT: too many passkeys');
    expect((await user.list()).passkeys).toHaveLength(10);
  });

  it('by a passkey that was made for another wallet is refused', async () => {
    const other = await anOwner(user.test, '2');
    const created = { ...new Authenticator().create(other.address, 'id'), name: 'theirs' };
    expect(await outcomeOf(user.factors.enrolPasskey(user.change(), created, null))).toBe(
      'SECOND_FACTOR_WRONG: the passkey was not made for this wallet here',
    );
  });

  it('removes what it names with a touch for that, and nothing else', async () => {
    const { device: phone } = await user.enrolPasskey();
    const key = new Authenticator();
    await enrol(key, phone);
    const remove = (id: string, factor: SecondFactor) => outcomeOf(user.factors.remove(user.change(factor), id));
    const left = async () => (await user.list()).passkeys.map(({ id }) => id);
    expect(await remove(key.credentialId, phone.sign(user.own('remove', phone.credentialId)))).toBe(WRONG);
    expect(await remove(key.credentialId, phone.sign(user.own('login', key.credentialId)))).toBe(WRONG);
    expect(await remove('unknown', phone.sign(user.own('remove', 'unknown')))).toBe('DONE');
    expect(await left()).toEqual([phone.credentialId, key.credentialId]);
    expect(await remove(key.credentialId, phone.sign(user.own('remove', key.credentialId)))).toBe('DONE');
    expect(await left()).toEqual([phone.credentialId]);
    expect((await user.list()).recoveryCodesLeft).toBe(10);
  });

  it('has nothing to change where no factor is enrolled', async () => {
    const none = 'POLICY_INVALID: there is no second factor';
    expect(await outcomeOf(user.factors.remove(user.change(), 'id'))).toBe(none);
    expect(await outcomeOf(user.factors.renewCodes(user.change(), 'id', null))).toBe(none);
    expect((await user.list()).recoveryCodesLeft).toBe(0);
  });
});
