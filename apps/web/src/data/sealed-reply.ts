import { fromBase64url, toBase64url } from '../ui/base64url.ts';

// Private keys, secrets and recovery codes come sealed by the signer to a key pair that this page made for one answer: the
// server carries them and cannot read them.

type SealedReply = { publicKey: string; box: string };
type Purpose = 'private-key' | 'totp-secret' | 'recovery-codes';

export type SealKey = {
  /** Sent with the request. */
  sealTo: string;
  open: (reply: SealedReply, purpose: Purpose, address: string) => Promise<string>;
};

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;
const IV_BYTES = 12;
const TAG_END = 28;

/** Null where the browser has no cryptography: it offers it on https and on localhost only. */
export async function newSealKey(): Promise<SealKey | null> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return null;
  const pair = await subtle.generateKey(CURVE, false, ['deriveBits']);
  const own = new Uint8Array(await subtle.exportKey('raw', pair.publicKey));
  return {
    sealTo: toBase64url(own),
    open: async ({ publicKey, box }, purpose, address) => {
      const theirs = fromBase64url(publicKey);
      const theirKey = await subtle.importKey('raw', theirs, CURVE, false, []);
      const shared = await subtle.deriveBits({ name: 'ECDH', public: theirKey }, pair.privateKey, 256);
      const info = new TextEncoder().encode(`hunter-seal-1|${purpose}|${address}`);
      const salt = new Uint8Array([...theirs, ...own]);
      const material = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
      const aes = { name: 'AES-GCM', length: 256 };
      const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info };
      const key = await subtle.deriveKey(hkdf, material, aes, false, ['decrypt']);
      const bytes = fromBase64url(box);
      // The signer puts the tag before the ciphertext, the browser wants it behind.
      const body = new Uint8Array([...bytes.subarray(TAG_END), ...bytes.subarray(IV_BYTES, TAG_END)]);
      const parameters = { name: 'AES-GCM', iv: bytes.subarray(0, IV_BYTES), additionalData: info };
      return new TextDecoder().decode(await subtle.decrypt(parameters, key, body));
    },
  };
}

/** What was asked for, whether it came plain or sealed. */
export async function openReply(
  key: SealKey | null,
  reply: string | SealedReply,
  purpose: Purpose,
  address: string,
): Promise<string> {
  if (typeof reply === 'string') return reply;
  if (key === null) throw new Error('a sealed answer came without being asked for');
  return key.open(reply, purpose, address);
}
