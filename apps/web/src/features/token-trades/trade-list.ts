import type { CallReply } from '@hunter/contract/calls';
import type { ChannelData } from '@hunter/contract/stream';

export type TokenTrade = ChannelData<'trades'>[number];
export type TradePage = Pick<CallReply<'getTokenTransactionData'>, 'lists' | 'nextCursor'>;

/** Trades without a hole, newest first, and where the older ones go on. */
export type TradeList = { trades: readonly TokenTrade[]; cursor: string | null };

/** What the page keeps; older ones are a scroll away and would only cost memory. */
export const TRADES_KEPT_MAX = 1_000;

/** Newest first, each trade once: pages and live messages overlap. The same array comes back when nothing is new. */
export function withTrades(
  present: readonly TokenTrade[],
  added: readonly TokenTrade[],
  keptMax = TRADES_KEPT_MAX,
): readonly TokenTrade[] {
  const known = new Set(present.map(({ id }) => id));
  const fresh = added.filter(({ id }) => !known.has(id) && known.add(id));
  if (fresh.length === 0) return present;
  return [...present, ...fresh].sort(newestFirst).slice(0, keptMax);
}

/**
 * The newest page, after something may have been missed. Where it reaches back to the trades that are present it is added
 * to them. Where it does not, it takes their place: nobody would see the hole in between, and scrolling fills it.
 */
export function withNewest(present: TradeList, page: TradePage): TradeList {
  const [newest] = present.trades;
  const oldest = page.lists.at(-1);
  const reaches = newest && (!oldest || page.nextCursor === null || newestFirst(newest, oldest) <= 0);
  if (reaches) return { trades: withTrades(present.trades, page.lists), cursor: present.cursor };
  return { trades: withTrades([], page.lists), cursor: page.nextCursor };
}

/** An older page, unless the list has become another one since it was asked for. */
export function withOlder(present: TradeList, askedCursor: string, page: TradePage): TradeList {
  if (present.cursor !== askedCursor) return present;
  return { trades: withTrades(present.trades, page.lists), cursor: page.nextCursor };
}

/** What arrived live and does not lie behind the hole that the page may have left: see `withNewest`. */
export function notBefore(arrived: readonly TokenTrade[], page: TradePage): TokenTrade[] {
  const oldest = page.lists.at(-1);
  return arrived.filter((trade) => !oldest || page.nextCursor === null || newestFirst(trade, oldest) <= 0);
}

/** Ids are the chain's order; two trades of one moment are told apart by them. */
function newestFirst(left: TokenTrade, right: TokenTrade): number {
  if (left.time !== right.time) return right.time - left.time;
  const difference = BigInt(right.id) - BigInt(left.id);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}
