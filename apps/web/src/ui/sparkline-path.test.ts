import { expect, it } from 'vitest';
import { sparklinePoints } from './sparkline-path.ts';

it.each<[number[], string]>([
  [[0, 1], '0,18 100,2'],
  [[1, 1, 1], '0,10 50,10 100,10'],
  [[5], '0,10 100,10'],
  [[], ''],
  [[0, Number.NaN, 2], '0,18 100,2'],
])('draws %j within its box', (values, points) => {
  expect(sparklinePoints(values, 100, 20)).toBe(points);
});
