import { z } from 'zod';
import { CANDLE_INTERVALS } from '@hunter/domain/market/candle-interval';
import { call } from '../call.ts';
import {
  chainId,
  countOrUnknown,
  cursor,
  cursorOf,
  listOf,
  page,
  pageOf,
  percent,
  queryNumber,
  side,
  sol,
  solanaAddress,
  timeMs,
  tokens,
  usd,
  usdOrUnknown,
} from '../fields.ts';

export const tokenListItem = z.object({
  tokenContractAddress: z.string(),
  tokenLogoUrl: z.string(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  price: usd,
  /** Percent over 24 hours. */
  change: percent,
  marketCap: usd,
  liquidity: usd,
  holders: z.number().int(),
});

/** `unknown` means it could not be read; it is never shown as safe. */
export const badgeLevel = z.enum(['ok', 'warn', 'danger', 'unknown']);
export const safetyBadge = z.object({
  key: z.enum([
    'mint-authority',
    'freeze-authority',
    'top-10-share',
    'dev-share',
    'extensions',
    'age',
    'liquidity',
    'name',
  ]),
  level: badgeLevel,
  /** The figure or finding behind the level, e.g. "14.2" for a share in percent, or an extension's name. */
  value: z.string().nullable(),
});

const hotToken = tokenListItem.extend({
  volume: usdOrUnknown,
  /** Percent over the chosen period. */
  periodChange: percent,
  change1h: percent,
  trend: z.array(z.number()),
  supply: tokens,
  risk: badgeLevel,
  createdAt: timeMs,
});

export const klineInterval = z.enum(CANDLE_INTERVALS);

export const candle = z.object({
  t: timeMs,
  /** Dollars. Each candle opens at the close before it, which its high and low include. */
  o: z.string(),
  h: z.string(),
  l: z.string(),
  c: z.string(),
  /** Volume in tokens and in dollars. */
  v: z.string(),
  vUsd: z.string(),
  /** The close in SOL; null where the trade is not known any more. */
  cSol: z.string().nullable(),
  closed: z.boolean(),
});

export const tokenTrade = z.object({
  id: z.string(),
  time: timeMs,
  side,
  price: usd,
  priceSol: sol,
  tokenAmount: tokens,
  solAmount: sol,
  valueUsd: usd,
  wallet: z.string(),
  txHash: z.string(),
  /** Of the caller's own trades. */
  bookId: z.string().optional(),
});

export const noticeTrigger = z.enum(['proven-wallets', 'volume-surge', 'breakout', 'creator-buy']);
export const noticeGrade = z.enum(['gold', 'silver', 'bronze', 'flat', 'dead']);
export const notice = z.object({
  id: z.string(),
  tokenContractAddress: z.string(),
  tokenSymbol: z.string(),
  tokenLogoUrl: z.string(),
  trigger: noticeTrigger,
  time: timeMs,
  priceAtAlert: usd,
  marketCapAtAlert: usd,
  multipleNow: z.string(),
  multiplePeak: z.string(),
  grade1h: noticeGrade.nullable(),
  grade24h: noticeGrade.nullable(),
  detail: z.string(),
});
const hitRate = z.object({
  trigger: noticeTrigger,
  graded: z.number().int(),
  gold: z.number().int(),
  silver: z.number().int(),
  bronze: z.number().int(),
  dead: z.number().int(),
  /** Percent of graded notices that reached bronze or better within 24 hours. */
  hitRate: percent,
});

const MINTS_MAX = 50;
/** Addresses separated by commas. */
const mints = z
  .string()
  .max(MINTS_MAX * 45)
  .transform((text) => text.split(','))
  .pipe(z.array(solanaAddress).min(1).max(MINTS_MAX));

export const marketCalls = {
  getTokenList: call({
    method: 'GET',
    path: '/api/token/getTokenList',
    access: 'open',
    effect: 'read',
    about: 'Searches tokens by name, symbol or address.',
    request: z.strictObject({
      keyword: z.string().trim().max(100).default(''),
      chainId: chainId.optional(),
      ...page,
      pageSize: queryNumber(1, 100).default(15),
    }),
    reply: pageOf(tokenListItem),
  }),
  getTokenHotList: call({
    method: 'GET',
    path: '/api/token/getTokenHotList',
    access: 'open',
    effect: 'read',
    about: 'The liveliest tokens of a period.',
    request: z.strictObject({
      chainId: chainId.optional(),
      period: z.enum(['5m', '1h', '4h', '24h']).default('24h'),
      sortBy: z.enum(['score', 'volume', 'change', 'holders', 'newest']).default('score'),
      limit: queryNumber(1, 100).default(50),
    }),
    reply: listOf(hotToken),
  }),
  getTokenBaseInfo: call({
    method: 'GET',
    path: '/api/token/getTokenBaseInfo',
    access: 'open',
    effect: 'read',
    about: 'A token with its market info and safety badges.',
    request: z.strictObject({ tokenContractAddress: solanaAddress, chainId: chainId.optional() }),
    reply: z.object({
      token: hotToken.extend({
        decimals: z.number().int(),
        priceSol: sol,
        creator: z.string().nullable(),
        /** Percent since the first trade; null where the launch was not recorded. */
        sinceLaunch: percent,
      }),
      market: z.object({
        holders: z.number().int(),
        /** Of the last 24 hours. */
        tradeCount: countOrUnknown,
        tradeVolume: usdOrUnknown,
        buyCount: countOrUnknown,
        sellCount: countOrUnknown,
      }),
      safety: z.object({
        checkedAt: timeMs.nullable(),
        badges: z.array(safetyBadge),
        /** Taken from every transfer, also when it is bought or sold; null without one, and where the mint was not read. */
        transferTax: z.object({ percent: z.string(), canChange: z.boolean() }).nullable(),
      }),
    }),
  }),
  getTokenTransactionData: call({
    method: 'GET',
    path: '/api/token/getTokenTransactionData',
    access: 'open',
    effect: 'read',
    about:
      "Trades of a token, newest first; type=mine needs a session and gives what the caller's own books gave and got.",
    request: z.strictObject({
      tokenContractAddress: solanaAddress,
      chainId: chainId.optional(),
      type: z.enum(['all', 'mine']).default('all'),
      cursor,
      limit: queryNumber(1, 200).default(50),
    }),
    reply: cursorOf(tokenTrade),
  }),
  getTokenHolders: call({
    method: 'GET',
    path: '/api/token/getTokenHolders',
    access: 'open',
    effect: 'read',
    about: 'The largest holders of a token.',
    request: z.strictObject({
      tokenContractAddress: solanaAddress,
      chainId: chainId.optional(),
      limit: queryNumber(1, 100).default(50),
      /** By what they hold, or by what they made on this token: realized, and unrealized of what they hold. */
      sortBy: z.enum(['amount', 'profit']).default('amount'),
    }),
    reply: z.object({
      lists: z.array(
        z.object({
          address: z.string(),
          amount: tokens,
          percent: z.string(),
          /** From the wallet's trades at average cost; null for a pool, and where nothing it holds was bought. */
          realizedProfit: sol.nullable(),
          unrealizedProfit: sol.nullable(),
          label: z.enum(['pool', 'creator', 'strategy', 'top-trader', 'you']).optional(),
        }),
      ),
      total: z.number().int(),
    }),
  }),
  getTokenGoldenDogNotice: call({
    method: 'GET',
    path: '/api/token/getTokenGoldenDogNotice',
    access: 'open',
    effect: 'read',
    about: 'Golden dog notices, newest first, with the hit rate of each trigger, misses included.',
    request: z.strictObject({
      tokenContractAddress: solanaAddress.optional(),
      chainId: chainId.optional(),
      cursor,
      limit: queryNumber(1, 100).default(30),
    }),
    reply: cursorOf(notice).extend({ hitRates: z.array(hitRate) }),
  }),
  tokenPrice: call({
    method: 'GET',
    path: '/api/token/tokenPrice',
    access: 'open',
    effect: 'read',
    about: 'Prices of one or several tokens (addresses separated by commas, at most 50), and of SOL.',
    request: z.strictObject({
      tokenContractAddress: mints,
      chainId: chainId.optional(),
    }),
    reply: z.object({
      lists: z.array(
        z.object({ tokenContractAddress: z.string(), price: usd, priceSol: sol, change: percent, time: timeMs }),
      ),
      solUsd: z.object({ price: usd, time: timeMs }),
    }),
  }),
  getTokenPools: call({
    method: 'GET',
    path: '/api/token/getTokenPools',
    access: 'open',
    effect: 'read',
    about:
      'Accounts and curve constants of pools (at most 50 tokens): enough to recompute what a position would return.',
    request: z.strictObject({ tokenContractAddress: mints }),
    reply: listOf(
      z.object({
        tokenContractAddress: z.string(),
        address: z.string(),
        vault: z.string(),
        virtualSol: z.string().describe('Lamports.'),
        virtualTokens: z.string().describe('Base units.'),
        rentReserve: z.string().describe('Lamports of the address that no swap pays out.'),
        feeBps: z.number().int(),
      }),
    ),
  }),
  kline: call({
    method: 'GET',
    path: '/api/v1/kline',
    access: 'open',
    effect: 'read',
    about: 'Candles in dollars, oldest first, without gaps, each opening at the close before it.',
    request: z.strictObject({
      tokenContractAddress: solanaAddress,
      chainId: chainId.optional(),
      interval: klineInterval.default('15m'),
      before: queryNumber(1).optional(),
      limit: queryNumber(1, 1000).default(500),
    }),
    reply: listOf(candle),
  }),
};
