import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Keypair } from '@hunter/solana/keypair';

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Signs on libuv's threads instead of the main one: a past of tens of thousands of signatures would otherwise hold up
 * the start for seconds.
 */
export class BackgroundSigner {
  readonly #keys = new Map<string, KeyObject>();

  sign(keypair: Keypair, message: Uint8Array): Promise<Uint8Array> {
    const key = this.#keyOf(keypair);
    return new Promise((resolve, reject) => {
      sign(null, message, key, (error, signature) => {
        if (error === null) resolve(signature);
        else reject(error);
      });
    });
  }

  #keyOf(keypair: Keypair): KeyObject {
    const known = this.#keys.get(keypair.address);
    if (known !== undefined) return known;
    const seed = keypair.secretKey().subarray(0, 32);
    const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    this.#keys.set(keypair.address, key);
    return key;
  }
}
