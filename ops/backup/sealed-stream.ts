import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

// A stream of bytes that only the owner of a key can read. It begins with a mark and a public key made for this stream alone; the
// key that both halves agree on encrypts pieces of one size by AES-256-GCM. The nonce of a piece is its number, and whether it is the
// last: pieces that were changed, moved, left out or added, and a stream that was cut, do not open.

export const MARK = Buffer.from('hunter backup, sealed 1\n');
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const PIECE_BYTES = 64 * 1024;
const HEAD_BYTES = MARK.length + KEY_BYTES;

export class SealError extends Error {
  override readonly name = 'SealError';
}

function rawPublic(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url');
}

function publicFrom(raw: Buffer): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: raw.toString('base64url') }, format: 'jwk' });
}

/** Both public keys are part of it, so that a stream cannot be made to look as if it were sealed to another. */
function keyOf(secret: Buffer, ephemeral: Buffer, recipient: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.concat([ephemeral, recipient]), 'hunter backup', 32));
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(number, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Gives pieces of one size on, the last one, which may be empty, marked as such. */
abstract class Pieces extends Transform {
  readonly #size: number;
  #held: Buffer[] = [];
  #bytes = 0;
  #number = 0;

  constructor(size: number) {
    super();
    this.#size = size;
  }

  protected abstract piece(data: Buffer, number: number, isLast: boolean): Buffer;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      this.add(chunk);
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      this.finish();
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  protected add(chunk: Buffer): void {
    this.#held.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#size) return;
    let all = Buffer.concat(this.#held);
    // Strictly more: what fills a piece exactly may be the last.
    while (all.length > this.#size) {
      this.push(this.piece(all.subarray(0, this.#size), this.#number, false));
      this.#number += 1;
      all = all.subarray(this.#size);
    }
    this.#held = [all];
    this.#bytes = all.length;
  }

  protected finish(): void {
    this.push(this.piece(Buffer.concat(this.#held), this.#number, true));
  }
}

class Sealing extends Pieces {
  readonly #key: Buffer;

  constructor(recipient: KeyObject) {
    super(PIECE_BYTES);
    const { publicKey, privateKey } = generateKeyPairSync('x25519');
    const ephemeral = rawPublic(publicKey);
    this.#key = keyOf(diffieHellman({ privateKey, publicKey: recipient }), ephemeral, rawPublic(recipient));
    this.push(Buffer.concat([MARK, ephemeral]));
  }

  protected override piece(data: Buffer, number: number, isLast: boolean): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonceOf(number, isLast));
    return Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]);
  }
}

class Opening extends Pieces {
  readonly #privateKey: KeyObject;
  #head = Buffer.alloc(0);
  #key: Buffer | null = null;

  constructor(privateKey: KeyObject) {
    super(PIECE_BYTES + TAG_BYTES);
    this.#privateKey = privateKey;
  }

  protected override add(chunk: Buffer): void {
    if (this.#key) return super.add(chunk);
    this.#head = Buffer.concat([this.#head, chunk]);
    if (this.#head.length < HEAD_BYTES) return;
    if (!this.#head.subarray(0, MARK.length).equals(MARK)) throw new SealError('it is not a sealed backup');
    const ephemeral = this.#head.subarray(MARK.length, HEAD_BYTES);
    const secret = diffieHellman({ privateKey: this.#privateKey, publicKey: publicFrom(ephemeral) });
    this.#key = keyOf(secret, ephemeral, rawPublic(createPublicKey(this.#privateKey)));
    super.add(this.#head.subarray(HEAD_BYTES));
  }

  protected override finish(): void {
    if (!this.#key) throw new SealError('it is cut off');
    super.finish();
  }

  protected override piece(data: Buffer, number: number, isLast: boolean): Buffer {
    if (data.length < TAG_BYTES) throw new SealError('it is cut off');
    const decipher = createDecipheriv('aes-256-gcm', this.#key!, nonceOf(number, isLast));
    decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(data.subarray(0, data.length - TAG_BYTES)), decipher.final()]);
    } catch (cause) {
      const reason =
        number === 0 ? 'the key is not the one it was sealed to, or it was changed' : 'it was changed or cut off';
      throw new SealError(reason, { cause });
    }
  }
}

/** What goes in comes out readable for the owner of the X25519 key only. */
export function seal(recipient: KeyObject): Transform {
  return new Sealing(recipient);
}

/** Fails with a `SealError` where anything but the whole stream as it was sealed comes in. */
export function open(privateKey: KeyObject): Transform {
  return new Opening(privateKey);
}
