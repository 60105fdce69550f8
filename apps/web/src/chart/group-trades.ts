import { bucketStartMs } from '@hunter/domain/market/candle-interval';
import type { CandleInterval } from '@hunter/domain/market/candle-interval';
import { onScale } from './chart-scale.ts';
import type { ChartScale } from './chart-scale.ts';

/** A buy or a sell of the user, in floats: it is only drawn. */
export type OwnTrade = { time: number; side: 'buy' | 'sell'; usd: number; sol: number; tokens: number };
/** All buys, or all sells, of the user in one candle, at their average price. */
export type TradeMark = { time: number; side: 'buy' | 'sell'; price: number; count: number };

export function groupTrades(trades: readonly OwnTrade[], interval: CandleInterval, scale: ChartScale): TradeMark[] {
  const groups = new Map<string, OwnTrade[]>();
  for (const trade of trades) {
    const key = `${bucketStartMs(trade.time, interval)}:${trade.side}`;
    const group = groups.get(key);
    if (group) group.push(trade);
    else groups.set(key, [trade]);
  }
  return [...groups.values()].map((group) => {
    const tokens = group.reduce((sum, trade) => sum + trade.tokens, 0);
    const worth = group.reduce((sum, trade) => sum + onScale(trade, scale) * trade.tokens, 0);
    const { time, side } = group[0]!;
    return { time: bucketStartMs(time, interval), side, price: worth / tokens, count: group.length };
  });
}
