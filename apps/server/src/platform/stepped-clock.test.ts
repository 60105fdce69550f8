import { describe, expect, it } from 'vitest';
import { SteppedClock } from './stepped-clock.ts';

describe('a clock that is moved in steps', () => {
  it('ends pauses that are over, the earliest first, and those that are called off', async () => {
    const clock = new SteppedClock(0);
    const ended: string[] = [];
    const off = new AbortController();
    void clock.pause(200).then(() => ended.push('late'));
    void clock.pause(100).then(() => ended.push('early'));
    void clock.pause(1_000, off.signal).then(() => ended.push('called off'));
    clock.moveTo(99);
    await Promise.resolve();
    expect(ended).toEqual([]);
    clock.moveTo(500);
    off.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toEqual(['early', 'late', 'called off']);
  });

  it('leaves nobody waiting when it is closed', async () => {
    const clock = new SteppedClock(0);
    const waiting = clock.pause(1_000);
    clock.close();
    await waiting;
  });
});
