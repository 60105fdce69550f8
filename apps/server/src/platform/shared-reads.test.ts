import { expect, it } from 'vitest';
import { SharedReads } from './shared-reads.ts';

function aSource() {
  const begun: PromiseWithResolvers<string>[] = [];
  const load = () => {
    const reading = Promise.withResolvers<string>();
    begun.push(reading);
    return reading.promise;
  };
  return { begun, load };
}

it('reads once for all who ask during a reading, after they asked', async () => {
  const { begun, load } = aSource();
  const reads = new SharedReads<string>();
  const first = reads.read('a', load);
  const later = [reads.read('a', load), reads.read('a', load)];
  expect(begun.length).toBe(1);
  begun[0]!.resolve('before');
  expect(await first).toBe('before');
  expect(begun.length).toBe(2);
  const last = reads.read('a', load);
  begun[1]!.resolve('after');
  expect(await Promise.all(later)).toEqual(['after', 'after']);
  begun[2]!.resolve('at last');
  expect([await last, begun.length]).toEqual(['at last', 3]);
});

it('keeps nothing once it is read, and lets one question not wait for another', async () => {
  const { begun, load } = aSource();
  const reads = new SharedReads<string>();
  const [a, b] = [reads.read('a', load), reads.read('b', load)];
  begun[1]!.resolve('b');
  expect(await b).toBe('b');
  const again = reads.read('b', load);
  begun[2]!.resolve('b again');
  expect(await again).toBe('b again');
  begun[0]!.resolve('a');
  expect(await a).toBe('a');
});

it('reads again for those who wait where a reading fails', async () => {
  const { begun, load } = aSource();
  const reads = new SharedReads<string>();
  const first = reads.read('a', load);
  const second = reads.read('a', load);
  begun[0]!.reject(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  begun[1]!.resolve('found');
  expect(await second).toBe('found');
});
