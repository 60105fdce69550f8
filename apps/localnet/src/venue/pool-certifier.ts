import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type Address, addressBytes } from '@hunter/solana/address';
import { readIfThere, writeDurably } from './durable-file.ts';

const DOMAIN = Buffer.from('hunter-pool-1\0');

/**
 * Tells the signer which accounts are pools of this venue: a signature over pool and mint. Unlike every other key of the
 * simulated market this one is random, because whoever has it can have users' SOL paid to any address.
 */
export class PoolCertifier {
  readonly #keyFile: string;
  #key: KeyObject | null = null;

  constructor(keyFile: string) {
    this.#keyFile = keyFile;
  }

  certify(pool: Address, mint: Address): string {
    const message = Buffer.concat([DOMAIN, addressBytes(pool), addressBytes(mint)]);
    return sign(null, message, this.#privateKey()).toString('base64');
  }

  /** As the signer's SIGNER_VENUE_KEY takes it: 32 bytes in base64url. */
  publicKey(): string {
    return createPublicKey(this.#privateKey()).export({ format: 'jwk' }).x!;
  }

  #privateKey(): KeyObject {
    this.#key ??= readKey(this.#keyFile);
    return this.#key;
  }
}

function readKey(file: string): KeyObject {
  const known = readIfThere(file);
  if (known !== null) return createPrivateKey(known);
  const { privateKey } = generateKeyPairSync('ed25519');
  writeDurably(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600);
  return privateKey;
}
