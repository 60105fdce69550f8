import { z } from 'zod';
import { call } from '../call.ts';
import {
  cursor,
  cursorOf,
  keptAddress,
  listOf,
  percent,
  queryNumber,
  side,
  sol,
  solanaAddress,
  timeMs,
  tokens,
  usd,
} from '../fields.ts';

/** Days of the calendar in UTC: `7d` is today and the six days before it. */
export const traderPeriod = z.enum(['7d', '30d', 'all']);

const traderFigures = z.object({
  /** Sales minus the average cost of what was sold, over tokens that the wallet was seen to buy. */
  realizedProfit: sol,
  /**
   * The sample of the win rate: positions that were sold completely, on the day of their last sale, and open ones whose sales have lost
   * so far, on the day of the sale that made it so. These count as lost, whatever is left of them, unless later sales make it good.
   */
  closedTrades: z.number().int(),
  wonTrades: z.number().int(),
  /** Percent of the closed trades; null without one. */
  winRate: percent,
  volume: sol,
  trades: z.number().int(),
  tokens: z.number().int(),
});

const tokenRef = z.object({ tokenContractAddress: z.string(), tokenSymbol: z.string(), tokenLogoUrl: z.string() });
const strategyRef = z.object({ name: z.string(), slug: z.string() });

/** A name that only its owner sees. */
const trackedName = z.string().trim().min(1).max(32);

export const walletCalls = {
  getWallet: call({
    method: 'GET',
    path: '/api/wallet/getWallet',
    access: 'open',
    effect: 'read',
    about: 'What the stored trades say about a wallet. With a session, also the name that the caller gave it.',
    request: z.strictObject({ address: solanaAddress }),
    reply: z.object({
      address: z.string(),
      /** Time of the first and of the newest stored trade. */
      firstSeen: timeMs.nullable(),
      lastTrade: timeMs.nullable(),
      periods: z.object({ '7d': traderFigures, '30d': traderFigures, all: traderFigures }),
      labels: z.object({
        /** The wallet trades for this strategy. */
        strategy: strategyRef.nullable(),
        /** The wallet holds the reserves of this token's pool. */
        pool: tokenRef.nullable(),
        /** At least 5 closed trades, more won than lost, a realized profit over all. */
        smartMoney: z.boolean(),
        /** Tokens that the wallet launched, newest first, at most 20 of them, with what became of them since their first trade. */
        launched: z.object({
          total: z.number().int(),
          lists: z.array(tokenRef.extend({ createdAt: timeMs, marketCap: usd.nullable(), sinceLaunch: percent })),
        }),
      }),
      trackedAs: z.string().nullable(),
    }),
  }),
  getWalletHoldings: call({
    method: 'GET',
    path: '/api/wallet/getWalletHoldings',
    access: 'open',
    effect: 'read',
    about: 'Tokens that a wallet holds, the most valuable first.',
    request: z.strictObject({
      address: solanaAddress,
      limit: queryNumber(1, 200).default(100),
    }),
    reply: z.object({
      lists: z.array(
        tokenRef.extend({
          amount: tokens,
          /** At the last trade; null for a token that never traded. */
          price: usd.nullable(),
          valueSol: sol.nullable(),
          valueUsd: usd.nullable(),
          /** What the part that was seen to be bought has cost; null where none of it was. */
          cost: sol.nullable(),
          /** Value of that part at the present price, minus its cost. */
          unrealizedProfit: sol.nullable(),
          unrealizedRate: percent,
          realizedProfit: sol,
        }),
      ),
      total: z.number().int(),
      /** Tokens that `closedTrades` does not count and that would end with a loss, sold at the last price. */
      unsoldAtLoss: z.number().int(),
      /** Of those whose value is known. */
      totalValueSol: sol,
      totalValueUsd: usd.nullable(),
    }),
  }),
  getWalletTrades: call({
    method: 'GET',
    path: '/api/wallet/getWalletTrades',
    access: 'open',
    effect: 'read',
    about: 'Trades of a wallet in all tokens, newest first.',
    request: z.strictObject({
      address: solanaAddress,
      cursor,
      limit: queryNumber(1, 100).default(50),
    }),
    reply: cursorOf(
      tokenRef.extend({
        id: z.string(),
        time: timeMs,
        side,
        price: usd,
        tokenAmount: tokens,
        solAmount: sol,
        valueUsd: usd,
        txHash: z.string(),
      }),
    ),
  }),
  getTraders: call({
    method: 'GET',
    path: '/api/wallet/getTraders',
    access: 'open',
    effect: 'read',
    about: 'Wallets by what they realized; by win rate only those with at least 5 closed trades and 1 SOL realized.',
    request: z.strictObject({
      period: traderPeriod.default('7d'),
      sortBy: z.enum(['profit', 'winRate', 'volume']).default('profit'),
      limit: queryNumber(1, 100).default(50),
    }),
    reply: listOf(traderFigures.extend({ address: z.string(), strategy: strategyRef.nullable() })).extend({
      /** When the list was computed. */
      time: timeMs,
    }),
  }),
  getMyTrackedWallets: call({
    method: 'GET',
    path: '/api/user/getMyTrackedWallets',
    access: 'user',
    effect: 'read',
    about: 'Wallets that the user tracks, with the names that only the user sees.',
    request: z.strictObject({}),
    reply: listOf(
      z.object({
        address: z.string(),
        name: z.string(),
        createdAt: timeMs,
        lastTrade: timeMs.nullable(),
        week: traderFigures,
      }),
    ).extend({ max: z.number().int() }),
  }),
  trackWallet: call({
    method: 'POST',
    path: '/api/user/trackWallet',
    access: 'user',
    effect: 'write',
    about: 'Tracks a wallet under a name, or renames it.',
    request: z.strictObject({ address: solanaAddress, name: trackedName }),
    reply: z.object({ address: z.string(), name: z.string() }),
  }),
  untrackWallet: call({
    method: 'POST',
    path: '/api/user/untrackWallet',
    access: 'user',
    effect: 'write',
    about: 'Stops tracking a wallet.',
    request: z.strictObject({ address: keptAddress }),
    reply: z.object({}),
  }),
};
