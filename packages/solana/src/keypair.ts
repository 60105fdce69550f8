import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { type Address, addressBytes, addressFromBytes } from './address.ts';
import { decodeBase58, encodeBase58 } from './base58.ts';
import { SolanaError } from './solana-error.ts';

const signAside = promisify(sign);

/** An Ed25519 key held in memory: for pools, simulated traders, tests and benches. Users' keys live in the signer only. */
export class Keypair {
  readonly address: Address;
  readonly publicKey: Uint8Array;
  readonly #privateKey: KeyObject;
  readonly #seed: Uint8Array;

  private constructor(seed: Uint8Array) {
    this.#seed = Uint8Array.from(seed);
    this.#privateKey = createPrivateKey({ key: seed, format: 'raw-private', asymmetricKeyType: 'ed25519' });
    this.publicKey = new Uint8Array(createPublicKey(this.#privateKey).export({ format: 'raw-public' }));
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

  /** On another thread, for those who sign by the thousand. */
  signAside(message: Uint8Array): Promise<Uint8Array> {
    return signAside(null, message, this.#privateKey);
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
  const key = createPublicKey({ key: addressBytes(signer), format: 'raw-public', asymmetricKeyType: 'ed25519' });
  return verify(null, message, key, signature);
}
