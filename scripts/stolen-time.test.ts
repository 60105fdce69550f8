import { expect, it } from 'vitest';
import { watchStolenTime } from './stolen-time.ts';

it('tells which part of all processor time the host took', () => {
  let stat = 'cpu  100 0 50 800 5 0 5 40 7 0\ncpu0 1 2 3\n';
  const stolenPercent = watchStolenTime(() => stat);
  stat = 'cpu  400 0 150 1100 5 0 5 340 9 0\ncpu0 1 2 3\n';
  expect(stolenPercent()).toBe(30);
});

it('says nothing where the system does not', () => {
  expect(
    watchStolenTime(() => {
      throw new Error('no such file');
    })(),
  ).toBeNull();
  expect(watchStolenTime(() => 'intr 1 2 3')()).toBeNull();
});
