import { describe, expect, it } from 'vitest';
import type { AccountKey } from '../account-key.ts';
import { accountKeyFromBase58 } from '../account-key.ts';
import { venueKey } from '../fixtures/a-venue.ts';
import { attacker, certificate, mint, pool } from '../fixtures/transaction-scenes.ts';
import { PoolCertificates, readVenueKey } from './pool-certificates.ts';

const keyOf = (address: string): AccountKey => accountKeyFromBase58(address)!;
const text = String(venueKey.publicKey.export({ format: 'jwk' }).x);

describe('the certificate of a pool', () => {
  it('holds for the pool and mint that the venue signed, however often, and for nothing else', () => {
    const certificates = new PoolCertificates(readVenueKey(text));
    const [own, other] = [keyOf(pool.address), keyOf(attacker.address)];
    for (let time = 0; time < 2; time += 1) {
      expect(certificates.certifies(certificate(), own, keyOf(mint))).toBe(true);
      expect(certificates.certifies(certificate(), other, keyOf(mint))).toBe(false);
      expect(certificates.certifies(certificate(), own, other)).toBe(false);
    }
  });

  it('is none without a key of the venue', () => {
    expect(new PoolCertificates(null).certifies(certificate(), keyOf(pool.address), keyOf(mint))).toBe(false);
  });

  it('is asked of a key that is written as one', () => {
    expect(readVenueKey(text)?.asymmetricKeyType).toBe('ed25519');
    for (const wrong of ['', text.slice(1), `${text}A`, `${text.slice(1)}!`]) expect(readVenueKey(wrong)).toBeNull();
  });
});
