import { createPublicKey, type KeyObject } from 'node:crypto';

export type PasskeyAlgorithm = 'ES256' | 'EdDSA' | 'RS256';

/** RFC 9053: key type, algorithm, curve, coordinates. For RSA -1 and -2 are modulus and exponent. */
const KEY_TYPE = 1;
const ALGORITHM = 3;
const RSA_BYTES = { min: 256, max: 512 };

/** The key of a new passkey, and where in the bytes it ends. Null for any other shape. */
export function readCoseKey(
  bytes: Buffer,
  start: number,
): { algorithm: PasskeyAlgorithm; key: KeyObject; end: number } | null {
  const map = readMap(bytes, start);
  if (map === null) return null;
  const { fields, end } = map;
  const found = publicJwk(fields);
  if (found === null) return null;
  try {
    // Refuses points that are not on the curve.
    return { algorithm: found.algorithm, key: createPublicKey({ key: found.jwk, format: 'jwk' }), end };
  } catch {
    return null;
  }
}

type Fields = ReadonlyMap<number, number | Buffer>;

function publicJwk(fields: Fields): { algorithm: PasskeyAlgorithm; jwk: Record<string, string> } | null {
  const shape = `${String(fields.get(KEY_TYPE))}/${String(fields.get(ALGORITHM))}`;
  const [curve, x, y] = [fields.get(-1), fields.get(-2), fields.get(-3)];
  if (shape === '2/-7' && curve === 1 && isOf(x, 32) && isOf(y, 32) && fields.size === 5) {
    return { algorithm: 'ES256', jwk: { kty: 'EC', crv: 'P-256', x: text(x), y: text(y) } };
  }
  if (shape === '1/-8' && curve === 6 && isOf(x, 32) && fields.size === 4) {
    return { algorithm: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519', x: text(x) } };
  }
  if (shape === '3/-257' && Buffer.isBuffer(curve) && Buffer.isBuffer(x) && fields.size === 4) {
    if (curve.length < RSA_BYTES.min || curve.length > RSA_BYTES.max || x.length > 4) return null;
    return { algorithm: 'RS256', jwk: { kty: 'RSA', n: text(curve), e: text(x) } };
  }
  return null;
}

function isOf(value: number | Buffer | undefined, length: number): value is Buffer {
  return Buffer.isBuffer(value) && value.length === length;
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url');
}

/** CBOR as far as keys need it: one map of small whole numbers to whole numbers or bytes. */
function readMap(bytes: Buffer, start: number): { fields: Fields; end: number } | null {
  const header = readHead(bytes, start);
  if (header === null || header.major !== 5 || header.value > 8) return null;
  const fields = new Map<number, number | Buffer>();
  let at = header.end;
  for (let index = 0; index < header.value; index += 1) {
    const key = readItem(bytes, at);
    if (key === null || typeof key.item !== 'number' || fields.has(key.item)) return null;
    const value = readItem(bytes, key.end);
    if (value === null) return null;
    fields.set(key.item, value.item);
    at = value.end;
  }
  return { fields, end: at };
}

function readItem(bytes: Buffer, start: number): { item: number | Buffer; end: number } | null {
  const head = readHead(bytes, start);
  if (head === null) return null;
  const { major, value, end } = head;
  if (major === 0) return { item: value, end };
  if (major === 1) return { item: -1 - value, end };
  if (major !== 2 || end + value > bytes.length) return null;
  return { item: bytes.subarray(end, end + value), end: end + value };
}

function readHead(bytes: Buffer, start: number): { major: number; value: number; end: number } | null {
  const first = bytes[start];
  if (first === undefined) return null;
  const major = first >> 5;
  const size = first & 31;
  if (size < 24) return { major, value: size, end: start + 1 };
  if (size === 24 && start + 2 <= bytes.length) return { major, value: bytes[start + 1]!, end: start + 2 };
  if (size === 25 && start + 3 <= bytes.length) return { major, value: bytes.readUInt16BE(start + 1), end: start + 3 };
  return null;
}
