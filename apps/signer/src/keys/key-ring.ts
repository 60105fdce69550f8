import type { KeyObject } from 'node:crypto';
import type { KeyProvider } from './key-provider.ts';
import { open } from './sealed-box.ts';
import type { Secret } from './secret.ts';

/** The keys of the key file inside a signing thread: they open, and never wrap anything new. */
export class KeyRing implements KeyProvider {
  #keys = new Map<string, KeyObject>();

  readonly currentKeyId = '';

  replace(keys: readonly (readonly [string, KeyObject])[]): void {
    this.#keys = new Map(keys);
  }

  unwrap(keyId: string, wrapped: Buffer, aad: Buffer): Secret | null {
    const key = this.#keys.get(keyId);
    return key === undefined ? null : open(key, wrapped, aad);
  }

  wrap(): never {
    throw new Error('a signing thread wraps no keys');
  }

  rewrap(): never {
    throw new Error('a signing thread wraps no keys');
  }
}
