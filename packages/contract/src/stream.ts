// The live stream at /api/stream. A client authenticates (or not: market channels are open), then subscribes.
// Every data message carries a sequence number that grows by one per channel and key within a connection;
// a gap tells the client to fetch the state again. Slow clients get the newest value, not a growing queue. Who asks for
// batches gets several values of the open channels in one frame, as an array of messages.
import { z } from 'zod';
import { alert } from './calls/alerts.ts';
import { candle, notice, tokenListItem, tokenTrade } from './calls/market.ts';
import { follow } from './calls/follows.ts';
import { order } from './calls/trading.ts';
import { trigger } from './calls/triggers.ts';
import { walletInfo } from './calls/accounts.ts';

/** `key` is a token address, `ADDRESS:INTERVAL` for candles, `all` for notices and hot, `me` for a user's own channels. */
export const openChannels = ['price', 'trades', 'candles', 'notices', 'hot'] as const;
export const userChannels = ['orders', 'positions', 'balance', 'follows', 'deposits', 'triggers', 'alerts'] as const;
export const channelName = z.enum([...openChannels, ...userChannels]);
export type ChannelName = z.infer<typeof channelName>;

export const clientMessage = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('auth'), token: z.string().max(200) }),
  z.strictObject({ op: z.literal('subscribe'), channel: channelName, key: z.string().max(100) }),
  z.strictObject({ op: z.literal('unsubscribe'), channel: channelName, key: z.string().max(100) }),
  z.strictObject({ op: z.literal('ping') }),
  /** Not answered. From now on what is quickly followed by more of the open channels comes together, at most ten times a second. */
  z.strictObject({ op: z.literal('batch') }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

const priceTick = tokenListItem
  .pick({ tokenContractAddress: true, price: true, change: true, marketCap: true, liquidity: true, holders: true })
  .extend({ priceSol: z.string(), time: z.number().int(), change1h: z.string().nullable() });

export const channelData = {
  price: priceTick,
  trades: z.array(tokenTrade),
  candles: candle,
  notices: notice,
  /** The hot list changed; the client fetches it when it shows it. */
  hot: z.object({ time: z.number().int() }),
  orders: order,
  /** Positions changed for these tokens; the client fetches them. */
  positions: z.object({ tokenContractAddresses: z.array(z.string()) }),
  balance: walletInfo,
  follows: follow.pick({ id: true, slug: true, status: true, progress: true }),
  /** A new alert, and how many are unread with it. */
  alerts: z.object({ alert, unread: z.number().int() }),
  deposits: z.object({
    tokenContractAddress: z.string().nullable(),
    tokenSymbol: z.string(),
    amount: z.string(),
    status: z.enum(['seen', 'finalized', 'orphaned']),
    txHash: z.string(),
  }),
  /** One of the user's own triggers as it is now. */
  triggers: trigger,
} satisfies Record<ChannelName, z.ZodType>;

export type ChannelData<Name extends ChannelName> = z.infer<(typeof channelData)[Name]>;

export type ServerMessage =
  | { op: 'authenticated' }
  | { op: 'subscribed'; channel: ChannelName; key: string; seq: number }
  | { op: 'unsubscribed'; channel: ChannelName; key: string }
  | { op: 'pong' }
  | { op: 'error'; error: string; channel?: string; key?: string }
  | { op: 'data'; channel: ChannelName; key: string; seq: number; data: unknown };

export const SUBSCRIPTIONS_MAX = 200;
