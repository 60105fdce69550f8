import { z } from 'zod';
import { call } from '../call.ts';
import { cursor, cursorOf, listOf, percent, side, sol, solAmount, solanaAddress, timeMs, tokens } from '../fields.ts';

const percentPoints = z.string().regex(/^\d{1,5}(\.\d{1,2})?$/);
const name = z.string().trim().min(1).max(32);

/** Chosen by the follower; what is left out has its default. */
const settingsRequest = z.strictObject({
  size: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('fixed'), amount: solAmount }),
      z.strictObject({ kind: z.literal('share'), share: percentPoints }),
    ])
    .optional(),
  copies: z.enum(['both', 'buys', 'sells']).optional(),
  buyMin: solAmount.nullable().optional(),
  buyMax: solAmount.nullable().optional(),
  firstBuyOnly: z.boolean().optional(),
  excludedTokens: z.array(solanaAddress).max(50).optional(),
  excludedHours: z.array(z.number().int().min(0).max(23)).max(24).optional().describe('Hours of the day in UTC.'),
  transfersAreExits: z.boolean().optional().describe('Tokens that the wallet transfers away count as sold.'),
  capPerTrade: solAmount.nullable().optional(),
  capPerToken: solAmount.nullable().optional(),
  maxGap: percentPoints.optional().describe('How far above the price of the wallet a copy may buy; 0.5 to 20.'),
  waitMinutes: z
    .number()
    .int()
    .min(0)
    .max(30)
    .optional()
    .describe('A copy that missed its price waits this long for it.'),
  runUpLimit: percentPoints.optional(),
  coinCap: percentPoints.nullable().optional(),
});
const settings = z.object({
  size: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('fixed'), amount: sol }),
    z.object({ kind: z.literal('share'), share: z.string() }),
  ]),
  copies: z.enum(['both', 'buys', 'sells']),
  buyMin: sol.nullable(),
  buyMax: sol.nullable(),
  firstBuyOnly: z.boolean(),
  excludedTokens: z.array(z.string()),
  excludedHours: z.array(z.number().int()),
  transfersAreExits: z.boolean(),
  capPerTrade: sol.nullable(),
  capPerToken: sol.nullable(),
  maxGap: z.string(),
  waitMinutes: z.number().int(),
  runUpLimit: z.string(),
  coinCap: percent,
});

const walletFollow = z.object({
  id: z.string(),
  address: z.string(),
  name: z.string(),
  bookId: z.string(),
  /** The strategy that is run this way; null for a book of one's own. */
  strategy: z.object({ slug: z.string(), name: z.string() }).nullable(),
  paused: z.boolean(),
  settings,
  amount: sol,
  equity: sol.nullable(),
  pnl: sol.nullable(),
  changeRate: percent,
  startTime: timeMs,
  endTime: timeMs.nullable(),
  copied: z.number().int(),
  skipped: z.number().int(),
  /** Of what the wallet traded since, by SOL, what was copied. */
  copiedShare: percent,
  medianDelayMs: z.number().int().nullable(),
  medianDelaySlots: z.number().int().nullable(),
  /** How much worse than the wallet's the own prices were; negative where better. */
  medianGap: percent,
});

const receipt = z.object({
  id: z.string(),
  tokenContractAddress: z.string(),
  tokenSymbol: z.string(),
  side,
  /** Of the wallet. */
  time: timeMs,
  solAmount: sol,
  tokenAmount: tokens.nullable(),
  price: sol.nullable(),
  txHash: z.string(),
  state: z.enum(['planned', 'waiting', 'done', 'skipped']),
  reason: z.string().nullable(),
  /** Of the copy. */
  ownSolAmount: sol.nullable(),
  ownTokenAmount: tokens.nullable(),
  ownPrice: sol.nullable(),
  ownTxHash: z.string().nullable(),
  delayMs: z.number().int().nullable(),
  delaySlots: z.number().int().nullable(),
  gap: percent,
});

/** A wallet followed without money; replayed while it runs, kept as it was once it has ended. */
const paperWalletFollow = walletFollow
  .pick({ id: true, address: true, name: true, amount: true, settings: true, startTime: true, endTime: true })
  .extend({
    equity: sol,
    pnl: sol,
    changeRate: percent,
    walletChangeRate: percent,
    copied: z.number().int(),
    skipped: z.number().int(),
    replayedSince: timeMs
      .nullable()
      .describe('Set where the wallet traded too often since the start to replay it all: the oldest trade that was.'),
  });

export const walletFollowCalls = {
  previewWalletFollow: call({
    method: 'GET',
    path: '/api/wallet/previewFollow',
    access: 'open',
    effect: 'read',
    about: 'How much of what a wallet bought lately could have been bought after it within a price limit.',
    request: z.strictObject({ address: solanaAddress, maxGap: percentPoints.default('3') }),
    reply: z.object({
      /** Buys of the last 7 days, at most 200. */
      buys: z.number().int(),
      copyable: z.number().int(),
      copyableShare: percent,
      /** How much the price had risen a delay later. */
      medianGap: percent,
      delayMs: z.number().int(),
    }),
  }),
  simulateWalletFollow: call({
    method: 'POST',
    path: '/api/wallet/simulate_follow',
    access: 'open',
    effect: 'read',
    about:
      'What following a wallet since a past moment would have become, replayed over its real trades with limits and costs. Pools are taken to have been as deep as they are now.',
    request: z.strictObject({
      address: solanaAddress,
      amount: solAmount,
      since: timeMs.optional().describe('Seven days ago where left out; at most 30 days ago.'),
      settings: settingsRequest.default({}),
    }),
    reply: z.object({
      address: z.string(),
      amount: sol,
      /** From when it was replayed; later than asked for where the wallet traded more than can be replayed. */
      since: timeMs,
      until: timeMs,
      equity: sol,
      pnl: sol,
      changeRate: percent,
      /** What the wallet made of the same trades, in percent of the most SOL that it had in them at once. */
      walletChangeRate: percent,
      networkFees: sol,
      trades: z.number().int(),
      copied: z.number().int(),
      limited: z.number().int(),
      skipped: z.number().int(),
      reasons: z.array(z.object({ reason: z.string(), count: z.number().int() })),
      lists: z.array(z.object({ t: timeMs, changeRate: z.string() })),
      wallet: z.array(z.object({ t: timeMs, changeRate: z.string() })),
      delayMs: z.number().int(),
    }),
  }),
  followWallet: call({
    method: 'POST',
    path: '/api/wallet/follow_wallet',
    access: 'user',
    effect: 'money',
    about: 'Repeats the trades of a wallet in a book of one’s own, or in the own strategy given by `slug`.',
    request: z.strictObject({
      address: solanaAddress,
      name,
      amount: solAmount.optional().describe('Moved from the personal book; not with `slug`.'),
      slug: z.string().trim().min(1).max(80).optional(),
      settings: settingsRequest.default({}),
    }),
    reply: walletFollow,
  }),
  updateWalletFollow: call({
    method: 'POST',
    path: '/api/wallet/update_wallet_follow',
    access: 'user',
    effect: 'write',
    about: 'Pauses or resumes buying, renames it, or changes its settings.',
    request: z.strictObject({
      id: z.uuid(),
      paused: z.boolean().optional(),
      name: name.optional(),
      settings: settingsRequest.default({}),
    }),
    reply: walletFollow,
  }),
  endWalletFollow: call({
    method: 'POST',
    path: '/api/wallet/end_wallet_follow',
    access: 'user',
    effect: 'money',
    about: 'Ends it: SOL and tokens of its book move to the personal book, nothing is sold.',
    request: z.strictObject({ id: z.uuid() }),
    reply: walletFollow,
  }),
  getMyWalletFollows: call({
    method: 'GET',
    path: '/api/wallet/getMyWalletFollows',
    access: 'user',
    effect: 'read',
    about: 'Wallets the user follows, running ones first.',
    request: z.strictObject({}),
    reply: listOf(walletFollow),
  }),
  getWalletFollowReceipts: call({
    method: 'GET',
    path: '/api/wallet/getWalletFollowReceipts',
    access: 'user',
    effect: 'read',
    about:
      'Every trade of the wallet since the follow began: copied, with delay and price gap, or skipped, with the reason.',
    request: z.strictObject({ id: z.uuid(), cursor }),
    reply: cursorOf(receipt),
  }),
  startPaperWalletFollow: call({
    method: 'POST',
    path: '/api/wallet/startPaperWalletFollow',
    access: 'user',
    effect: 'write',
    about: 'Follows a wallet from now on without money.',
    request: z.strictObject({ address: solanaAddress, name, amount: solAmount, settings: settingsRequest.default({}) }),
    reply: paperWalletFollow,
  }),
  endPaperWalletFollow: call({
    method: 'POST',
    path: '/api/wallet/endPaperWalletFollow',
    access: 'user',
    effect: 'write',
    about: 'Ends it; its result stays in the list.',
    request: z.strictObject({ id: z.uuid() }),
    reply: paperWalletFollow,
  }),
  getMyPaperWalletFollows: call({
    method: 'GET',
    path: '/api/wallet/getMyPaperWalletFollows',
    access: 'user',
    effect: 'read',
    about: 'Wallets the user follows without money, running ones first.',
    request: z.strictObject({}),
    reply: listOf(paperWalletFollow),
  }),
};
