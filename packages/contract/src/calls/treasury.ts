import { z } from 'zod';
import { call } from '../call.ts';
import {
  id,
  linkToken,
  listOf,
  page,
  pageOf,
  password,
  positiveDecimal,
  sol,
  keptAddress,
  solanaAddress,
  solAmount,
  timeMs,
} from '../fields.ts';
import { secondFactor } from './second-factor.ts';

/**
 * `requested`: being checked and signed. `held`: waits until `heldUntil` and can be canceled. `resending`: the network dropped
 * it, so it is signed again.
 */
export const withdrawalStatus = z.enum([
  'requested',
  'held',
  'resending',
  'sent',
  'confirmed',
  'finalized',
  'failed',
  'cancelled',
]);

/** Why a withdrawal waits. */
export const holdReason = z.enum([
  'password-changed',
  'new-address',
  'new-address-token',
  'own-delay',
  'many-withdrawals',
]);

const asset = {
  /** Null for SOL. */
  tokenContractAddress: z.string().nullable(),
  tokenSymbol: z.string(),
};

const withdrawal = z.object({
  id: z.string(),
  status: withdrawalStatus,
  toWallet: z.string(),
  /** From the address book. */
  label: z.string().nullable(),
  ...asset,
  /** In SOL or tokens. */
  amount: z.string(),
  txHash: z.string().nullable(),
  gasFee: sol.nullable(),
  /** What the token account of the destination locks up; null where none has to be made. */
  accountRent: sol.nullable(),
  /** The rent may turn out lower, as in a quote. */
  accountRentIsMaximum: z.boolean(),
  createdAt: timeMs,
  /** Set while it waits. */
  heldUntil: timeMs.nullable(),
  holdReason: holdReason.nullable(),
});

const intent = { toWallet: solanaAddress, amount: positiveDecimal, tokenContractAddress: solanaAddress.optional() };

const label = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[\p{L}\p{N}\p{P}\p{S} ]+$/u);

const limits = z.object({
  /** SOL that may leave in 24 hours; null where the owner set none. */
  dailySol: sol.nullable(),
  /** Whether every withdrawal to a new address waits for 24 hours. */
  delaysNew: z.boolean(),
});

const withdrawalLimits = z.object({
  now: limits,
  /** A raise that has been asked for. */
  next: limits.extend({ from: timeMs }).nullable(),
  /** Nobody's daily limit is higher. */
  dailySolMax: sol,
  /** From this amount on a withdrawal to a new address waits. */
  largeSol: sol,
});

export const treasuryCalls = {
  reviewWithdrawal: call({
    method: 'POST',
    path: '/api/user/reviewWithdrawal',
    access: 'user',
    effect: 'read',
    about: 'What a withdrawal would cost, whether it would wait and why; moves nothing.',
    request: z.strictObject(intent),
    reply: z.object({
      /** For the withdrawal itself: a passkey signs it. */
      id: z.string(),
      toWallet: z.string(),
      ...asset,
      amount: z.string(),
      /** The amount as an integer. */
      baseUnits: z.string(),
      fee: sol,
      accountRent: sol.nullable(),
      accountRentIsMaximum: z.boolean(),
      /** No withdrawal of this user has arrived there yet. */
      firstUse: z.boolean(),
      label: z.string().nullable(),
      heldUntil: timeMs.nullable(),
      holdReason: holdReason.nullable(),
      warnings: z.array(z.enum(['first-use', 'transfer-fee', 'new-account'])),
      factors: z.array(z.enum(['totp', 'passkey'])),
    }),
  }),
  withdrawal: call({
    method: 'POST',
    path: '/api/user/withdrawal',
    access: 'user',
    effect: 'money',
    about: 'Sends free SOL or tokens of the personal book to another Solana wallet.',
    request: z.strictObject({ ...intent, password, id: id.optional(), factor: secondFactor.optional() }),
    reply: withdrawal,
  }),
  cancelWithdrawal: call({
    method: 'POST',
    path: '/api/user/cancelWithdrawal',
    access: 'user',
    effect: 'write',
    about: 'Cancels a withdrawal that has not been signed yet.',
    request: z.strictObject({ id }),
    reply: withdrawal,
  }),
  getMailedWithdrawal: call({
    method: 'POST',
    path: '/api/login/getMailedWithdrawal',
    access: 'open',
    effect: 'read',
    about: 'The held withdrawal that the token of a link from a mail would cancel; changes nothing.',
    request: z.strictObject({ token: linkToken }),
    reply: withdrawal,
  }),
  cancelMailedWithdrawal: call({
    method: 'POST',
    path: '/api/login/cancelMailedWithdrawal',
    access: 'open',
    effect: 'write',
    about: 'Cancels a held withdrawal with the token of a link from a mail.',
    request: z.strictObject({ token: linkToken }),
    reply: withdrawal,
  }),
  getMyWithdrawals: call({
    method: 'GET',
    path: '/api/user/getMyWithdrawals',
    access: 'user',
    effect: 'read',
    about: "The user's withdrawals, newest first.",
    request: z.strictObject(page),
    reply: pageOf(withdrawal),
  }),
  getMyWithdrawalAddresses: call({
    method: 'GET',
    path: '/api/user/getMyWithdrawalAddresses',
    access: 'user',
    effect: 'read',
    about: 'The address book, by label.',
    request: z.strictObject({}),
    reply: listOf(z.object({ toWallet: z.string(), label: z.string(), usedBefore: z.boolean(), changedAt: timeMs })),
  }),
  saveWithdrawalAddress: call({
    method: 'POST',
    path: '/api/user/saveWithdrawalAddress',
    access: 'user',
    effect: 'write',
    about: 'Adds an address to the address book or renames it; the user is mailed.',
    request: z.strictObject({ toWallet: solanaAddress, label }),
    reply: z.object({}),
  }),
  removeWithdrawalAddress: call({
    method: 'POST',
    path: '/api/user/removeWithdrawalAddress',
    access: 'user',
    effect: 'write',
    about: 'Removes an address from the address book.',
    request: z.strictObject({ toWallet: keptAddress }),
    reply: z.object({}),
  }),
  getMyWithdrawalLimits: call({
    method: 'GET',
    path: '/api/user/getMyWithdrawalLimits',
    access: 'user',
    effect: 'read',
    about: 'The limits for withdrawals that the user chose.',
    request: z.strictObject({}),
    reply: withdrawalLimits,
  }),
  saveMyWithdrawalLimits: call({
    method: 'POST',
    path: '/api/user/saveMyWithdrawalLimits',
    access: 'user',
    effect: 'write',
    about:
      'Lower limits hold at once, higher ones after 24 hours; both need the password. To save what holds already cancels a raise and needs none.',
    request: z.strictObject({
      dailySol: solAmount.nullable(),
      delaysNew: z.boolean(),
      password: password.optional(),
    }),
    reply: withdrawalLimits,
  }),
  getMyDeposits: call({
    method: 'GET',
    path: '/api/user/getMyDeposits',
    access: 'user',
    effect: 'read',
    about: "Deposits into the user's wallet, newest first.",
    request: z.strictObject(page),
    reply: pageOf(
      z.object({
        id: z.string(),
        ...asset,
        amount: z.string(),
        status: z.enum(['seen', 'finalized', 'orphaned']),
        txHash: z.string(),
        time: timeMs,
      }),
    ),
  }),
};
