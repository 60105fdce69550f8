import { expect, it } from 'vitest';
import { toneOf } from './tone.ts';

it.each([
  ['12.5', 'up'],
  ['-0.0000000000000000001', 'down'],
  ['0', null],
  ['-0.00', null],
  ['', null],
  ['abc', null],
  [null, null],
  [undefined, null],
  [3, 'up'],
  [-1e-9, 'down'],
  [Number.NaN, null],
])('colours %j as %s', (value, tone) => {
  expect(toneOf(value)).toBe(tone);
});
