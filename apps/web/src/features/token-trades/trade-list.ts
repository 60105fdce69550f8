import type { ChannelData } from '@hunter/contract/stream';

export type TokenTrade = ChannelData<'trades'>[number];

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

/** Ids are the chain's order; two trades of one moment are told apart by them. */
function newestFirst(left: TokenTrade, right: TokenTrade): number {
  if (left.time !== right.time) return right.time - left.time;
  const difference = BigInt(right.id) - BigInt(left.id);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}
