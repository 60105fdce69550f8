import { z } from 'zod';
import { call } from '../call.ts';
import { id, password, timeMs } from '../fields.ts';
import { base64url, sealedReply, sealTo, secondFactor } from './second-factor.ts';

// Second factors are the signer's own state: it verifies every proof in these calls by itself, and the server passes them on.

const enrolled = z.object({ id: z.string(), name: z.string(), createdAt: timeMs, lastUsedAt: timeMs.nullable() });
const name = z.string().trim().min(1).max(60);
/** The password always; a factor wherever one is enrolled. */
const proof = { password, factor: secondFactor.optional() };
/** Shown once: ten codes, sealed as lines of one text where `sealTo` was sent. Null where there are codes already. */
const recoveryCodes = z.object({ recoveryCodes: z.union([z.array(z.string()), sealedReply]).nullable() });

export const factorCalls = {
  getMyFactors: call({
    method: 'GET',
    path: '/api/user/getMyFactors',
    access: 'user',
    effect: 'read',
    about: "The user's second factors. An intent about the wallet itself names its address as the destination.",
    request: z.strictObject({}),
    reply: z.object({
      /** The domain that passkeys belong to. */
      rpId: z.string(),
      address: z.string(),
      passkeys: z.array(enrolled),
      totp: enrolled.nullable(),
      recoveryCodesLeft: z.number().int(),
      loginRequired: z.boolean(),
      recovery: z.object({ startedAt: timeMs, readyAt: timeMs }).nullable(),
      recoveryDelayMs: z.number().int(),
      /** From when on a key export that was asked for can be fetched; null where none waits. */
      exportReadyAt: timeMs.nullable(),
    }),
  }),
  startTotp: call({
    method: 'POST',
    path: '/api/user/startTotp',
    access: 'user',
    effect: 'write',
    about: 'Makes a secret for an authenticator app, to be confirmed within ten minutes.',
    request: z.strictObject({ password, sealTo: sealTo.optional() }),
    reply: z.object({ id: z.string(), secret: z.union([z.string(), sealedReply]) }),
  }),
  confirmTotp: call({
    method: 'POST',
    path: '/api/user/confirmTotp',
    access: 'user',
    effect: 'write',
    about:
      'Enrols the authenticator app by a code of its secret; a passkey agrees by an intent of kind enrol with its id.',
    request: z.strictObject({ ...proof, id, code: z.string().regex(/^\d{6}$/), name, sealTo: sealTo.optional() }),
    reply: recoveryCodes,
  }),
  enrolPasskey: call({
    method: 'POST',
    path: '/api/user/enrolPasskey',
    access: 'user',
    effect: 'write',
    about:
      'Enrols a passkey made for an intent of kind register-passkey with this id; an enrolled passkey agrees by an intent of kind enrol with the new credential id.',
    request: z.strictObject({
      ...proof,
      id,
      name,
      clientDataJson: base64url(4000),
      authenticatorData: base64url(4000),
      sealTo: sealTo.optional(),
    }),
    reply: recoveryCodes,
  }),
  removeFactor: call({
    method: 'POST',
    path: '/api/user/removeFactor',
    access: 'user',
    effect: 'write',
    about: 'Removes a factor; a passkey agrees by an intent of kind remove with its id.',
    request: z.strictObject({ ...proof, id: base64url(1400) }),
    reply: z.object({}),
  }),
  renewRecoveryCodes: call({
    method: 'POST',
    path: '/api/user/renewRecoveryCodes',
    access: 'user',
    effect: 'write',
    about: 'Replaces all recovery codes; a passkey agrees by an intent of kind codes with this id.',
    request: z.strictObject({ ...proof, id, sealTo: sealTo.optional() }),
    reply: recoveryCodes,
  }),
  setLoginRule: call({
    method: 'POST',
    path: '/api/user/setLoginRule',
    access: 'user',
    effect: 'write',
    about:
      'Whether login needs a factor; a passkey agrees by an intent of kind login-rule, asset on or off, with this id.',
    request: z.strictObject({ ...proof, id, on: z.boolean() }),
    reply: z.object({}),
  }),
  startRecovery: call({
    method: 'POST',
    path: '/api/user/startRecovery',
    access: 'user',
    effect: 'write',
    about: 'For an owner who has lost all factors: they can be removed once the delay is over.',
    request: z.strictObject({ password }),
    reply: z.object({ readyAt: timeMs }),
  }),
  cancelRecovery: call({
    method: 'POST',
    path: '/api/user/cancelRecovery',
    access: 'user',
    effect: 'write',
    about: 'Ends a recovery that waits; using any factor does the same.',
    request: z.strictObject({}),
    reply: z.object({}),
  }),
  finishRecovery: call({
    method: 'POST',
    path: '/api/user/finishRecovery',
    access: 'user',
    effect: 'write',
    about: 'Removes all factors once the delay is over; no key is exported for 72 hours after it.',
    request: z.strictObject({ password }),
    reply: z.object({}),
  }),
};
