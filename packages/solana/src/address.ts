import type { Address } from '@hunter/domain/address';
import { decodeBase58, encodeBase58 } from './base58.ts';
import { isOnCurve } from './ed25519-curve.ts';
import { SolanaError } from './solana-error.ts';

export type { Address };

export function isAddress(text: string): text is Address {
  if (text.length < 32 || text.length > 44) return false;
  try {
    return decodeBase58(text).length === 32;
  } catch {
    return false;
  }
}

export function address(text: string): Address {
  if (!isAddress(text)) throw new SolanaError('ADDRESS_INVALID', { text: text.slice(0, 64) });
  return text;
}

export function addressBytes(address: Address): Uint8Array {
  return decodeBase58(address);
}

export function addressFromBytes(bytes: Uint8Array): Address {
  if (bytes.length !== 32) throw new SolanaError('ADDRESS_INVALID', { text: `${bytes.length} bytes` });
  return encodeBase58(bytes) as Address;
}

/** True for addresses that a private key can exist for; program-derived addresses are off the curve. */
export function isOnCurveAddress(address: Address): boolean {
  return isOnCurve(addressBytes(address));
}
