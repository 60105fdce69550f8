import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { toBase58 } from '../base58.ts';
import { Authenticator, type Twist } from '../fixtures/an-authenticator.ts';
import { aSigner, type TestSigner } from '../fixtures/a-signer.ts';
import { fromBase32, NAME, PASSWORD } from '../fixtures/an-owner.ts';
import type { Intent } from './intent.ts';
import { STEP_MS, totpCode } from './totp.ts';
import { DAY_MS } from '../limits/withdrawal-rules.ts';
import { codeOf, factorSteps, intentOf, owner, wanted } from '../fixtures/factor-steps.ts';

let test: TestSigner;
let sealedKey: string;
let address: string;

beforeEach(async () => {
  test = aSigner();
  ({ sealedKey, address } = await test.signer.createWallet(owner, PASSWORD));
});

const { change, factors, own, enrolPasskey, enrolTotp, withdraw } = factorSteps(() => ({ test, sealedKey, address }));

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
