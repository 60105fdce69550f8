import { z } from 'zod';
import { call } from '../call.ts';
import { id, page, pageOf, password, sol, solAmount, solanaAddress, timeMs } from '../fields.ts';

export const withdrawalStatus = z.enum(['held', 'sent', 'confirmed', 'finalized', 'failed', 'cancelled']);

const withdrawal = z.object({
  id: z.string(),
  status: withdrawalStatus,
  toWallet: z.string(),
  amount: sol,
  txHash: z.string().nullable(),
  gasFee: sol.nullable(),
  createdAt: timeMs,
  /** Set while a large withdrawal to a new destination waits. */
  heldUntil: timeMs.nullable(),
});

export const treasuryCalls = {
  withdrawal: call({
    method: 'POST',
    path: '/api/user/withdrawal',
    access: 'user',
    effect: 'money',
    about: 'Sends free SOL of the personal book to another Solana wallet.',
    request: z.strictObject({ toWallet: solanaAddress, amount: solAmount, password }),
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
  getMyWithdrawals: call({
    method: 'GET',
    path: '/api/user/getMyWithdrawals',
    access: 'user',
    effect: 'read',
    about: "The user's withdrawals, newest first.",
    request: z.strictObject(page),
    reply: pageOf(withdrawal),
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
        /** Null for SOL. */
        tokenContractAddress: z.string().nullable(),
        tokenSymbol: z.string(),
        amount: z.string(),
        status: z.enum(['seen', 'finalized', 'orphaned']),
        txHash: z.string(),
        time: timeMs,
      }),
    ),
  }),
};
