/**
 * What was traded in one interval, in integers of the caller's units: prices in dollars, volume in tokens and in dollars,
 * and the last price in SOL, null where it is not known.
 */
export type TradedInterval = {
  t: number;
  o: bigint;
  h: bigint;
  l: bigint;
  c: bigint;
  v: bigint;
  vUsd: bigint;
  cSol: bigint | null;
};

/** The last price before a series begins. */
export type EarlierClose = Pick<TradedInterval, 'c' | 'cSol'>;

/**
 * The intervals of [from, end) as a chart of a pool draws them. A pool's price stays where the last trade left it, so each
 * candle opens at the close before it and its high and low include that price; an interval without trades continues the
 * line with no volume. Nothing is invented before the first trade, which opens at its own price.
 */
export function* connectCandles(
  traded: readonly TradedInterval[],
  earlier: EarlierClose | null,
  from: number,
  end: number,
  step: number,
): Generator<TradedInterval> {
  const first = earlier === null ? traded[0]?.t : from;
  if (first === undefined) return;
  let before = earlier;
  let index = 0;
  for (let t = first; t < end; t += step) {
    const candle = traded[index];
    if (candle !== undefined && candle.t === t) {
      yield before === null ? candle : openingAt(before.c, candle);
      before = candle;
      index += 1;
    } else if (before !== null) {
      const { c, cSol } = before;
      yield { t, o: c, h: c, l: c, c, v: 0n, vUsd: 0n, cSol };
    }
  }
}

function openingAt(o: bigint, candle: TradedInterval): TradedInterval {
  return { ...candle, o, h: o > candle.h ? o : candle.h, l: o < candle.l ? o : candle.l };
}
