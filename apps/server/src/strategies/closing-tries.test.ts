import { expect, it } from 'vitest';
import { isUnavailable, tryAgainAt } from './closing-tries.ts';

it('tells a part that is away from a coin that cannot be sold', () => {
  const passing = ['UNAVAILABLE', 'SIGNING_STOPPED', 'INTERNAL', 'TRADE_UNDER_WAY'] as const;
  expect(passing.every(isUnavailable)).toBe(true);
  expect([isUnavailable('PRICE_MOVED'), isUnavailable('NO_ROUTE'), isUnavailable(null)]).toEqual([false, false, false]);
});

it('waits for seconds at first and for minutes where it lasts', () => {
  const seconds = [0, 1, 3, 8, 9, 40].map((attempts) => tryAgainAt(0, attempts).getTime() / 1000);
  expect(seconds).toEqual([1, 2, 8, 256, 300, 300]);
});
