import { describe, expect, it } from 'vitest';
import { relativeTime } from './relative-time.ts';

const now = 1_700_000_000_000;
const minute = 60_000;

describe('a relative time', () => {
  it.each([
    [0, '刚刚'],
    [-5_000, '5 秒前'],
    [-5 * minute, '5 分钟前'],
    [-90 * minute, '1 小时前'],
    [-3 * 24 * 60 * minute, '3 天前'],
    [2 * 60 * minute, '2 小时后'],
  ])('%i ms away is Chinese in zh: %s', (away, text) => {
    expect(relativeTime(now + away, now, 'zh')).toBe(text);
  });

  it.each([
    [0, 'now'],
    [-59_999, '59s ago'],
    [-minute, '1m ago'],
    [-400 * 24 * 60 * minute, '1y ago'],
    [7 * 24 * 60 * minute - 2_000, 'in 7d'],
    [6.4 * 24 * 60 * minute, 'in 6d'],
  ])('%i ms away is short in en: %s', (away, text) => {
    expect(relativeTime(now + away, now, 'en')).toBe(text);
  });
});
