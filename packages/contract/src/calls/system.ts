import { z } from 'zod';
import { call } from '../call.ts';
import { email, listOf, sol, solAmount, timeMs } from '../fields.ts';

export const systemCalls = {
  getConfig: call({
    method: 'GET',
    path: '/api/config',
    access: 'open',
    effect: 'read',
    about: 'What the interface must know about this installation.',
    request: z.strictObject({}),
    reply: z.object({
      mode: z.enum(['local', 'production']),
      chainId: z.enum(['501', '501_1']),
      simulatedMarket: z.boolean(),
      /** Only in local mode. */
      inviteCode: z.string().nullable(),
      mailboxPath: z.string().nullable(),
      /** Where hashes and addresses lead, with `{kind}` (`tx` or `address`) and `{id}`; null for the pages of the product itself. */
      explorerUrl: z.string().nullable(),
      defaultSlippageBps: z.number().int(),
      maxSlippageBps: z.number().int(),
    }),
  }),
  faucet: call({
    method: 'POST',
    path: '/api/dev/faucet',
    access: 'user',
    localOnly: true,
    effect: 'money',
    about: "Drops up to 10 SOL into the caller's wallet, as a real deposit on chain.",
    request: z.strictObject({ amount: solAmount }),
    reply: z.object({ txHash: z.string(), amount: sol }),
  }),
  mailbox: call({
    method: 'GET',
    path: '/api/dev/mailbox',
    access: 'open',
    localOnly: true,
    effect: 'read',
    about: 'Mails sent to an address, newest first.',
    request: z.strictObject({ email }),
    reply: listOf(z.object({ subject: z.string(), text: z.string(), code: z.string().nullable(), sentAt: timeMs })),
  }),
};
