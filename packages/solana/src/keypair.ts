import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { type Address, addressBytes, addressFromBytes } from './address.ts';
import { decodeBase58, encodeBase58 } from './base58.ts';
import { SolanaError } from './solana-error.ts';

// The fixed DER frames around a raw Ed25519 seed (PKCS #8) and a raw public key (SPKI).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** An Ed25519 key held in memory: for pools, simulated traders, tests and benches. Users' keys live in the signer only. */
export class Keypair {
  readonly address: Address;
  readonly publicKey: Uint8Array;
  readonly #privateKey: KeyObject;
  readonly #seed: Uint8Array;

  private constructor(seed: Uint8Array) {
    this.#seed = Uint8Array.from(seed);
    this.#privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(this.#privateKey).export({ format: 'der', type: 'spki' });
    this.publicKey = new Uint8Array(spki.subarray(SPKI_PREFIX.length));
    this.address = addressFromBytes(this.publicKey);
  }

  static fromSeed(seed: Uint8Array): Keypair {
    if (seed.length !== 32) throw new SolanaError('SECRET_KEY_INVALID', { reason: 'seed is not 32 bytes' });
    return new Keypair(seed);
  }

  static generate(): Keypair {
    return new Keypair(randomBytes(32));
  }

  /** From the 64-byte form wallets export: seed followed by public key. */
  static fromSecretKey(secretKey: Uint8Array): Keypair {
    if (secretKey.length !== 64) throw new SolanaError('SECRET_KEY_INVALID', { reason: 'secret key is not 64 bytes' });
    const keypair = new Keypair(secretKey.subarray(0, 32));
    if (!Buffer.from(keypair.publicKey).equals(secretKey.subarray(32))) {
      throw new SolanaError('SECRET_KEY_INVALID', { reason: 'the public half does not belong to the seed' });
    }
    return keypair;
  }

  static fromBase58SecretKey(text: string): Keypair {
    return Keypair.fromSecretKey(decodeBase58(text));
  }

  sign(message: Uint8Array): Uint8Array {
    return sign(null, message, this.#privateKey);
  }

  secretKey(): Uint8Array {
    const bytes = new Uint8Array(64);
    bytes.set(this.#seed, 0);
    bytes.set(this.publicKey, 32);
    return bytes;
  }

  base58SecretKey(): string {
    return encodeBase58(this.secretKey());
  }

  toJSON(): { address: Address } {
    return { address: this.address };
  }
}

export function verifySignature(signer: Address, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, addressBytes(signer)]), format: 'der', type: 'spki' });
  return verify(null, message, key, signature);
}
