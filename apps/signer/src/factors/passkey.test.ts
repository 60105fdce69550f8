import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PARTY } from '../fixtures/a-signer.ts';
import { Authenticator, type Twist } from '../fixtures/an-authenticator.ts';
import { type Intent, intentChallenge } from './intent.ts';
import { acceptAssertion, readNewPasskey, type RelyingParty } from './passkey.ts';

const ADDRESS = 'an address';
const intent: Intent = { kind: 'login', asset: '-', destination: ADDRESS, amount: '0', id: 'id' };
const challenge = intentChallenge({ ...intent, kind: 'register-passkey' });

const CREDENTIAL_FLAG = 0x40;
const EXTENSIONS_FLAG = 0x80;

/** What a browser answers to the making of a passkey, with its bytes changed. */
function made(device: Authenticator, twist: Twist = {}, alter: (data: Buffer) => Buffer = (data) => data) {
  const created = device.create(ADDRESS, 'id', twist);
  const data = alter(Buffer.from(created.authenticatorData, 'base64url'));
  return readNewPasskey({ ...created, authenticatorData: data.toString('base64url') }, challenge, PARTY);
}

function enrolled(device: Authenticator, counter: number) {
  return { ...made(device)!, counter };
}

/** Instead of what a browser says about its page. */
const unreadable = ['', '{"type":', 'null', '5', '"text"', '[]'].map((text) => Buffer.from(text).toString('base64url'));

describe('a new passkey', () => {
  it('has the id and the count that its authenticator said', () => {
    const device = new Authenticator('ES256', { counter: 7 });
    expect(made(device)).toMatchObject({ credentialId: device.credentialId, algorithm: 'ES256', counter: 7 });
  });

  it('needs an id, of 1023 bytes at most', () => {
    const withId = (bytes: number) =>
      made(new Authenticator(), { credentialId: Buffer.alloc(bytes, 1).toString('base64url') });
    expect([0, 1, 1023, 1024].map((bytes) => withId(bytes) !== null)).toEqual([false, true, true, false]);
  });

  it('is none where the authenticator does not say that it made a credential', () => {
    const without = made(new Authenticator(), {}, (data) => {
      data[32]! &= ~CREDENTIAL_FLAG;
      return data;
    });
    expect(without).toBeNull();
  });

  it('may have extensions behind its key where it says so', () => {
    const behind = (flag: number) =>
      made(new Authenticator(), {}, (data) => {
        data[32]! |= flag;
        return Buffer.concat([data, Buffer.from([0xa0])]);
      });
    expect(behind(EXTENSIONS_FLAG)).not.toBeNull();
    expect(behind(0)).toBeNull();
  });

  it.each([0, 31, 32, 36, 37, 54, 55])('is none where its data ends after %i bytes', (length) => {
    expect(made(new Authenticator(), {}, (data) => data.subarray(0, length))).toBeNull();
  });

  it('is none where what the browser said cannot be read: no signature stands for it', () => {
    const created = new Authenticator().create(ADDRESS, 'id');
    const read = (clientDataJson: string) => readNewPasskey({ ...created, clientDataJson }, challenge, PARTY);
    expect(unreadable.map(read)).toEqual(unreadable.map(() => null));
    expect(read(created.clientDataJson)).not.toBeNull();
  });
});

describe('the touch of a passkey', () => {
  const touch = (device: Authenticator, twist: Twist = {}, party: RelyingParty = PARTY, counter = 0) =>
    acceptAssertion(enrolled(device, counter), device.sign(intent, twist), intentChallenge(intent), party);

  it.each([
    [0, 0, true],
    [0, 1, true],
    [5, 6, true],
    [5, 0xffff_ffff, true],
    [5, 5, false],
    [5, 4, false],
    // A copy of the authenticator that does not count.
    [5, 0, false],
  ])('after count %i with count %i: accepted is %s', (before, counter, isAccepted) => {
    expect(touch(new Authenticator(), { counter }, PARTY, before)).toEqual(isAccepted ? { counter } : null);
  });

  it('counts at each of the origins that the signer knows and nowhere else', () => {
    const origins = ['https://hunter.example', 'https://www.hunter.example'];
    const at = (origin: string) => touch(new Authenticator(), { origin }, { ...PARTY, origins }) !== null;
    expect(origins.map(at)).toEqual([true, true]);
    expect(['https://hunter.example.org', 'https://hunter.example/', 'http://hunter.example', ''].some(at)).toBe(false);
    expect(touch(new Authenticator(), {}, { ...PARTY, origins: [] })).toBeNull();
  });

  it('counts where the browser says that no other page is around it, or nothing about it', () => {
    const within = (clientData: Record<string, unknown>) => touch(new Authenticator(), { clientData }) !== null;
    expect([{ crossOrigin: false }, { crossOrigin: undefined }].map(within)).toEqual([true, true]);
    expect([{ crossOrigin: true }, { crossOrigin: null }, { crossOrigin: 'false' }].some(within)).toBe(false);
    expect(within({ topOrigin: null })).toBe(false);
  });

  it('is refused, not a crash, where what the browser said cannot be read', () => {
    const device = new Authenticator();
    const signed = device.sign(intent);
    const passkey = enrolled(device, 0);
    const read = (clientDataJson: string) =>
      acceptAssertion(passkey, { ...signed, clientDataJson }, intentChallenge(intent), PARTY);
    expect(unreadable.map(read)).toEqual(unreadable.map(() => null));
    expect(read(signed.clientDataJson)).not.toBeNull();
  });

  it('is refused, not a crash, where its data is cut short', () => {
    const device = new Authenticator();
    const signed = device.sign(intent);
    const rpIdHash = createHash('sha256').update(PARTY.rpId).digest();
    const short = [
      Buffer.alloc(0),
      rpIdHash.subarray(1),
      rpIdHash,
      Buffer.concat([rpIdHash, Buffer.from([5, 0, 0, 0])]),
    ];
    for (const data of short) {
      const cut = { ...signed, authenticatorData: data.toString('base64url') };
      expect(acceptAssertion(enrolled(device, 0), cut, intentChallenge(intent), PARTY)).toBeNull();
    }
  });
});
