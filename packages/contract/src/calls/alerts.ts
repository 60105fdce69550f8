import { ALERT_CHANNELS, ALERT_KINDS } from '@hunter/domain/alert-kind';
import { z } from 'zod';
import { call } from '../call.ts';
import { cursor, cursorOf, id, listOf, positiveDecimal, side, sol, solanaAddress, timeMs, usd } from '../fields.ts';

const token = { tokenContractAddress: z.string(), tokenSymbol: z.string() };
const strategy = { slug: z.string(), strategyName: z.string() };

/** What one alert says, by kind. `kind` is one of `ALERT_KINDS`. */
export const alertBody = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('round-filled'),
    ...strategy,
    ...token,
    side,
    /** Of the follower's own part. */
    solAmount: sol,
    txHash: z.string(),
  }),
  /** `reason` is one of the reasons of copy receipts. */
  z.object({ kind: z.literal('round-skipped'), ...strategy, ...token, side, reason: z.string() }),
  z.object({ kind: z.literal('follow-stopped'), ...strategy, by: z.enum(['stop-loss', 'take-profit']) }),
  z.object({ kind: z.literal('strategy-ended'), ...strategy }),
  z.object({
    kind: z.literal('trigger'),
    ...token,
    /** Such as `limit` or `stop-loss`. */
    type: z.string(),
    side,
    /** `reopened`: the chain took its trade back, and it waits again. */
    outcome: z.enum(['filled', 'failed', 'expired', 'reopened']),
    solAmount: sol.nullable(),
    txHash: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('price'),
    ...token,
    direction: z.enum(['above', 'below']),
    target: usd,
    price: usd,
  }),
  z.object({
    kind: z.literal('wallet'),
    address: z.string(),
    /** The user's own name for it. */
    name: z.string(),
    ...token,
    side,
    solAmount: sol,
    txHash: z.string(),
  }),
  z.object({
    kind: z.literal('deposit'),
    /** Null for SOL. */
    tokenContractAddress: z.string().nullable(),
    tokenSymbol: z.string(),
    amount: z.string(),
    txHash: z.string(),
  }),
  z.object({
    kind: z.literal('withdrawal'),
    event: z.enum([
      'withdrawal-requested',
      'withdrawal-held',
      'withdrawal-sent',
      'withdrawal-failed',
      'withdrawal-canceled',
    ]),
    /** With its unit. */
    amount: z.string(),
    toWallet: z.string(),
  }),
  z.object({ kind: z.literal('golden-dog'), ...token, trigger: z.string(), detail: z.string() }),
  /** `event` is a kind of the account's security events; `detail` names the device, the amount or the like, where there is one. */
  z.object({ kind: z.literal('security'), event: z.string(), detail: z.string() }),
]);
export type AlertBody = z.infer<typeof alertBody>;

export const alert = z.object({ id: z.string(), time: timeMs, read: z.boolean(), body: alertBody });

const kind = z.enum(ALERT_KINDS);
const channel = z.enum(ALERT_CHANNELS);

const choices = z.object({
  kinds: z.array(z.object({ kind, channels: z.array(channel) })),
  /** The channels that can reach the user. */
  available: z.array(channel),
});

const priceAlert = z.object({
  id: z.string(),
  ...token,
  direction: z.enum(['above', 'below']),
  target: usd,
  createdAt: timeMs,
});

export const alertCalls = {
  getMyAlerts: call({
    method: 'GET',
    path: '/api/user/getMyAlerts',
    access: 'user',
    effect: 'read',
    about: 'What the user was told, newest first, and how much of it is unread.',
    request: z.strictObject({ cursor }),
    reply: cursorOf(alert).extend({ unread: z.number().int() }),
  }),
  readMyAlerts: call({
    method: 'POST',
    path: '/api/user/readMyAlerts',
    access: 'user',
    effect: 'write',
    about: 'Marks the alert and all before it as read.',
    request: z.strictObject({ id: z.string().regex(/^\d{1,18}$/) }),
    reply: z.object({ unread: z.number().int() }),
  }),
  getMyAlertChoices: call({
    method: 'GET',
    path: '/api/user/getMyAlertChoices',
    access: 'user',
    effect: 'read',
    about: 'Where each kind of alert goes: app, mail, web push, Telegram.',
    request: z.strictObject({}),
    reply: choices,
  }),
  saveMyAlertChoice: call({
    method: 'POST',
    path: '/api/user/saveMyAlertChoice',
    access: 'user',
    effect: 'write',
    about: 'Chooses where one kind of alert goes.',
    request: z.strictObject({ kind, channels: z.array(channel).max(ALERT_CHANNELS.length) }),
    reply: choices,
  }),
  getMyPriceAlerts: call({
    method: 'GET',
    path: '/api/user/getMyPriceAlerts',
    access: 'user',
    effect: 'read',
    about: 'Price alerts that wait, of all tokens or one.',
    request: z.strictObject({ tokenContractAddress: solanaAddress.optional() }),
    reply: listOf(priceAlert),
  }),
  createPriceAlert: call({
    method: 'POST',
    path: '/api/user/createPriceAlert',
    access: 'user',
    effect: 'write',
    about: 'Tells the user once when a token’s price in USD is at or beyond the target.',
    request: z.strictObject({
      tokenContractAddress: solanaAddress,
      direction: z.enum(['above', 'below']),
      target: positiveDecimal,
    }),
    reply: priceAlert,
  }),
  deletePriceAlert: call({
    method: 'POST',
    path: '/api/user/deletePriceAlert',
    access: 'user',
    effect: 'write',
    about: 'Removes a price alert that waits.',
    request: z.strictObject({ id }),
    reply: z.object({}),
  }),
};
