import fc from 'fast-check';
import { expect, it } from 'vitest';
import { connectCandles } from './connect-candles.ts';
import type { TradedInterval } from './connect-candles.ts';

const price = fc.bigInt({ min: 1n, max: 10n ** 12n });

/** Trades as (interval, prices in order), in rising intervals with gaps between them. */
const tradesByInterval = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 5 }), prices: fc.array(price, { minLength: 1, maxLength: 6 }) }), {
    maxLength: 30,
  })
  .map((parts) => {
    let t = -1;
    return parts.map(({ gap, prices }) => ({ t: (t += gap), prices }));
  });

function traded(t: number, prices: readonly bigint[]): TradedInterval {
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : 1));
  const c = prices.at(-1)!;
  return { t, o: prices[0]!, h: sorted.at(-1)!, l: sorted[0]!, c, v: BigInt(prices.length), vUsd: c, cSol: c * 2n };
}

/** The same trades in intervals that are `factor` times as long. */
function coarser(trades: readonly { t: number; prices: bigint[] }[], factor: number) {
  const merged = new Map<number, bigint[]>();
  for (const { t, prices } of trades) {
    const start = Math.floor(t / factor) * factor;
    merged.set(start, [...(merged.get(start) ?? []), ...prices]);
  }
  return [...merged].map(([t, prices]) => traded(t, prices));
}

it('opens every candle at the close before it, within its own high and low', () => {
  fc.assert(
    fc.property(tradesByInterval, fc.option(price), (trades, earlier) => {
      const series = trades.map(({ t, prices }) => traded(t, prices));
      const before = earlier === null ? null : { c: earlier, cSol: null };
      const candles = [...connectCandles(series, before, 0, 200, 1)];
      let close = earlier;
      for (const [index, { t, o, h, l, c }] of candles.entries()) {
        if (close !== null) expect(o).toBe(close);
        expect(l <= o && l <= c && o <= h && c <= h).toBe(true);
        expect(t).toBe((candles[0]?.t ?? 0) + index);
        close = c;
      }
    }),
  );
});

it('keeps volume, close and every traded price of an interval, and adds none to an empty one', () => {
  fc.assert(
    fc.property(tradesByInterval, price, (trades, earlier) => {
      const series = new Map(trades.map(({ t, prices }) => [t, traded(t, prices)]));
      for (const candle of connectCandles([...series.values()], { c: earlier, cSol: 5n }, 0, 200, 1)) {
        const own = series.get(candle.t);
        if (own === undefined) {
          const { o } = candle;
          expect(candle).toMatchObject({ h: o, l: o, c: o, v: 0n, vUsd: 0n });
          continue;
        }
        expect(candle).toMatchObject({ c: own.c, v: own.v, vUsd: own.vUsd, cSol: own.cSol });
        expect(candle.h >= own.h && candle.l <= own.l).toBe(true);
      }
    }),
  );
});

it('draws the same prices in a long interval as in the short ones that it consists of', () => {
  const factor = 4;
  fc.assert(
    fc.property(tradesByInterval, price, (trades, earlier) => {
      const before = { c: earlier, cSol: null };
      const series = trades.map(({ t, prices }) => traded(t, prices));
      const short = [...connectCandles(series, before, 0, 200, 1)];
      for (const long of connectCandles(coarser(trades, factor), before, 0, 200, factor)) {
        const inside = short.filter(({ t }) => t >= long.t && t < long.t + factor);
        expect([long.o, long.c]).toEqual([inside[0]!.o, inside.at(-1)!.c]);
        expect(inside.some(({ h }) => h === long.h) && inside.every(({ h }) => h <= long.h)).toBe(true);
        expect(inside.some(({ l }) => l === long.l) && inside.every(({ l }) => l >= long.l)).toBe(true);
      }
    }),
  );
});

it('begins with the first trade where nothing was traded before, and is empty without any', () => {
  expect([...connectCandles([], null, 0, 5, 1)]).toEqual([]);
  const only = traded(3, [7n]);
  expect([...connectCandles([only], null, 0, 5, 1)]).toEqual([only, { ...only, t: 4, v: 0n, vUsd: 0n }]);
});
