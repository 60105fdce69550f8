import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** OpenSSL holds the key from here on and wipes it when the object is collected; the DER copy is wiped at once. */
export function privateKeyFromSeed(seed: Buffer): KeyObject {
  const der = Buffer.alloc(PKCS8_PREFIX.length + 32);
  PKCS8_PREFIX.copy(der);
  seed.copy(der, PKCS8_PREFIX.length, 0, 32);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}

export function publicKeyOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: 'raw-public' });
}
