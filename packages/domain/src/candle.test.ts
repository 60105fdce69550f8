import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketStartMs, CANDLE_INTERVALS, intervalMs, isCandleInterval } from './candle-interval.ts';
import { candleOf, chainSequence, fillGaps, mergeCandles, rollUp, type Candle, type CandleTrade } from './candle.ts';
import { price } from './price.ts';

function aTrade(overrides: Partial<CandleTrade> = {}): CandleTrade {
  return { seq: 1n, atMs: 0, price: price(10n), tokens: 5n, lamports: 50n, usdMicros: 7n, ...overrides };
}

const trades = fc
  .array(
    fc.record({
      atMs: fc.integer({ min: 0, max: 600_000 }),
      price: fc.bigInt({ min: 1n, max: 10n ** 20n }).map(price),
      tokens: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      lamports: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      usdMicros: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.map((trade, index): CandleTrade => ({ ...trade, seq: BigInt(index) })));

describe('an interval', () => {
  it('starts its buckets at whole multiples since 1970', () => {
    expect(bucketStartMs(1_700_000_123_456, '1m')).toBe(1_700_000_100_000);
    expect(bucketStartMs(1_700_000_123_456, '1d') % 86_400_000).toBe(0);
    expect(bucketStartMs(86_400_000, '1d')).toBe(86_400_000);
  });

  it('divides every coarser one', () => {
    CANDLE_INTERVALS.reduce((finer, coarser) => {
      expect(intervalMs(coarser) % intervalMs(finer)).toBe(0);
      return coarser;
    });
  });

  it('is known by its name only', () => {
    expect(isCandleInterval('15m')).toBe(true);
    expect(isCandleInterval('2m')).toBe(false);
    expect(isCandleInterval('toString')).toBe(false);
  });
});

describe('a candle', () => {
  it('opens with the first and closes with the last trade of the chain, whatever came in first', () => {
    const late = candleOf(aTrade({ seq: 1n, price: price(3n) }), '1m');
    const early = candleOf(aTrade({ seq: 9n, price: price(8n) }), '1m');
    expect(mergeCandles(early, late)).toMatchObject({
      open: 3n,
      high: 8n,
      low: 3n,
      close: 8n,
      trades: 2,
      volumeTokens: 10n,
    });
  });

  it('is never merged with one of another bucket', () => {
    const other = candleOf(aTrade({ atMs: 60_000 }), '1m');
    expect(() => mergeCandles(candleOf(aTrade(), '1m'), other)).toThrow('CANDLES_OF_DIFFERENT_BUCKETS');
  });

  it('orders trades by slot, then by their place in it', () => {
    const order = [chainSequence(1n, 0), chainSequence(1n, 0, 1), chainSequence(1n, 1), chainSequence(2n, 0)];
    expect([...order].sort((left, right) => (left < right ? -1 : 1))).toEqual(order);
  });

  it('comes out the same for any split and any order of the trades', () => {
    fc.assert(
      fc.property(
        trades.chain((list) =>
          fc.tuple(
            fc.constant(list),
            fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
            fc.array(fc.integer({ min: 0, max: 4 }), { minLength: list.length, maxLength: list.length }),
            fc.constantFrom(...CANDLE_INTERVALS),
          ),
        ),
        ([list, shuffled, parts, interval]) => {
          const whole = rollUp(
            list.map((trade) => candleOf(trade, '1s')),
            interval,
          );
          const batches = [0, 1, 2, 3, 4].map((part) =>
            rollUp(
              shuffled.filter((_, index) => parts[index] === part).map((trade) => candleOf(trade, interval)),
              interval,
            ),
          );
          expect(rollUp(batches.flat(), interval)).toEqual(whole);
        },
      ),
    );
  });

  it('loses no volume on the way to a coarser interval', () => {
    fc.assert(
      fc.property(trades, (list) => {
        const seconds = rollUp(
          list.map((trade) => candleOf(trade, '1s')),
          '1s',
        );
        const minutes = rollUp(seconds, '1m');
        expect(rollUp(minutes, '1h')).toEqual(rollUp(seconds, '1h'));
        const sum = (candles: readonly Candle[]): bigint =>
          candles.reduce((total, { volumeTokens }) => total + volumeTokens, 0n);
        expect(sum(minutes)).toBe(list.reduce((total, { tokens }) => total + tokens, 0n));
      }),
    );
  });
});

describe('filling gaps', () => {
  const sparse = [
    candleOf(aTrade({ seq: 1n, atMs: 0, price: price(5n) }), '1m'),
    candleOf(aTrade({ seq: 2n, atMs: 180_000, price: price(9n) }), '1m'),
  ];

  it('repeats the close before, without volume, up to now', () => {
    const filled = fillGaps(sparse, '1m', 250_000, 100);
    expect(filled.map(({ startMs, open, close, trades: count }) => [startMs, open, close, count])).toEqual([
      [0, 5n, 5n, 1],
      [60_000, 5n, 5n, 0],
      [120_000, 5n, 5n, 0],
      [180_000, 9n, 9n, 1],
      [240_000, 9n, 9n, 0],
    ]);
  });

  it('answers only the newest, however long the token slept', () => {
    const filled = fillGaps(sparse, '1m', 10 ** 12, 3);
    expect(filled).toHaveLength(3);
    expect(filled.every((candle) => candle.close === 9n && candle.trades === 0)).toBe(true);
  });

  it('invents nothing where there was never a trade', () => {
    expect(fillGaps([], '1m', 10 ** 12, 3)).toEqual([]);
  });
});
