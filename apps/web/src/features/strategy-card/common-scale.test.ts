import { expect, it } from 'vitest';
import { commonScale } from './common-scale.ts';

it.each([
  [
    [
      [1, 20],
      [-5, 3],
    ],
    { low: -5, high: 20 },
  ],
  [[[900], [-400]], { low: -100, high: 100 }],
  [[[0.1], []], { low: -2, high: 2 }],
  [[], { low: -2, high: 2 }],
])('spans %j and zero, within a hundred percent either way', (trends, scale) => {
  expect(commonScale(trends.map((trend) => ({ trend })))).toEqual(scale);
});
