// Between the text and the bytes of addresses, with a memory for those seen before: this runs for every account of
// every transaction, and most transactions repeat the same few.

import { addressFromBytes } from '@hunter/solana/address';
import { decodeBase58 } from '@hunter/solana/base58';

export { addressFromBytes as encodeAddress };

const CACHE_MAX = 50_000;
const bytesByText = new Map<string, Uint8Array>();

/** Null where the text is not base58. */
export function tryDecodeBase58(text: string): Uint8Array | null {
  try {
    return decodeBase58(text);
  } catch {
    return null;
  }
}

/** The 32 bytes of an address, or null where the text is not one. The result is shared: do not change it. */
export function decodeAddress(text: string): Uint8Array | null {
  const known = bytesByText.get(text);
  if (known !== undefined) return known;
  if (text.length < 32 || text.length > 44) return null;
  const bytes = tryDecodeBase58(text);
  if (bytes === null || bytes.length !== 32) return null;
  remember(text, bytes);
  return bytes;
}

function remember(text: string, bytes: Uint8Array): void {
  if (bytesByText.size >= CACHE_MAX) bytesByText.clear();
  bytesByText.set(text, bytes);
}

/** For addresses that are soon turned back into bytes, as all are when a ledger is opened. The bytes are kept: do not change them. */
export function encodeAndRemember(bytes: Uint8Array): string {
  const text = addressFromBytes(bytes);
  remember(text, bytes);
  return text;
}

/** For addresses that were checked before: a wrong one is a fault of the program. */
export function addressBytes(text: string): Uint8Array {
  const bytes = decodeAddress(text);
  if (bytes === null) throw new RangeError(`not an address: ${text}`);
  return bytes;
}
