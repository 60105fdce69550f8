import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

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

/** On the thread pool, so that a burst uses every core while the next envelopes are being opened. */
export function signWith(privateKey: KeyObject, message: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  sign(null, message, privateKey, (error, signature) => {
    if (error === null) resolve(signature);
    else reject(error);
  });
  return promise;
}
