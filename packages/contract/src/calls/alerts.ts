import { ALERT_CHANNELS, ALERT_KINDS } from '@hunter/domain/alerts/alert-kind';
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
    /** Where joining bought several coins at once: all of them, the fields above among them, and what they cost together. */
    joined: z
      .object({ coins: z.array(z.object({ ...token, solAmount: sol, txHash: z.string() })), solAmount: sol })
      .optional(),
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
    /** True where many small deposits arrived that day: the alert stands for this one and all that follow it. */
    isMore: z.boolean().optional(),
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

/** The SHA-256 of the subscription's address, so that a browser knows itself in the list. */
const pushDeviceId = z.string().regex(/^[\w-]{43}$/);

const channels = z.object({
  push: z.object({
    /** By which push services know this installation (VAPID). */
    publicKey: z.string(),
    devices: z.array(z.object({ id: pushDeviceId, name: z.string(), createdAt: timeMs })),
  }),
  telegram: z.object({
    /** Whether this installation has a bot. */
    configured: z.boolean(),
    /** The name of the connected chat; null where there is none. */
    chat: z.string().nullable(),
  }),
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
  getMyAlertChannels: call({
    method: 'GET',
    path: '/api/user/getMyAlertChannels',
    access: 'user',
    effect: 'read',
    about:
      'What web push and Telegram need, and what is connected: browsers that get push messages, the Telegram chat.',
    request: z.strictObject({}),
    reply: channels,
  }),
  addPushDevice: call({
    method: 'POST',
    path: '/api/user/addPushDevice',
    access: 'user',
    effect: 'write',
    about: 'Sends push messages to this browser until its session ends. The fields are those of its push subscription.',
    request: z.strictObject({
      endpoint: z.string().max(1_000),
      /** An uncompressed point of P-256. */
      p256dh: z.string().regex(/^B[\w-]{86}$/),
      auth: z.string().regex(/^[\w-]{22}$/),
    }),
    reply: z.object({ id: pushDeviceId }),
  }),
  removePushDevice: call({
    method: 'POST',
    path: '/api/user/removePushDevice',
    access: 'user',
    effect: 'write',
    about: 'Sends no more push messages to a browser.',
    request: z.strictObject({ id: pushDeviceId }),
    reply: z.object({}),
  }),
  connectTelegram: call({
    method: 'POST',
    path: '/api/user/connectTelegram',
    access: 'user',
    effect: 'write',
    about: 'A link that connects a Telegram chat when it is opened there; it counts once.',
    request: z.strictObject({}),
    reply: z.object({ url: z.string(), expiresAt: timeMs }),
  }),
  disconnectTelegram: call({
    method: 'POST',
    path: '/api/user/disconnectTelegram',
    access: 'user',
    effect: 'write',
    about: 'Sends nothing more to Telegram.',
    request: z.strictObject({}),
    reply: z.object({}),
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
