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

it('draws lines on a common scale so that they can be compared, and keeps them inside of it', () => {
  const scale = { low: 0, high: 10 };
  expect(sparklinePoints([0, 5], 100, 20, scale)).toBe('0,18 100,10');
  expect(sparklinePoints([10, 90, -90], 100, 20, scale)).toBe('0,2 50,2 100,18');
  expect(sparklinePoints([5], 100, 20, scale)).toBe('0,10 100,10');
});
