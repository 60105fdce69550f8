import { z } from 'zod';
import { call } from '../call.ts';
import { bookKind, percent, sol, timeMs, tokensOrUnknown, usd } from '../fields.ts';

export const equityRange = z.enum(['24h', '7d', '30d', 'all']);

/** `profit` is since the account began, without deposits and withdrawals. */
const equityPoint = z.object({ t: timeMs, equity: sol, profit: sol });

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);

export const portfolioCalls = {
  getMyEquity: call({
    method: 'GET',
    path: '/api/user/getMyEquity',
    access: 'user',
    effect: 'read',
    about: 'Equity of the account over time; tokens at what selling them would have returned.',
    request: z.strictObject({ range: equityRange.default('7d') }),
    reply: z.object({
      range: equityRange,
      /** Ascending; the last one is of now, where everything can be priced now. */
      points: z.array(equityPoint),
      /** Over the range; null with fewer than two points. Deposits and withdrawals do not count. */
      profit: sol.nullable(),
      /** Of the equity at the start and what was deposited since. */
      profitRate: percent,
    }),
  }),
  getMyPortfolio: call({
    method: 'GET',
    path: '/api/user/getMyPortfolio',
    access: 'user',
    effect: 'read',
    about: 'What the account consists of, by token and by place, and the fees it has paid.',
    request: z.strictObject({}),
    reply: z.object({
      /** Null where a holding cannot be priced just now, as are the shares of everything then. */
      equity: sol.nullable(),
      equityUsd: usd.nullable(),
      places: z.array(
        z.object({
          bookId: z.string(),
          bookKind,
          name: z.string(),
          /** Of the strategy, where the place is one or a follow of one. */
          slug: z.string().nullable(),
          value: sol.nullable(),
          share: percent,
        }),
      ),
      tokens: z.array(
        z.object({
          /** Null for SOL, refundable deposits included. */
          tokenContractAddress: z.string().nullable(),
          tokenSymbol: z.string(),
          tokenName: z.string(),
          tokenLogoUrl: z.string(),
          amount: tokensOrUnknown,
          value: sol.nullable(),
          share: percent,
        }),
      ),
      fees: z.object({
        /** Base fees of all transactions the account paid for, transfers and withdrawals included. */
        network: sol,
        priority: sol,
        /** Inside the prices of its trades. */
        venue: sol,
        total: sol,
        trades: z.number().int(),
      }),
    }),
  }),
  getMyRealized: call({
    method: 'GET',
    path: '/api/user/getMyRealized',
    access: 'user',
    effect: 'read',
    about: 'Realized profit per day of a month, in the time zone of the caller.',
    request: z.strictObject({ month, timeZone: z.string().max(64).default('UTC') }),
    reply: z.object({
      month,
      days: z.array(z.object({ day: z.string(), realized: sol, sales: z.number().int() })),
      /** Of the month. */
      realized: sol,
      sales: z.number().int(),
      /** The month of the first trade; null before it. */
      firstMonth: month.nullable(),
    }),
  }),
};
