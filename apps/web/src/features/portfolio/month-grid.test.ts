import { describe, expect, it } from 'vitest';
import { dayAfterKey, monthWeeks, shiftMonth } from './month-grid.ts';

describe('the weeks of a month', () => {
  it('run from Monday to Sunday and hold every day once', () => {
    const weeks = monthWeeks('2026-11');
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
    expect(weeks.every((week) => week.length === 7)).toBe(true);
    expect(weeks.flat().filter(Boolean)).toHaveLength(30);
    expect(monthWeeks('2028-02').flat().filter(Boolean)).toHaveLength(29);
  });

  it('follow each other over the year', () => {
    expect([shiftMonth('2026-12', 1), shiftMonth('2026-01', -1), shiftMonth('2026-05', -17)]).toEqual([
      '2027-01',
      '2025-12',
      '2024-12',
    ]);
  });
});

it('arrow keys move by days and weeks and stay in the month', () => {
  expect(dayAfterKey('2026-11-10', 'ArrowDown')).toBe('2026-11-17');
  expect(dayAfterKey('2026-11-10', 'ArrowLeft')).toBe('2026-11-09');
  expect(dayAfterKey('2026-11-03', 'ArrowUp')).toBe('2026-11-01');
  expect(dayAfterKey('2026-11-28', 'ArrowDown')).toBe('2026-11-30');
  expect(dayAfterKey('2026-11-10', 'End')).toBe('2026-11-30');
  expect(dayAfterKey('2026-11-10', 'a')).toBeNull();
});
