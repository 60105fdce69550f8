import { z } from 'zod';
import { call } from '../call.ts';
import {
  cursor,
  cursorOf,
  page,
  pageOf,
  percent,
  slug,
  sol,
  solAmount,
  timeMs,
  tokens,
  tokensOrUnknown,
  usd,
} from '../fields.ts';

export const multiplier = z.string().regex(/^\d{1,3}(\.\d{1,2})?$/);
export const followMode = z.enum(['sol', 'position']);
export const followStatus = z.enum(['opening', 'active', 'closing', 'closed']);

/** Percent points with at most two decimals; null is off, or for the coin cap the creator's own weights. */
const percentPoints = z.string().regex(/^\d{1,5}(\.\d{1,2})?$/);
export const protection = z.object({
  runUpLimit: z.string(),
  coinCap: percent,
  capPerTrade: sol.nullable(),
  stopLoss: percent,
  takeProfit: percent,
});
export const protectionRequest = z.strictObject({
  runUpLimit: percentPoints
    .optional()
    .describe('What may be paid above the reference price per coin and day; 1 to 10.'),
  coinCap: percentPoints
    .nullable()
    .optional()
    .describe('The largest part of the follow in one coin; null as the creator.'),
  capPerTrade: solAmount.nullable().optional(),
  stopLoss: percentPoints.nullable().optional().describe('Ends the follow after this loss; 5 to 95, null is off.'),
  takeProfit: percentPoints.nullable().optional().describe('Ends the follow after this gain; from 5, null is off.'),
});

export const follow = z.object({
  id: z.string(),
  slug: z.string(),
  strategyName: z.string(),
  mode: followMode,
  status: followStatus,
  amount: sol,
  multiplier: z.string(),
  bookId: z.string(),
  equity: sol.nullable(),
  pnl: sol.nullable(),
  changeRate: percent,
  openTime: timeMs,
  closeTime: timeMs.nullable(),
  /** Progress of opening or closing: positions done and to do. */
  progress: z.object({ done: z.number().int(), total: z.number().int() }),
  paused: z.boolean(),
  protection,
  /** Why it is closing or closed. */
  closedBy: z.enum(['follower', 'stop-loss', 'take-profit', 'strategy-end']).nullable(),
  /** Coins of the strategy that joining could not buy, or not wholly, with the skip reason; tried again until `joinUntil`. */
  notBought: z.array(z.object({ tokenContractAddress: z.string(), tokenSymbol: z.string(), reason: z.string() })),
  joinUntil: timeMs.nullable(),
});

const receipt = z.object({
  id: z.string(),
  time: timeMs,
  kind: z.enum(['fill', 'skip', 'pending']),
  side: z.enum(['buy', 'sell']),
  tokenContractAddress: z.string(),
  tokenSymbol: z.string(),
  /** For fills. */
  tokenAmount: tokens.nullable(),
  solAmount: sol.nullable(),
  price: sol.nullable(),
  creatorPrice: sol.nullable(),
  /** Percent between the two prices; "0" in a round. */
  priceGap: z.string().nullable(),
  /** Percent of the wanted size, where a limit or the round made it smaller. */
  scaled: percent,
  /** The limit that made it smaller, one of the skip reasons. */
  limitedBy: z.string().nullable(),
  txHash: z.string().nullable(),
  /** For skips, one of the skip reasons. */
  reason: z.string().nullable(),
});

export const plannedBuy = z.object({
  tokenContractAddress: z.string(),
  tokenSymbol: z.string(),
  solAmount: sol,
  expectedTokens: tokensOrUnknown,
  price: sol.nullable(),
  priceImpact: z.string(),
  skip: z.string().nullable(),
  /** The limit that made it smaller, one of the skip reasons. */
  limitedBy: z.string().nullable(),
});

/** One allocation of a round with its path to the memo on chain. Bytes are base64url, amounts base units. */
export const allocationProof = z.object({
  wallet: z.string(),
  roundId: z.string(),
  attempt: z.number().int(),
  side: z.enum(['buy', 'sell']),
  mint: z.string(),
  followId: z.string(),
  salt: z.string(),
  amountIn: z.string(),
  reason: z.number().int(),
  count: z.number().int(),
  index: z.number().int(),
  path: z.array(z.object({ hash: z.string(), sum: z.string(), side: z.enum(['left', 'right']) })),
});

export const followCalls = {
  followStrategy: call({
    method: 'POST',
    path: '/api/strategy/follow_strategy',
    access: 'user',
    effect: 'money',
    about: 'Follows a strategy with SOL, by SOL count or by position.',
    request: z.strictObject({
      slug,
      mode: followMode,
      amount: solAmount,
      multiplier: multiplier.default('1'),
      protection: protectionRequest.default({}),
    }),
    reply: follow,
  }),
  changeFollowFunds: call({
    method: 'POST',
    path: '/api/strategy/change_follow_funds',
    access: 'user',
    effect: 'money',
    about: 'Adds SOL to a follow, or takes some out: free SOL first, then the same fraction of every coin is sold.',
    request: z.strictObject({ slug, action: z.enum(['add', 'reduce']), amount: solAmount }),
    reply: follow,
  }),
  updateFollow: call({
    method: 'POST',
    path: '/api/strategy/update_follow',
    access: 'user',
    effect: 'write',
    about: "Pauses or resumes copying the creator's purchases, and changes the follow's protection.",
    request: z.strictObject({ slug, paused: z.boolean().optional(), protection: protectionRequest.default({}) }),
    reply: follow,
  }),
  cancelFollow: call({
    method: 'POST',
    path: '/api/strategy/cancel_follow',
    access: 'user',
    effect: 'money',
    about:
      'Ends a follow: sells all of its tokens and returns the SOL to the personal book; with inKind the tokens themselves, where they are worth the cost of sending.',
    request: z.strictObject({ slug, inKind: z.boolean().default(false) }),
    reply: follow,
  }),
  previewFollow: call({
    method: 'POST',
    path: '/api/strategy/preview_follow',
    access: 'open',
    effect: 'read',
    about: 'What following now would buy, at which price and cost.',
    request: z.strictObject({ slug, mode: followMode, amount: solAmount, protection: protectionRequest.default({}) }),
    reply: z.object({
      buys: z.array(plannedBuy),
      staysSol: sol,
      cost: sol,
      costPercent: percent,
      smallestSensible: sol,
      ifCancelledNow: sol,
    }),
  }),
  previewCancel: call({
    method: 'POST',
    path: '/api/strategy/preview_cancel',
    access: 'user',
    effect: 'read',
    about: 'What cancelling now would return, coin by coin.',
    request: z.strictObject({ slug }),
    reply: z.object({
      coins: z.array(
        z.object({
          tokenContractAddress: z.string(),
          tokenSymbol: z.string(),
          amount: tokensOrUnknown,
          expectedSol: sol,
          priceImpact: z.string(),
        }),
      ),
      freeSol: sol,
      total: sol,
      /** Null while the price of SOL is not known. */
      totalUsd: usd.nullable(),
    }),
  }),
  getMyFollows: call({
    method: 'GET',
    path: '/api/strategy/getMyFollows',
    access: 'user',
    effect: 'read',
    about: "The user's follows with their equity, active ones first.",
    request: z.strictObject(page),
    reply: pageOf(follow),
  }),
  getCopyReceipts: call({
    method: 'GET',
    path: '/api/strategy/getCopyReceipts',
    access: 'user',
    effect: 'read',
    about: "Every copied trade of the user's follow as a fill or a skip with its reason.",
    request: z.strictObject({ slug, cursor }),
    reply: cursorOf(receipt),
  }),
  getCopyProof: call({
    method: 'GET',
    path: '/api/strategy/getCopyProof',
    access: 'user',
    effect: 'read',
    about: "The user's own part of an executed round, with its path to the memo on chain.",
    request: z.strictObject({ slug, id: z.uuid().describe('Of the receipt.') }),
    reply: allocationProof.extend({ txHash: z.string() }),
  }),
};
