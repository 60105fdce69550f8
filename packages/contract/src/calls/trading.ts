import { z } from 'zod';
import { call } from '../call.ts';
import {
  bookKind,
  id,
  listOf,
  page,
  pageOf,
  percent,
  positiveDecimal,
  side,
  slippageBps,
  sol,
  solanaAddress,
  timeMs,
  tokens,
  tokensOrUnknown,
  usd,
} from '../fields.ts';
import { protection } from './protection.ts';

/** `sent` covers everything that is on its way, also when its outcome is not known yet. */
export const orderStatus = z.enum(['pending', 'sent', 'confirmed', 'finalized', 'failed', 'dead']);

export const order = z.object({
  id: z.string(),
  status: orderStatus,
  txHash: z.string().nullable(),
  tokenContractAddress: z.string(),
  side,
  bookId: z.string(),
  bookKind,
  /** SOL for buys, tokens for sells. */
  amountIn: tokensOrUnknown,
  /** From the fill; null until there is one. */
  amountOut: z.string().nullable(),
  /** Average price in SOL per token, fees left out. */
  price: sol.nullable(),
  /** Network and venue fees together, in SOL. */
  fee: sol.nullable(),
  /** Why it failed, from the error catalogue. */
  error: z.string().nullable(),
  createdAt: timeMs,
});

const bookRef = { bookId: z.string(), bookKind, bookName: z.string() };

export const position = z.object({
  tokenContractAddress: z.string(),
  tokenSymbol: z.string(),
  tokenName: z.string(),
  tokenLogoUrl: z.string(),
  ...bookRef,
  openTime: timeMs,
  amount: tokensOrUnknown,
  /** The part of it that was bought, which cost and unrealized profit are of. The rest came from outside. */
  boughtAmount: tokensOrUnknown,
  /** Null where the tokens came from outside and their cost is not known. */
  cost: sol.nullable(),
  /** What selling all of it now would return, net of fees. */
  value: sol.nullable(),
  valueUsd: usd.nullable(),
  unrealizedProfit: sol.nullable(),
  unrealizedPercent: percent,
});

const tradeRow = z.object({
  tokenContractAddress: z.string(),
  name: z.string(),
  tokenSymbol: z.string(),
  tokenLogoUrl: z.string(),
  ...bookRef,
  openTime: timeMs,
  closeTime: timeMs.nullable(),
  openPrice: sol.nullable(),
  closePrice: sol.nullable(),
  pnl: sol.nullable(),
  pnlPercent: percent,
  totalBuyAmount: tokensOrUnknown,
  totalBuyValue: sol,
  totalSellAmount: tokensOrUnknown,
  totalSellValue: sol,
  currentBalance: tokensOrUnknown,
  realizedProfit: sol,
  unrealizedProfit: sol.nullable(),
});

const strategyRow = z.object({
  slug: z.string(),
  strategyName: z.string(),
  role: z.enum(['creator', 'follower']),
  bookId: z.string(),
  bookKind,
  openTime: timeMs,
  closeTime: timeMs.nullable(),
  openAmount: sol,
  totalPnl: sol.nullable(),
  changeRate: percent,
});

export const tradingCalls = {
  quote: call({
    method: 'POST',
    path: '/api/token/quote',
    access: 'open',
    effect: 'read',
    about: 'What an order would get right now.',
    request: z.strictObject({
      tokenContractAddress: solanaAddress,
      side,
      amount: positiveDecimal,
      slippageBps: slippageBps.optional(),
      bookId: id.optional(),
    }),
    reply: z.object({
      side,
      amountIn: z.string(),
      expectedOut: z.string(),
      minimumOut: z.string(),
      price: sol,
      priceUsd: usd.nullable(),
      /** Percent. */
      priceImpact: z.string(),
      impactLevel: z.enum(['ok', 'warn', 'refused']),
      slippageBps: z.number().int(),
      fees: z.object({
        network: sol,
        venue: sol,
        rent: sol,
        /** The rent may turn out lower: of a Token-2022 mint whose extensions are not known. */
        rentIsMaximum: z.boolean(),
        total: sol,
      }),
      expiresAt: timeMs,
    }),
  }),
  tokenTransfer: call({
    method: 'POST',
    path: '/api/token/tokenTransfer',
    access: 'user',
    effect: 'money',
    about: 'Buys with SOL or sells tokens in one book; in a strategy book all followers take part at the same price.',
    request: z.strictObject({
      tokenContractAddress: solanaAddress,
      side,
      amount: positiveDecimal,
      slippageBps: slippageBps.optional(),
      bookId: id.optional(),
      /** Of a buy: written in the same transaction, armed when it trades. */
      protect: protection.optional(),
    }),
    reply: order,
  }),
  tokenClose: call({
    method: 'POST',
    path: '/api/token/tokenClose',
    access: 'user',
    effect: 'money',
    about: 'Sells the whole holding of a token, in all books or in one.',
    request: z.strictObject({
      tokenContractAddress: solanaAddress,
      bookId: id.optional(),
      slippageBps: slippageBps.optional(),
    }),
    reply: listOf(order),
  }),
  getOrder: call({
    method: 'GET',
    path: '/api/token/getOrder',
    access: 'user',
    effect: 'read',
    about: 'One order by its id.',
    request: z.strictObject({ id }),
    reply: order,
  }),
  getMyTokenAmount: call({
    method: 'GET',
    path: '/api/user/getMyTokenAmount',
    access: 'user',
    effect: 'read',
    about: 'How much of a token the user holds, per book, and the books that can trade it.',
    request: z.strictObject({ tokenContractAddress: solanaAddress }),
    reply: z.object({
      amount: tokens,
      books: z.array(z.object({ ...bookRef, amount: tokens, availableSol: sol, tradable: z.boolean() })),
    }),
  }),
  getMyPositions: call({
    method: 'GET',
    path: '/api/user/getMyPositions',
    access: 'user',
    effect: 'read',
    about:
      'Open positions per book and token, those that were bought before those that were only sent, each newest first; without a token, those that the user hid are left out unless asked for.',
    request: z.strictObject({
      ...page,
      tokenContractAddress: solanaAddress.optional(),
      hidden: z.enum(['without', 'only']).default('without'),
    }),
    reply: pageOf(position),
  }),
  hideToken: call({
    method: 'POST',
    path: '/api/user/hideToken',
    access: 'user',
    effect: 'write',
    about:
      'Leaves a token out of the list of positions, or shows it again. It stays in the wallet, and in the figures.',
    request: z.strictObject({ tokenContractAddress: solanaAddress, hidden: z.boolean() }),
    reply: z.object({}),
  }),
  getMyForeignAccounts: call({
    method: 'GET',
    path: '/api/user/getMyForeignAccounts',
    access: 'user',
    effect: 'read',
    about:
      'Token accounts that strangers made and handed over to the wallet. They are not counted: their maker may keep powers over them.',
    request: z.strictObject({}),
    reply: listOf(
      z.object({
        address: z.string(),
        tokenContractAddress: z.string(),
        tokenSymbol: z.string(),
        tokenName: z.string(),
        tokenLogoUrl: z.string(),
        amount: tokensOrUnknown,
      }),
    ),
  }),
  getMyAccount: call({
    method: 'GET',
    path: '/api/user/getMyAccount',
    access: 'user',
    effect: 'read',
    about: 'Balance, equity and total return of the account.',
    request: z.strictObject({}),
    reply: z.object({
      balance: sol,
      available: sol,
      /** Null, as whatever follows from it, where a holding cannot be priced just now: an unknown value is not a loss. */
      equity: sol.nullable(),
      equityUsd: usd.nullable(),
      inStrategies: sol.nullable(),
      inFollows: sol.nullable(),
      rentDeposits: sol,
      deposited: sol,
      withdrawn: sol,
      totalReturnRate: percent,
      totalProfit: sol.nullable(),
      /** Not built: the profit share of strategy creators. Always null and shown as coming soon. */
      leadProfit: z.null(),
    }),
  }),
  getMyTradeRecord: call({
    method: 'GET',
    path: '/api/user/getMyTradeRecord',
    access: 'user',
    effect: 'read',
    about: 'Round trips (type=trade) or strategies and follows (type=strategy), newest first.',
    request: z.strictObject({ type: z.enum(['strategy', 'trade']).default('trade'), ...page }),
    reply: z.discriminatedUnion('type', [
      pageOf(tradeRow).extend({ type: z.literal('trade') }),
      pageOf(strategyRow).extend({ type: z.literal('strategy') }),
    ]),
  }),
};
