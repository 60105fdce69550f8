import type { Secret } from './secret.ts';

/**
 * Wraps the data keys of wallets under a key-encryption key. The embedded provider keeps its keys in a file that only
 * the signer reads; a key management service fits the same three calls.
 */
export interface KeyProvider {
  /** The key that new sealed keys are wrapped under. */
  readonly currentKeyId: string;
  wrap(dataKey: Buffer, aad: (keyId: string) => Buffer): { keyId: string; wrapped: Buffer };
  /** Null when the key is unknown or the bytes, or what they are bound to, were changed. */
  unwrap(keyId: string, wrapped: Buffer, aad: Buffer): Secret | null;
  rewrap(keyId: string, wrapped: Buffer, aad: (keyId: string) => Buffer): { keyId: string; wrapped: Buffer } | null;
}
