import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type AccountKey, keyBytes } from '../account-key.ts';

const DOMAIN = Buffer.from('hunter-pool-1\0');
const KNOWN_MAX = 20_000;

/**
 * Pools appear while the signer runs, so it cannot know them beforehand. It knows one venue key, which certifies each
 * pool by signing pool and mint; the certificate travels with the request. Without a venue key no pool is certified.
 */
export class PoolCertificates {
  readonly #venueKey: KeyObject | null;
  readonly #known = new Set<string>();

  constructor(venueKey: KeyObject | null) {
    this.#venueKey = venueKey;
  }

  certifies(certificate: string, pool: AccountKey, mint: AccountKey): boolean {
    if (this.#venueKey === null) return false;
    const entry = pool + mint + certificate;
    if (this.#known.has(entry)) return true;
    const message = Buffer.concat([DOMAIN, keyBytes(pool), keyBytes(mint)]);
    if (!verify(null, message, this.#venueKey, Buffer.from(certificate, 'base64'))) return false;
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.add(entry);
    return true;
  }
}

/** From base64url of the 32 bytes of an Ed25519 public key; null where the text is no such key. */
export function readVenueKey(text: string): KeyObject | null {
  if (!/^[A-Za-z0-9_-]{43}$/.test(text)) return null;
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' });
}
