import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { Secret } from './secret.ts';

// iv (12) | tag (16) | ciphertext, AES-256-GCM. Ivs are random: a data key seals a handful of payloads in its life and
// a key-encryption key far fewer than the 2^32 that random ivs allow.
const IV_BYTES = 12;
const TAG_BYTES = 16;

export function seal(key: Buffer | KeyObject, plain: Buffer, aad: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  const body = cipher.update(plain);
  cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Null unless key, bytes and aad are exactly those of the sealing. */
export function open(key: Buffer | KeyObject, box: Buffer, aad: Buffer): Secret | null {
  if (box.length < IV_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(box.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  decipher.setAAD(aad);
  const plain = decipher.update(box.subarray(IV_BYTES + TAG_BYTES));
  try {
    decipher.final();
    return new Secret(plain);
  } catch {
    plain.fill(0);
    return null;
  }
}
