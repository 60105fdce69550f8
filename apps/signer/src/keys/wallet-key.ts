import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** OpenSSL holds the key from here on and wipes it when the object is collected. */
export function privateKeyFromSeed(seed: Buffer): KeyObject {
  return createPrivateKey({ key: seed.subarray(0, 32), format: 'raw-private', asymmetricKeyType: 'ed25519' });
}

export function publicKeyOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: 'raw-public' });
}
