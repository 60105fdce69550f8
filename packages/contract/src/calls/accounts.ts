import { z } from 'zod';
import { call } from '../call.ts';
import { sealedReply, sealTo, secondFactor } from './second-factor.ts';
import {
  chainId,
  cursor,
  cursorOf,
  email,
  id,
  linkToken,
  listOf,
  password,
  slippageBps,
  sol,
  timeMs,
  verificationCode,
} from '../fields.ts';

export const walletInfo = z.object({
  walletAddress: z.string(),
  /** All SOL of the wallet on chain. */
  tokenBalance: sol,
  /** Free SOL of the personal book. */
  available: sol,
  /** Value in strategies and follows beyond `tokenBalance`; null where a holding there cannot be priced just now. */
  committed: sol.nullable(),
  /** All of it with its tokens, as on the account page; null where a holding cannot be priced just now. */
  equity: sol.nullable(),
  /** What a withdrawal of everything would send after its fee. */
  withdrawable: sol,
});

const session = z.object({ token: z.string(), email: z.string(), avatar: z.string().optional(), walletInfo });

/** Base58 of 64 bytes, or sealed where the request had a key to seal it to. */
const shownKey = z.union([z.string(), sealedReply]);

const codePurpose = z.enum(['register', 'reset', 'export', 'unfreeze']);

export const accountCalls = {
  sendEmailCode: call({
    method: 'POST',
    path: '/api/login/sendEmailCode',
    access: 'open',
    effect: 'write',
    about: 'Sends a six-digit code to the address; the answer is the same whether or not it has an account.',
    request: z.strictObject({ email, purpose: codePurpose.default('register') }),
    reply: z.object({ retryAfterSeconds: z.number().int() }),
  }),
  register: call({
    method: 'POST',
    path: '/api/login/register',
    access: 'open',
    effect: 'write',
    about: 'Creates an account and its wallet; the private key is in this answer and in no other.',
    request: z.strictObject({
      email,
      password,
      confirmPassword: password,
      verificationCode,
      inviteCode: z.string().trim().min(1).max(40),
      agreement: z.boolean(),
      sealTo: sealTo.optional(),
    }),
    reply: session.extend({ wallet: z.object({ address: z.string(), privateKey: shownKey }) }),
  }),
  login: call({
    method: 'POST',
    path: '/api/login/check',
    access: 'open',
    effect: 'write',
    about:
      'Logs in. Where the user wants a second factor for it, the refusal LOGIN_FACTOR_REQUIRED names what to send in a second try.',
    request: z.strictObject({ email, password, factorId: id.optional(), factor: secondFactor.optional() }),
    reply: session,
  }),
  logout: call({
    method: 'POST',
    path: '/api/login/logout',
    access: 'user',
    effect: 'write',
    about: 'Ends the session and its live streams.',
    request: z.strictObject({}),
    reply: z.object({}),
  }),
  resetPassword: call({
    method: 'POST',
    path: '/api/login/resetPassword',
    access: 'open',
    effect: 'write',
    about: 'Sets a new password with a mailed code of purpose reset; ends all sessions.',
    request: z.strictObject({ email, verificationCode, password, confirmPassword: password }),
    reply: z.object({}),
  }),
  undoPasswordReset: call({
    method: 'POST',
    path: '/api/login/undoPasswordReset',
    access: 'open',
    effect: 'write',
    about:
      'Puts the password of before a reset back, for 72 hours after it, for that password or a code of a second factor; ends all sessions and freezes the account.',
    request: z.strictObject({ email, password: password.optional(), factor: secondFactor.optional() }),
    reply: z.object({}),
  }),
  freezeAccount: call({
    method: 'POST',
    path: '/api/login/freezeAccount',
    access: 'open',
    effect: 'write',
    about:
      'With the token of a link from a mail: ends all sessions, stops withdrawals, key exports and purchases, and pauses triggers that buy and wallet follows.',
    request: z.strictObject({ token: linkToken }),
    reply: z.object({}),
  }),
  unfreezeAccount: call({
    method: 'POST',
    path: '/api/login/unfreezeAccount',
    access: 'open',
    effect: 'write',
    about:
      'Needs the password and a mailed code of purpose unfreeze; where a second factor is enrolled, the factor in the place of the code: the refusal LOGIN_FACTOR_REQUIRED names what to send. What the freeze paused stays paused.',
    request: z.strictObject({
      email,
      password,
      verificationCode: verificationCode.optional(),
      factorId: id.optional(),
      factor: secondFactor.optional(),
    }),
    reply: z.object({}),
  }),
  getMyOperatorReads: call({
    method: 'GET',
    path: '/api/user/getMyOperatorReads',
    access: 'user',
    effect: 'read',
    about: 'When an operator looked at the account, and why; newest first.',
    request: z.strictObject({}),
    reply: listOf(z.object({ operator: z.string(), reason: z.string(), time: timeMs })),
  }),
  myWallet: call({
    method: 'GET',
    path: '/api/user/myWallet',
    access: 'user',
    effect: 'read',
    about: "The user's wallet and its SOL.",
    request: z.strictObject({ chainId: chainId.optional() }),
    reply: z.object({ email: z.string(), avatar: z.string().optional(), walletInfo }),
  }),
  getMySessions: call({
    method: 'GET',
    path: '/api/user/getMySessions',
    access: 'user',
    effect: 'read',
    about: "The user's live sessions.",
    request: z.strictObject({}),
    reply: listOf(
      z.object({
        id: z.string(),
        createdAt: timeMs,
        lastSeenAt: timeMs,
        device: z.string(),
        address: z.string(),
        current: z.boolean(),
      }),
    ),
  }),
  revokeSession: call({
    method: 'POST',
    path: '/api/user/revokeSession',
    access: 'user',
    effect: 'write',
    about: "Ends one of the user's sessions.",
    request: z.strictObject({ id }),
    reply: z.object({}),
  }),
  changePassword: call({
    method: 'POST',
    path: '/api/user/changePassword',
    access: 'user',
    effect: 'write',
    about: 'Changes the password and ends all other sessions.',
    request: z.strictObject({ oldPassword: password, password, confirmPassword: password }),
    reply: z.object({}),
  }),
  exportKey: call({
    method: 'POST',
    path: '/api/user/exportKey',
    access: 'user',
    effect: 'write',
    about:
      'Shows the private key again: needs the password, a mailed code of purpose export and the second factor where one is enrolled; a passkey signs the id.',
    request: z.strictObject({
      password,
      verificationCode,
      id: id.optional(),
      factor: secondFactor.optional(),
      sealTo: sealTo.optional(),
    }),
    reply: z.object({ address: z.string(), privateKey: shownKey }),
  }),
  cancelKeyExport: call({
    method: 'POST',
    path: '/api/user/cancelKeyExport',
    access: 'user',
    effect: 'write',
    about: 'Cancels a key export that waits for its delay.',
    request: z.strictObject({}),
    reply: z.object({}),
  }),
  getMyInvites: call({
    method: 'GET',
    path: '/api/user/getMyInvites',
    access: 'user',
    effect: 'read',
    about:
      'Invite codes the user can share, who used them, and who invited the user; by the names that everybody sees.',
    request: z.strictObject({}),
    reply: listOf(
      z.object({
        code: z.string(),
        usesLeft: z.number().int(),
        usesTotal: z.number().int(),
        usedBy: z.array(z.object({ name: z.string(), time: timeMs })),
      }),
    ).extend({ invitedBy: z.string().nullable() }),
  }),
  getMyAuditLog: call({
    method: 'GET',
    path: '/api/user/getMyAuditLog',
    access: 'user',
    effect: 'read',
    about: 'Security events of the account, newest first.',
    request: z.strictObject({ cursor }),
    reply: cursorOf(z.object({ time: timeMs, event: z.string(), address: z.string(), detail: z.string() })),
  }),
  getMySettings: call({
    method: 'GET',
    path: '/api/user/getMySettings',
    access: 'user',
    effect: 'read',
    about: 'Trading preferences.',
    request: z.strictObject({}),
    reply: z.object({ slippageBps: z.number().int(), quietNotices: z.boolean() }),
  }),
  saveMySettings: call({
    method: 'POST',
    path: '/api/user/saveMySettings',
    access: 'user',
    effect: 'write',
    about: 'Saves trading preferences.',
    request: z.strictObject({
      slippageBps: slippageBps.optional(),
      quietNotices: z.boolean().optional(),
    }),
    reply: z.object({ slippageBps: z.number().int(), quietNotices: z.boolean() }),
  }),
};
