/** Text that stands for bytes and does not decode to exactly the number that it must. */
export class BytesError extends Error {
  override readonly name = 'BytesError';
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** No address and no memo of ours is longer; the conversion is quadratic. */
export const BASE58_LENGTH_MAX = 2_000;

export function base58Bytes(text: string): Uint8Array {
  if (text.length > BASE58_LENGTH_MAX) throw new BytesError(`too long for base58: ${text.slice(0, 60)}…`);
  let value = 0n;
  for (const letter of text) {
    const digit = BASE58.indexOf(letter);
    if (digit < 0) throw new BytesError(`not base58: ${text.slice(0, 60)}`);
    value = value * 58n + BigInt(digit);
  }
  const hex = value === 0n ? '' : value.toString(16);
  const zeros = new Uint8Array(/^1*/.exec(text)![0].length);
  return joined(zeros, hexBytes(hex.padStart(hex.length + (hex.length % 2), '0')));
}

/** Every swap of a strategy names the same wallet and few mints. */
const knownAddresses = new Map<string, Uint8Array>();
const KNOWN_MAX = 1_000;

/** The 32 bytes of a Solana address. */
export function addressBytes(text: string): Uint8Array {
  const known = knownAddresses.get(text);
  if (known) return known;
  const bytes = base58Bytes(text);
  if (bytes.length !== 32) throw new BytesError(`not an address: ${text.slice(0, 60)}`);
  if (knownAddresses.size >= KNOWN_MAX) knownAddresses.clear();
  knownAddresses.set(text, bytes);
  return bytes;
}

export function uuidBytes(text: string): Uint8Array {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) {
    throw new BytesError(`not a UUID: ${text.slice(0, 60)}`);
  }
  return hexBytes(text.replaceAll('-', ''));
}

/** 32 bytes in base64url, without padding. */
export function hashBytes(text: string): Uint8Array {
  if (!/^[\w-]{43}$/.test(text)) throw new BytesError(`not 32 bytes in base64url: ${text.slice(0, 60)}`);
  const bytes = Uint8Array.from(atob(`${text.replaceAll('-', '+').replaceAll('_', '/')}=`), (letter) =>
    letter.charCodeAt(0),
  );
  // The last letter carries two unused bits; another letter there would be a second way to write the same bytes.
  if (base64url(bytes) !== text) throw new BytesError(`not 32 bytes in base64url: ${text}`);
  return bytes;
}

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** An unsigned number of `length` bytes, big-endian. */
export function numberBytes(value: bigint, length: number): Uint8Array {
  if (value < 0n || value >= 1n << BigInt(length * 8)) throw new BytesError(`${value} does not fit ${length} bytes`);
  return hexBytes(value.toString(16).padStart(length * 2, '0'));
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

function hexBytes(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}
