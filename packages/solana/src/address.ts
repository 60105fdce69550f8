import { isAddress, type Address } from '@hunter/domain/address';
import { decodeBase58, encodeBase58 } from './base58.ts';
import { isOnCurve } from './ed25519-curve.ts';
import { SolanaError } from './solana-error.ts';

export { isAddress, type Address };

export function address(text: string): Address {
  if (!isAddress(text)) throw new SolanaError('ADDRESS_INVALID', { text: text.slice(0, 64) });
  return text;
}

export function addressBytes(address: Address): Uint8Array {
  return decodeBase58(address);
}

const REMEMBERED_MAX = 50_000;
const remembered = new Map<number, { bytes: Uint8Array; text: Address }>();

/**
 * With a memory for addresses seen before: this runs for every account of every transaction, and most transactions repeat the same
 * few. The table is found by six bytes from the middle, where addresses differ, and checked against all of them.
 */
export function addressFromBytes(bytes: Uint8Array): Address {
  if (bytes.length !== 32) throw new SolanaError('ADDRESS_INVALID', { text: `${bytes.length} bytes` });
  const key =
    bytes[9]! +
    bytes[11]! * 2 ** 8 +
    bytes[13]! * 2 ** 16 +
    bytes[15]! * 2 ** 24 +
    bytes[17]! * 2 ** 32 +
    bytes[21]! * 2 ** 40;
  const known = remembered.get(key);
  if (known !== undefined && isSame(known.bytes, bytes)) return known.text;
  const text = encodeBase58(bytes) as Address;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  // A copy: the bytes may be part of a message, which must not be kept for their sake.
  remembered.set(key, { bytes: Uint8Array.from(bytes), text });
  return text;
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  for (let index = 0; index < 32; index += 1) if (left[index] !== right[index]) return false;
  return true;
}

/** True for addresses that a private key can exist for; program-derived addresses are off the curve. */
export function isOnCurveAddress(address: Address): boolean {
  return isOnCurve(addressBytes(address));
}
