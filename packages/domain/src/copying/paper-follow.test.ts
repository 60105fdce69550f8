import { expect, it } from 'vitest';
import { PAPER_FOLLOW_DAYS, paperEnd } from './paper-follow.ts';

const DAY = 86_400_000;
const follow = { startedAtMs: 0, endedAtMs: null, strategyEndedAtMs: null };

it('runs until its follower ends it, its strategy ends or its time is over', () => {
  expect(paperEnd(follow, 29 * DAY)).toBeNull();
  expect(paperEnd({ ...follow, endedAtMs: 5 * DAY }, 29 * DAY)).toEqual({ by: 'follower', atMs: 5 * DAY });
  expect(paperEnd({ ...follow, strategyEndedAtMs: 4 * DAY }, 29 * DAY)).toEqual({ by: 'strategy-end', atMs: 4 * DAY });
  expect(paperEnd(follow, 100 * DAY)).toEqual({ by: 'time', atMs: PAPER_FOLLOW_DAYS * DAY });
});

it('is ended by what came first, however late somebody looks', () => {
  const both = { ...follow, endedAtMs: 7 * DAY, strategyEndedAtMs: 6 * DAY };
  expect(paperEnd(both, 100 * DAY)).toEqual({ by: 'strategy-end', atMs: 6 * DAY });
  expect(paperEnd({ ...both, strategyEndedAtMs: 8 * DAY }, 100 * DAY)).toEqual({ by: 'follower', atMs: 7 * DAY });
  expect(paperEnd({ ...follow, endedAtMs: 40 * DAY }, 100 * DAY)).toEqual({ by: 'time', atMs: 30 * DAY });
  expect(paperEnd({ ...follow, endedAtMs: 6 * DAY, strategyEndedAtMs: 6 * DAY }, 7 * DAY)?.by).toBe('strategy-end');
});
