// What the chart's values are: dollars or SOL, the price of one token or of all of them. Floats are enough here: they are
// only drawn.
import type { CallReply } from '@hunter/contract/calls';

export type Candle = CallReply<'kline'>['lists'][number];
export type Bar = {
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  turnover: number;
};

export type ChartScale = {
  unit: 'usd' | 'sol';
  /** 1 for prices; the supply for the market cap. */
  factor: number;
};

/**
 * `opensAt` is the close before it on the same scale. In SOL only closes are exact; high and low take the candle's own rate.
 */
export function barOf(candle: Candle, { unit, factor }: ChartScale, opensAt: number | null): Bar | null {
  const close = Number(candle.c);
  const volumes = { volume: Number(candle.v), turnover: Number(candle.vUsd) };
  if (unit === 'usd') {
    return {
      timestamp: candle.t,
      open: Number(candle.o) * factor,
      high: Number(candle.h) * factor,
      low: Number(candle.l) * factor,
      close: close * factor,
      ...volumes,
    };
  }
  if (candle.cSol === null) return null;
  const rate = (Number(candle.cSol) * factor) / close;
  const open = opensAt ?? Number(candle.o) * rate;
  const ends = [open, close * rate];
  return {
    timestamp: candle.t,
    open,
    high: Math.max(...ends, Number(candle.h) * rate),
    low: Math.min(...ends, Number(candle.l) * rate),
    close: close * rate,
    ...volumes,
  };
}

/** Oldest first. A candle that the scale does not know is left out. */
export function barsOf(candles: readonly Candle[], scale: ChartScale): Bar[] {
  const bars: Bar[] = [];
  for (const candle of candles) {
    const bar = barOf(candle, scale, bars.at(-1)?.close ?? null);
    if (bar) bars.push(bar);
  }
  return bars;
}

/** A price that is known in both, on that scale. */
export function onScale(price: { usd: number; sol: number }, { unit, factor }: ChartScale): number {
  return price[unit] * factor;
}
