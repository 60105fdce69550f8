import { expect, it } from 'vitest';
import { fromBase64url, toBase64url } from '../ui/base64url.ts';
import { newSealKey, openReply } from './sealed-reply.ts';

const { subtle } = crypto;

/** As the signer does it. */
async function sealed(sealTo: string, info: string, text: string): Promise<{ publicKey: string; box: string }> {
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const ours = await subtle.generateKey(curve, false, ['deriveBits']);
  const point = new Uint8Array(await subtle.exportKey('raw', ours.publicKey));
  const theirs = fromBase64url(sealTo);
  const theirKey = await subtle.importKey('raw', theirs, curve, false, []);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: theirKey }, ours.privateKey, 256);
  const material = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
  const additionalData = new TextEncoder().encode(info);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array([...point, ...theirs]), info: additionalData };
  const key = await subtle.deriveKey(hkdf, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const body = new TextEncoder().encode(text);
  const out = new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, body));
  const box = new Uint8Array([...iv, ...out.subarray(-16), ...out.subarray(0, -16)]);
  return { publicKey: toBase64url(point), box: toBase64url(box) };
}

it('opens what the signer sealed to this page, for what it is and whose', async () => {
  const key = (await newSealKey())!;
  const reply = await sealed(key.sealTo, 'hunter-seal-1|private-key|address', 'the key');
  expect(await openReply(key, reply, 'private-key', 'address')).toBe('the key');
  await expect(openReply(key, reply, 'private-key', 'another address')).rejects.toThrow();
  await expect(openReply(key, reply, 'recovery-codes', 'address')).rejects.toThrow();
  await expect(openReply(await newSealKey(), reply, 'private-key', 'address')).rejects.toThrow();
});

it('takes a plain answer as it is', async () => {
  expect(await openReply(null, 'the key', 'private-key', 'address')).toBe('the key');
});
