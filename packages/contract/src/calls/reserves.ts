import { z } from 'zod';
import { call } from '../call.ts';
import { cursor, id, listOf, queryNumber, solanaAddress, timeMs, tokens } from '../fields.ts';

const asset = z.object({
  /** Null for SOL. */
  tokenContractAddress: solanaAddress.nullable(),
  tokenSymbol: z.string(),
});
const walletKind = z.enum(['personal', 'strategy']);

/** In units of the token; null where its decimals are not known. */
const amount = tokens.nullable();
const amounts = { owed: amount, onChain: amount };

export const reserveCalls = {
  getReserves: call({
    method: 'GET',
    path: '/api/reserves',
    access: 'open',
    effect: 'read',
    about: 'The newest proof of reserves: per asset what is owed to users and what is on chain. Null before the first.',
    request: z.strictObject({}),
    reply: z.object({
      snapshot: z
        .object({
          id,
          time: timeMs,
          slot: z.string(),
          assets: z.array(
            asset.extend({
              kind: walletKind,
              ...amounts,
              /** Of what is owed, what wallets that have a transaction under way are short of. */
              inTransit: amount,
              /** Sent by strangers to strategy wallets; nobody's. */
              unassigned: amount,
              /** Of the sum tree over the books in strategy wallets; null for personal ones, which are listed by address. */
              root: z.string().nullable(),
              /** In base units. */
              sum: z.string().nullable(),
              /** What is on chain and in transit is at least what is owed and unassigned. */
              covered: z.boolean(),
            }),
          ),
          /** Transactions on their way meanwhile, which explain what is in transit. */
          inFlight: z.array(z.string()),
        })
        .nullable(),
    }),
  }),
  getReserveWallets: call({
    method: 'GET',
    path: '/api/reserves/wallets',
    access: 'open',
    effect: 'read',
    about: 'The wallets of the newest proof of reserves, in the order of their addresses.',
    request: z.strictObject({ cursor, limit: queryNumber(1, 100).default(20) }),
    reply: listOf(asset.extend({ address: z.string(), kind: walletKind, ...amounts })).extend({
      nextCursor: z.string().nullable(),
    }),
  }),
  getMyReserveProofs: call({
    method: 'GET',
    path: '/api/user/getMyReserveProofs',
    access: 'user',
    effect: 'read',
    about: "The caller's own leaves in the newest proof of reserves, with their paths. Amounts are base units.",
    request: z.strictObject({}),
    reply: listOf(
      asset.extend({
        snapshotId: id,
        bookId: id,
        bookName: z.string(),
        amount: z.string(),
        shownAmount: amount,
        salt: z.string(),
        index: z.number().int(),
        path: z.array(z.object({ hash: z.string(), sum: z.string(), side: z.enum(['left', 'right']) })),
        root: z.string(),
        sum: z.string(),
      }),
    ),
  }),
};
