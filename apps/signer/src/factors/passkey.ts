import { createHash, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { type PasskeyAlgorithm, readCoseKey } from './cose-key.ts';

/** From the signer's own configuration: where its owner's browser really is. */
export type RelyingParty = { rpId: string; origins: readonly string[] };

export type PasskeyKey = { algorithm: PasskeyAlgorithm; publicKey: string; counter: number };
export type NewPasskey = PasskeyKey & { credentialId: string };
export type Assertion = { clientDataJson: string; authenticatorData: string; signature: string };

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const HAS_EXTENSIONS = 0x80;
const HEAD_BYTES = 37;
const CREDENTIAL_ID_MAX = 1023;

/**
 * A registration without its attestation: which make of authenticator it is does not matter here. Null unless it was made
 * for this challenge, at our origin, by a user who was there and verified.
 */
export function readNewPasskey(
  created: { clientDataJson: string; authenticatorData: string },
  challenge: Buffer,
  party: RelyingParty,
): NewPasskey | null {
  const clientData = Buffer.from(created.clientDataJson, 'base64url');
  if (!isClientDataOf(clientData, 'webauthn.create', challenge, party)) return null;
  const data = Buffer.from(created.authenticatorData, 'base64url');
  const flags = acceptedFlags(data, party);
  if (flags === null || (flags & HAS_CREDENTIAL) === 0 || data.length < HEAD_BYTES + 18) return null;
  const idLength = data.readUInt16BE(HEAD_BYTES + 16);
  const idStart = HEAD_BYTES + 18;
  if (idLength === 0 || idLength > CREDENTIAL_ID_MAX) return null;
  const found = readCoseKey(data, idStart + idLength);
  if (found === null || (found.end !== data.length && (flags & HAS_EXTENSIONS) === 0)) return null;
  return {
    credentialId: data.subarray(idStart, idStart + idLength).toString('base64url'),
    algorithm: found.algorithm,
    publicKey: found.key.export({ type: 'spki', format: 'der' }).toString('base64'),
    counter: data.readUInt32BE(33),
  };
}

/**
 * The authenticator's new count, or null where the assertion is not one by this key, for this challenge, at our origin, by a
 * user who was there and verified, or where its count does not go up: then there are two copies of the authenticator.
 */
export function acceptAssertion(
  passkey: PasskeyKey,
  assertion: Assertion,
  challenge: Buffer,
  party: RelyingParty,
): { counter: number } | null {
  const clientData = Buffer.from(assertion.clientDataJson, 'base64url');
  if (!isClientDataOf(clientData, 'webauthn.get', challenge, party)) return null;
  const data = Buffer.from(assertion.authenticatorData, 'base64url');
  if (acceptedFlags(data, party) === null) return null;
  const counter = data.readUInt32BE(33);
  if ((counter !== 0 || passkey.counter !== 0) && counter <= passkey.counter) return null;
  const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
  const signature = Buffer.from(assertion.signature, 'base64url');
  const digest = passkey.algorithm === 'EdDSA' ? null : 'sha256';
  return verify(digest, signed, keyOf(passkey), signature) ? { counter } : null;
}

/** Reading a key costs more than a verification with it. */
const keys = new Map<string, KeyObject>();
const KEYS_MAX = 10_000;

function keyOf({ publicKey }: PasskeyKey): KeyObject {
  const known = keys.get(publicKey);
  if (known !== undefined) return known;
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(publicKey, key);
  return key;
}

/** Null unless it is for us, and the user was there and verified. */
function acceptedFlags(data: Buffer, { rpId }: RelyingParty): number | null {
  if (data.length < HEAD_BYTES) return null;
  const expected = createHash('sha256').update(rpId).digest();
  if (!timingSafeEqual(data.subarray(0, 32), expected)) return null;
  const flags = data[32]!;
  const needed = USER_PRESENT | USER_VERIFIED;
  return (flags & needed) === needed ? flags : null;
}

function isClientDataOf(bytes: Buffer, type: string, challenge: Buffer, { origins }: RelyingParty): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(bytes.toString('utf8'));
  } catch {
    return false;
  }
  if (typeof parsed !== 'object' || parsed === null) return false;
  const data = parsed as Record<string, unknown>;
  return (
    data.type === type &&
    data.challenge === challenge.toString('base64url') &&
    origins.some((origin) => origin === data.origin) &&
    // A page inside somebody else's page is not what the owner believes to see.
    (data.crossOrigin === undefined || data.crossOrigin === false) &&
    data.topOrigin === undefined
  );
}
