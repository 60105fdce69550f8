import { z } from 'zod';
import { call } from '../call.ts';
import { id, listOf, password, sol, solAmount, timeMs } from '../fields.ts';
import { secondFactor } from './second-factor.ts';

export const API_KEYS_MAX = 10;
export const API_KEY_DAYS_MAX = 365;
export const API_KEY_RATE_MAX = 50;
/** Above it a trade can be sandwiched, so a stolen key could sell the owner's tokens to its thief. */
export const API_KEY_SLIPPAGE_BPS_MAX = 500;

/** `trade` includes `read`; no key withdraws, exports or changes how the account is secured. */
const scope = z.enum(['read', 'trade']);

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  scope,
  /** The end of the key, to tell one from another. */
  hint: z.string(),
  createdAt: timeMs,
  expiresAt: timeMs,
  expired: z.boolean(),
  lastUsedAt: timeMs.nullable(),
  lastUsedFrom: z.string(),
  requestsPerSecond: z.number().int(),
  /** What it may put into trades and follows per day (UTC); null for a key that only reads. */
  dailySol: sol.nullable(),
  spentTodaySol: sol,
  /** From anywhere where there are none. */
  addresses: z.array(z.string()),
});

export const apiKeyCalls = {
  getMyApiKeys: call({
    method: 'GET',
    path: '/api/user/getMyApiKeys',
    access: 'user',
    effect: 'read',
    about: "The user's API keys, newest first, without the keys themselves.",
    request: z.strictObject({}),
    reply: listOf(apiKey),
  }),
  createApiKey: call({
    method: 'POST',
    path: '/api/user/createApiKey',
    access: 'user',
    effect: 'write',
    about:
      'Makes an API key, which is in this answer and in no other: needs the password, and the second factor where one is enrolled; a passkey signs an intent of kind api-key, asset read or trade, with this id.',
    request: z.strictObject({
      id,
      name: z.string().trim().min(1).max(60),
      scope,
      days: z.number().int().min(1).max(API_KEY_DAYS_MAX),
      requestsPerSecond: z.number().int().min(1).max(API_KEY_RATE_MAX).default(10),
      dailySol: solAmount.optional().describe('Needed for trade keys.'),
      addresses: z
        .array(z.string().trim().min(2).max(50))
        .max(10)
        .default([])
        .describe('IP addresses or networks such as 203.0.113.0/24; empty: from anywhere.'),
      password,
      factor: secondFactor.optional(),
    }),
    reply: z.object({ key: z.string(), apiKey }),
  }),
  revokeApiKey: call({
    method: 'POST',
    path: '/api/user/revokeApiKey',
    access: 'user',
    effect: 'write',
    about: 'Ends an API key; its next request is refused.',
    request: z.strictObject({ id }),
    reply: z.object({}),
  }),
};
