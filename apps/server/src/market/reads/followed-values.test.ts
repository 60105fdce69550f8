import { expect, it } from 'vitest';
import { FollowedValues } from './followed-values.ts';

function aStore(max = 10) {
  const reads: number[] = [];
  const waiting: ((value: number[]) => void)[] = [];
  const values = new FollowedValues<number[], number>({
    max,
    load: (key) => {
      reads.push(key);
      return new Promise((resolve) => waiting.push(resolve));
    },
    follow: (value, events) => {
      if (events.includes(-1)) return false;
      value.push(...events);
      return true;
    },
  });
  return { reads, waiting, values };
}

it('reads a value once and lets it follow what happens, also while it is being read', async () => {
  const { reads, waiting, values } = aStore();
  const asked = [Promise.resolve(values.get(1)), Promise.resolve(values.get(1))];
  values.tell(1, [7]);
  waiting[0]!([5]);
  expect(await Promise.all(asked)).toEqual([
    [5, 7],
    [5, 7],
  ]);
  values.tell(1, [8]);
  values.tell(2, [9]);
  expect(await values.get(1)).toEqual([5, 7, 8]);
  expect(reads).toEqual([1]);
});

it('reads again what could not follow', async () => {
  const { reads, waiting, values } = aStore();
  const first = values.get(1);
  waiting[0]!([5]);
  await first;
  values.tell(1, [-1]);
  const second = values.get(1);
  values.tell(1, [-1]);
  waiting[1]!([6]);
  expect(await second).toEqual([6]);
  void values.get(1);
  expect(reads).toEqual([1, 1, 1]);
});

it('forgets a value that could not be read', async () => {
  let down = true;
  const values = new FollowedValues<number, number>({
    max: 10,
    load: () => (down ? Promise.reject(new Error('down')) : Promise.resolve(1)),
    follow: () => true,
  });
  await expect(values.get(1)).rejects.toThrow('down');
  down = false;
  expect(await values.get(1)).toBe(1);
});

it('lets go of what nobody asked for longest', async () => {
  const { reads, waiting, values } = aStore(2);
  const ask = async (key: number) => {
    const value = values.get(key);
    for (const resolve of waiting.splice(0)) resolve([]);
    await value;
  };
  for (const key of [1, 2, 1, 3, 1, 2]) await ask(key);
  expect(reads).toEqual([1, 2, 3, 2]);
});
