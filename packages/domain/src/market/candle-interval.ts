export const CANDLE_INTERVALS = ['1s', '1m', '5m', '15m', '1h', '4h', '1d'] as const;

export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

const MILLISECONDS: Record<CandleInterval, number> = {
  '1s': 1_000,
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

export function intervalMs(interval: CandleInterval): number {
  return MILLISECONDS[interval];
}

export function isCandleInterval(text: string): text is CandleInterval {
  return Object.hasOwn(MILLISECONDS, text);
}

/** Buckets are aligned to 1970 in UTC, so that every finer interval divides every coarser one. */
export function bucketStartMs(atMs: number, interval: CandleInterval): number {
  const length = MILLISECONDS[interval];
  return Math.floor(atMs / length) * length;
}
