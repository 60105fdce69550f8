import { describe, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { LoginThrottle } from './login-throttle.ts';

describe('LoginThrottle', () => {
  it('lets a few failures pass and then doubles the pause up to a minute', () => {
    let nowMs = 0;
    const throttle = new LoginThrottle({ ...systemClock, nowMs: () => nowMs }, 3);
    const pauses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      pauses.push(throttle.pauseSeconds('key'));
      nowMs += throttle.pauseSeconds('key') * 1000;
      throttle.failed('key');
    }
    expect(pauses).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('takes back one try and forgives none of the others', () => {
    const throttle = new LoginThrottle({ ...systemClock, nowMs: () => 0 }, 2);
    for (let count = 0; count < 3; count += 1) throttle.failed('shared');
    throttle.takeBack('shared');
    expect(throttle.pauseSeconds('shared')).toBe(1);
    throttle.takeBack('shared');
    expect(throttle.pauseSeconds('shared')).toBe(0);
    throttle.failed('shared');
    expect(throttle.pauseSeconds('shared')).toBe(1);
  });

  it('forgets after a success and after a quarter of an hour', () => {
    let nowMs = 0;
    const throttle = new LoginThrottle({ ...systemClock, nowMs: () => nowMs }, 1);
    throttle.failed('left');
    throttle.failed('right');
    expect(throttle.pauseSeconds('left')).toBe(1);
    throttle.succeeded('left');
    expect(throttle.pauseSeconds('left')).toBe(0);
    nowMs += 16 * 60_000;
    expect(throttle.pauseSeconds('right')).toBe(0);
    throttle.failed('right');
    expect(throttle.pauseSeconds('right')).toBe(1);
  });
});
