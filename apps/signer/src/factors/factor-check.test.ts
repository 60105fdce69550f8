import { beforeEach, describe, expect, it } from 'vitest';
import { Authenticator } from '../fixtures/an-authenticator.ts';
import { anOwner, type WalletOwner } from '../fixtures/an-owner.ts';
import { DAY_MS } from '../limits/withdrawal-rules.ts';
import { STEP_MS } from './totp.ts';

const WRONG = 'SECOND_FACTOR_WRONG: the second factor is wrong or was used before';
const TOO_MANY = 'TOO_MANY_TRIES: too many wrong second factors; wait';
const QUARTER_MS = 15 * 60_000;

let user: WalletOwner;

beforeEach(async () => {
  user = await anOwner();
});

const login = (device: Authenticator, id: string, counter?: number) =>
  user.logIn(device.sign(user.own('login', id), counter === undefined ? {} : { counter }), id);

describe('a touch', () => {
  it('of a passkey that does not count is used once, across a restart and a compaction', async () => {
    const { device } = await user.enrolPasskey(new Authenticator('ES256', { counter: 0 }));
    const agreed = device.sign(user.own('login', 'first'));
    expect(await user.logIn(agreed, 'first')).toBe('DONE');
    expect(await user.logIn(agreed, 'first')).toBe(WRONG);
    await user.restart();
    expect(await user.logIn(agreed, 'first')).toBe(WRONG);
    await user.test.state.compact();
    await user.restart();
    expect(await user.logIn(agreed, 'first')).toBe(WRONG);
    // A new touch for what was agreed to before is none either: the server must ask for something new.
    expect(await login(device, 'first')).toBe(WRONG);
    expect(await login(device, 'second')).toBe('DONE');
  });

  it('of a copy that counts behind the last use is refused, across a restart', async () => {
    const { device } = await user.enrolPasskey();
    expect(await login(device, 'first', 10)).toBe('DONE');
    expect(await login(device, 'second', 10)).toBe(WRONG);
    await user.restart();
    expect(await login(device, 'third', 9)).toBe(WRONG);
    expect(await login(device, 'fourth', 0)).toBe(WRONG);
    expect(await login(device, 'fifth', 11)).toBe('DONE');
  });

  it('of one passkey is not one of the other, and leaves it as it was', async () => {
    const { device: phone } = await user.enrolPasskey();
    const key = new Authenticator();
    await user.enrolPasskey(key, phone.sign(user.own('enrol', key.credentialId)));
    user.test.clock.now += 1_000;
    expect(await login(key, 'first', 50)).toBe('DONE');
    const lastUses = Object.fromEntries((await user.list()).passkeys.map(({ id, lastUsedAt }) => [id, lastUsedAt]));
    expect(lastUses).toEqual({
      [phone.credentialId]: user.test.clock.now - 1_000,
      [key.credentialId]: user.test.clock.now,
    });
    expect(await user.logIn(key.sign(user.own('login', 'x'), { credentialId: phone.credentialId }), 'x')).toBe(WRONG);
    // Each counts for itself.
    expect(await login(phone, 'second', 5)).toBe('DONE');
    expect(await login(key, 'third', 51)).toBe('DONE');
  });
});

describe('wrong tries', () => {
  let secret: string;
  let codes: string[];
  let device: Authenticator;

  beforeEach(async () => {
    ({ device, codes } = await user.enrolPasskey());
    const app = await user.startTotp();
    secret = app.secret;
    expect(await user.confirmTotp(app, device.sign(user.own('enrol', app.id)))).toBe('DONE');
    user.test.clock.now += STEP_MS;
  });

  const right = (): Promise<string> => user.logIn({ kind: 'totp', code: user.codeOf(secret) });
  const guess = (): Promise<string> => user.logIn({ kind: 'totp', code: user.codeOf(secret, 50) });
  const guessFive = async () => {
    for (let index = 0; index < 5; index += 1) expect(await guess()).toBe(WRONG);
    expect(await guess()).toBe(TOO_MANY);
  };

  it('count for a quarter of an hour, and are forgotten with a right one', async () => {
    await guessFive();
    user.test.clock.now += QUARTER_MS - 1;
    expect(await right()).toBe(TOO_MANY);
    user.test.clock.now += 1;
    expect(await right()).toBe('DONE');
    await guessFive();
    expect(await user.logIn({ kind: 'recovery', code: codes[0]! })).toBe('DONE');
    await guessFive();
  });

  it('count for a day where there are twenty', async () => {
    for (let quarter = 0; quarter < 4; quarter += 1) {
      await guessFive();
      user.test.clock.now += QUARTER_MS;
    }
    user.test.clock.now += DAY_MS - 4 * QUARTER_MS - 1;
    expect(await right()).toBe(TOO_MANY);
    user.test.clock.now += 1;
    expect(await right()).toBe('DONE');
  });

  it('of what nobody guesses keep the owner from none of his factors', async () => {
    for (let index = 0; index < 25; index += 1) {
      expect(await user.logIn({ kind: 'recovery', code: 'AAAA-AAAA-AAAA' })).toBe(WRONG);
      expect(await user.logIn(new Authenticator().sign(user.own('login', 'a login')))).toBe(WRONG);
    }
    expect(await right()).toBe('DONE');
    await guessFive();
    expect(await login(device, 'first')).toBe('DONE');
    expect(await right()).toBe(TOO_MANY);
    expect(await user.logIn({ kind: 'recovery', code: codes[0]! })).toBe('DONE');
  });
});
