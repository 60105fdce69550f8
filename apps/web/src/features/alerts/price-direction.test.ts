import { expect, it } from 'vitest';
import { directionOf } from './price-direction.ts';

it('a price alert waits for a rise to a higher price and for a fall to a lower one', () => {
  expect(directionOf('0.00000002', '0.000000019')).toBe('above');
  expect(directionOf('0.000000018', '0.000000019')).toBe('below');
});

it('there is nothing to wait for at the price itself, without a target or without a price', () => {
  expect([directionOf('1.50', '1.5'), directionOf('', '1.5'), directionOf('0', '1.5'), directionOf('1', null)]).toEqual(
    [null, null, null, null],
  );
});
