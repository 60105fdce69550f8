import { expect, it } from 'vitest';
import { systemClock } from './clock.ts';
import { RateLimit } from './rate-limit.ts';

it('lets a burst pass, then tells when to come back, and refills with time', () => {
  let nowMs = 0;
  const limit = new RateLimit({ ...systemClock, nowMs: () => nowMs }, 2, 3);
  expect([1, 2, 3].map(() => limit.take('a'))).toEqual([0, 0, 0]);
  expect(limit.take('a')).toBe(1);
  expect(limit.take('b')).toBe(0);
  nowMs = 500;
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(1);
});

it('never gains from a clock that steps back', () => {
  let nowMs = 10_000;
  const limit = new RateLimit({ ...systemClock, nowMs: () => nowMs }, 1, 1);
  expect(limit.take('a')).toBe(0);
  nowMs = 0;
  expect(limit.take('a')).toBe(1);
});
