import { createECDH, hkdfSync } from 'node:crypto';
import { seal } from './sealed-box.ts';
import { SignerError } from '../signer-error.ts';

/** A secret for the one browser that made the key; whoever carries it cannot read it. Bytes are base64url. */
export type SealedReply = {
  /** Of a key pair made for this reply: an uncompressed point of P-256. */
  publicKey: string;
  /** iv (12), tag (16), ciphertext; AES-256-GCM. */
  box: string;
};

const POINT_BYTES = 65;

/** Binds the reply to what it is and whose: a box of one wallet does not pass for another's. */
export type ReplyPurpose = 'private-key' | 'totp-secret' | 'recovery-codes';

export function sealReply(sealTo: string, purpose: ReplyPurpose, address: string, text: string): SealedReply {
  const theirs = Buffer.from(sealTo, 'base64url');
  if (theirs.length !== POINT_BYTES || theirs[0] !== 4) throw new SignerError('INVALID_PARAMS', 'sealTo is no point');
  const ours = createECDH('prime256v1');
  const publicKey = ours.generateKeys();
  let shared: Buffer;
  try {
    shared = ours.computeSecret(theirs);
  } catch {
    throw new SignerError('INVALID_PARAMS', 'sealTo is not on the curve');
  }
  const info = Buffer.from(`hunter-seal-1|${purpose}|${address}`, 'utf8');
  const salt = Buffer.concat([publicKey, theirs]);
  const key = Buffer.from(hkdfSync('sha256', shared, salt, info, 32));
  shared.fill(0);
  const plain = Buffer.from(text, 'utf8');
  const box = seal(key, plain, info);
  plain.fill(0);
  key.fill(0);
  return { publicKey: publicKey.toString('base64url'), box: box.toString('base64url') };
}
