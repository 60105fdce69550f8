import { z } from 'zod';

/** Bytes as base64url without padding; bounded far above what an authenticator sends. */
export const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/);

/**
 * A second factor as it travels with the call that needs it. The server passes it on; the signer verifies it. A passkey's
 * challenge is the SHA-256 of `hunter-intent-1`, kind, asset, destination, amount and id, one a line, so it is good for that
 * one intent. A code cannot be bound to what it is used for.
 */
export const secondFactor = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('totp'), code: z.string().regex(/^\d{6}$/) }),
  z.strictObject({ kind: z.literal('recovery'), code: z.string().trim().min(1).max(40) }),
  z.strictObject({
    kind: z.literal('passkey'),
    credentialId: base64url(1400),
    clientDataJson: base64url(4000),
    authenticatorData: base64url(2000),
    signature: base64url(1400),
  }),
]);

/** An uncompressed point of P-256 that the browser made: secrets in the answer are sealed to it by the signer. */
export const sealTo = z.string().regex(/^[A-Za-z0-9_-]{87}$/);

/** Sealed where `sealTo` was sent: the signer's point, and iv, tag and ciphertext of AES-256-GCM. */
export const sealedReply = z.object({ publicKey: z.string(), box: z.string() });
