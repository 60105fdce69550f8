import { z } from 'zod';
import { call } from '../call.ts';
import {
  cursor,
  cursorOf,
  listOf,
  page,
  pageOf,
  percent,
  queryNumber,
  slug,
  sol,
  solAmount,
  solanaAddress,
  timeMs,
  tokens,
  tokensOrUnknown,
} from '../fields.ts';
import { allocationProof, follow, plannedBuy } from './follows.ts';
import { order } from './trading.ts';

/** Percent points with at most two decimals. */
const weight = z.string().regex(/^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/);
const targetCoins = z.array(z.strictObject({ tokenContractAddress: solanaAddress, weight })).max(20);
const durationRequest = z
  .strictObject({
    days: z.number().int().min(0).max(365),
    hours: z.number().int().min(0).max(23),
    minutes: z.number().int().min(0).max(59),
  })
  // An open-ended strategy has none: whoever sends zeros may have forgotten to fill them in.
  .refine(({ days, hours, minutes }) => days + hours + minutes > 0, { params: { reason: 'range' } });
const duration = z.object({ days: z.number().int(), hours: z.number().int(), minutes: z.number().int() });

export const strategyStatus = z.enum(['publishing', 'running', 'ending', 'ended']);
const coinRef = z.object({
  tokenContractAddress: z.string(),
  tokenSymbol: z.string(),
  tokenLogoUrl: z.string(),
  weight: z.string(),
});

/** What a new strategy still lacks to be ranked; `equity` cannot be made up for and has no count. */
const missingCondition = z.object({
  condition: z.enum(['trips', 'coins', 'hours', 'equity']),
  count: z.number().int().nullable(),
});
export const tier = z.enum(['ranked', 'new']);
export const offMarketReason = z.enum(['not-copyable', 'no-reference-price', 'off-price', 'own-trade']);

export const strategyCard = z.object({
  slug: z.string(),
  name: z.string(),
  creator: z.object({ name: z.string(), avatar: z.string().optional() }),
  yieldRate: percent,
  tier,
  /** Empty once it is ranked. */
  missing: z.array(missingCondition),
  /** Of the creator over all his strategies, in percent points; null before it was first computed. */
  score: percent,
  maxDrawdown: percent,
  /** Median return, by SOL × time, of follows of at least 0.1 SOL that lasted an hour; null with none. */
  followerReturn: percent,
  /** How many follows that median is of, and whether they are too few, by SOL × time, or the strategy too young to say much. */
  followerSample: z.number().int(),
  followerReturnEarly: z.boolean(),
  /** Of `closedTrades`: those sold completely, and those of which a part was sold with a loss in all, which counts as lost. */
  winRate: percent,
  closedTrades: z.number().int(),
  /** Further trades that are not sold, or not completely, and would end with a loss now; after the end those that left as tokens for less than they cost. */
  unsoldAtLoss: z.number().int(),
  followers: z.number().int(),
  copyTradeFunds: sol,
  capitalAmount: sol,
  publishTime: timeMs,
  endTime: timeMs.nullable(),
  /** Null for an open-ended strategy. */
  duration: duration.nullable(),
  autoClear: z.boolean(),
  coins: z.array(coinRef),
  trend: z.array(z.number()),
  status: strategyStatus,
  following: z.boolean(),
  mine: z.boolean(),
});

const strategyDetail = strategyCard.extend({
  description: z.string(),
  /** Only for its creator. */
  bookId: z.string().nullable(),
  equity: sol,
  freeSol: sol,
  /** How much more SOL could follow before the creator's stake bounds it or the expected gap passes 5 %; null after the end. */
  capacity: sol.nullable(),
  /** Yield minus median follower return, in percent points: what is above zero, followers missed. */
  gap: z
    .object({ total: z.string(), price: z.string(), fees: z.string(), skipped: z.string(), timing: z.string() })
    .nullable(),
  positions: z.array(
    coinRef.extend({
      /** Null, like the value, where the coin's pool cannot be read at the moment. */
      weight: z.string().nullable(),
      amount: tokensOrUnknown,
      cost: sol.nullable(),
      value: sol.nullable(),
      profit: sol.nullable(),
      profitPercent: percent,
    }),
  ),
  myFollow: follow.nullable(),
  rounds: z.array(
    z.object({
      time: timeMs,
      side: z.enum(['buy', 'sell']),
      tokenContractAddress: z.string(),
      tokenSymbol: z.string(),
      solAmount: sol,
      copied: z.number().int(),
      skipped: z.number().int(),
    }),
  ),
  /** The copies of the rounds above. */
  copies: z.object({
    filled: z.number().int(),
    skipped: z.number().int(),
    /** One of the skip reasons, the most frequent first. */
    reasons: z.array(z.object({ reason: z.string(), count: z.number().int() })),
  }),
  /** What the ranking sees: trips that count, at the worse of their own price and what others paid around them. */
  record: z.object({
    countedTrips: z.number().int(),
    wonTrips: z.number().int(),
    coins: z.number().int(),
    rankedYield: percent,
    offMarketTrips: z.number().int(),
    /** The latest of them. */
    offMarket: z.array(
      z.object({
        tokenContractAddress: z.string(),
        tokenSymbol: z.string(),
        openTime: timeMs,
        closeTime: timeMs.nullable(),
        reason: offMarketReason,
        /** A lost one counts as lost; any other does not count. */
        countsAsLost: z.boolean(),
      }),
    ),
  }),
  /** Its coins that the creator also holds outside of it, and since when. */
  creatorHoldings: z.array(
    z.object({
      tokenContractAddress: z.string(),
      tokenSymbol: z.string(),
      since: timeMs,
      where: z.enum(['personal', 'strategy', 'both']),
    }),
  ),
  /** The wallet on chain whose trades it repeats; null where its creator decides himself. */
  followsWallet: z.string().nullable(),
  verify: z.object({
    wallet: z.string(),
    /** A wallet of the strategy alone, or of earlier strategies the creator's personal one. */
    walletKind: z.enum(['personal', 'strategy']).optional(),
    publishTxHash: z.string().nullable(),
  }),
});

const creatorRecord = z.object({
  name: z.string(),
  since: timeMs,
  score: percent,
  countedTrips: z.number().int(),
  wonTrips: z.number().int(),
  followers: z.number().int(),
  copyTradeFunds: sol,
  ranked: z.number().int(),
  running: z.number().int(),
  ended: z.number().int(),
  /** Running ones first, then the latest; at most 100. `running` and `ended` count all. */
  strategies: z.array(strategyCard),
});

export const strategyCalls = {
  getStrategyList: call({
    method: 'GET',
    path: '/api/strategy/getStrategyList',
    access: 'open',
    effect: 'read',
    about: 'The strategy square; scopes created and followed need a session.',
    request: z.strictObject({
      scope: z.enum(['all', 'created', 'followed']).default('all'),
      status: z.enum(['all', 'running', 'ended']).default('all'),
      tier: z.enum(['all', 'ranked', 'new']).default('all'),
      sortBy: z
        .enum(['score', 'yield', 'followerReturn', 'funds', 'followers', 'newest', 'winRate'])
        .optional()
        .describe('By score for ranked strategies, else by yield. By score, ranked ones come before new ones.'),
      keyword: z.string().trim().max(100).default(''),
      ...page,
    }),
    reply: pageOf(strategyCard),
  }),
  getStrategyDetail: call({
    method: 'GET',
    path: '/api/strategy/getStrategyDetail',
    access: 'open',
    effect: 'read',
    about: 'One strategy with its figures, coins and last rounds.',
    request: z.strictObject({ slug }),
    reply: strategyDetail,
  }),
  getCreator: call({
    method: 'GET',
    path: '/api/strategy/getCreator',
    access: 'open',
    effect: 'read',
    about:
      'A creator with his record over all his strategies, and the newest 100 of them, running ones first, ended ones too.',
    request: z.strictObject({ name: z.string().trim().min(1).max(60) }),
    reply: creatorRecord,
  }),
  getStrategyYield: call({
    method: 'GET',
    path: '/api/strategy/getStrategyYield',
    access: 'open',
    effect: 'read',
    about: 'The unit NAV over time as yield in percent.',
    request: z.strictObject({ slug, range: z.enum(['24h', '7d', '30d', 'all']).default('all') }),
    reply: z.object({
      lists: z.array(z.object({ t: timeMs, yieldRate: z.string() })),
      followers: z.array(z.object({ t: timeMs, yieldRate: z.string() })),
    }),
  }),
  getStrategyTrades: call({
    method: 'GET',
    path: '/api/strategy/getStrategyTrades',
    access: 'open',
    effect: 'read',
    about: 'Every trade and flow of the strategy with its transaction hash: enough to recompute all figures.',
    request: z.strictObject({
      slug,
      cursor,
      limit: queryNumber(1, 500).default(50),
      proofs: z.literal('1').optional().describe('With it, rows have the proof of the creator’s part.'),
    }),
    reply: cursorOf(
      z.object({
        id: z.string(),
        time: timeMs,
        kind: z.enum(['trade', 'flow']),
        side: z.enum(['buy', 'sell', 'in', 'out']),
        tokenContractAddress: z.string().nullable(),
        tokenSymbol: z.string().nullable(),
        tokenAmount: tokens.nullable(),
        solAmount: sol,
        networkFee: sol,
        price: sol.nullable(),
        txHash: z.string().nullable(),
        /** Unit NAV after it. */
        nav: z.string(),
        /** The creator's own part of the swap, to be checked against its memo on chain; null where it was not asked for. */
        allocation: allocationProof.nullable().optional(),
      }),
    ),
  }),
  createStrategy: call({
    method: 'POST',
    path: '/api/strategy/create_strategy',
    access: 'user',
    effect: 'money',
    about: 'Moves capital into a new strategy, buys its coins and publishes it.',
    request: z.strictObject({
      name: z.string().trim().min(2).max(40),
      description: z.string().trim().max(500).default(''),
      capital: solAmount,
      coins: targetCoins.default([]),
      duration: durationRequest.optional(),
      autoClear: z.boolean(),
    }),
    reply: z.object({ slug: z.string(), bookId: z.string(), status: strategyStatus, orders: z.array(order) }),
  }),
  previewStrategy: call({
    method: 'POST',
    path: '/api/strategy/preview_strategy',
    access: 'user',
    effect: 'read',
    about: 'What publishing these coins with this capital would buy.',
    request: z.strictObject({ capital: solAmount, coins: targetCoins }),
    reply: z.object({ buys: z.array(plannedBuy), cost: sol, costPercent: percent }),
  }),
  rebalance: call({
    method: 'POST',
    path: '/api/strategy/rebalance',
    access: 'user',
    effect: 'money',
    about: 'Trades the strategy to new weights; followers take part in each round.',
    request: z.strictObject({ slug, coins: targetCoins }),
    reply: listOf(order).extend({
      refused: z.number().int().nonnegative().describe('Trades of the plan that could not be made.'),
      remaining: z.number().int().nonnegative().describe('Trades that are still to come after this answer.'),
    }),
  }),
  closeStrategy: call({
    method: 'POST',
    path: '/api/strategy/close_strategy',
    access: 'user',
    effect: 'money',
    about: 'Ends the strategy: with auto clear on everything is sold, else positions move to the personal books.',
    request: z.strictObject({ slug }),
    reply: z.object({ slug: z.string(), status: strategyStatus }),
  }),
};
