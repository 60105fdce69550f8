import { describe, expect, it } from 'vitest';
import { linePath, nearestIndex, niceStep, valueAt, lineScale } from './line-scale.ts';

const frame = { width: 600, height: 200, left: 0, right: 0, top: 0, bottom: 0 };
const points = [
  { t: 0, value: 0 },
  { t: 50, value: 12 },
  { t: 100, value: 8 },
];

describe('the scale of a line chart', () => {
  it('draws its lines at round values', () => {
    expect(niceStep(40, 4)).toBe(10);
    expect(niceStep(0.07, 4)).toBe(0.02);
    expect(niceStep(9, 4)).toBe(5);
  });

  it('writes all lines with the decimals of their step', () => {
    const written = (...values: number[]) => {
      const { ticks, places } = lineScale(
        values.map((value, t) => ({ t, value })),
        frame,
        false,
      );
      return ticks.map((tick) => tick.toFixed(places));
    };
    expect(written(9.685, 9.72)).toEqual(['9.68', '9.69', '9.70', '9.71', '9.72', '9.73']);
    expect(written(0, 35)).toEqual(['0', '10', '20', '30', '40']);
  });

  it('holds every point and zero', () => {
    const scale = lineScale(
      [
        { t: 0, value: 20 },
        { t: 1, value: 30 },
      ],
      frame,
    );
    expect(scale.ticks).toContain(0);
    expect(scale.y(30)).toBeGreaterThanOrEqual(0);
    expect(scale.y(0)).toBeLessThanOrEqual(200);
  });

  it('spreads time over the whole width', () => {
    const scale = lineScale(points, frame);
    expect(scale.x(0)).toBe(0);
    expect(scale.x(100)).toBe(600);
    expect(linePath(points, scale)).toMatch(/^M0 [\d.]+L300 [\d.]+L600 [\d.]+$/);
  });

  it('labels days at their midnights, where the label has room', () => {
    const first = new Date(2026, 10, 13, 23, 50).getTime();
    const days = [0, 3.2].map((day) => ({ t: first + day * 86_400_000, value: 1 }));
    const { times, timeUnit } = lineScale(days, frame);
    expect(times.map((time) => new Date(time).toString().slice(4, 21))).toEqual([
      'Nov 15 2026 00:00',
      'Nov 16 2026 00:00',
      'Nov 17 2026 00:00',
    ]);
    expect(timeUnit).toBe('day');
    expect(lineScale(days, { ...frame, width: 324, right: 54 }).times, 'on a phone').toEqual(times);
  });

  it('draws a line that never moved through the middle', () => {
    const scale = lineScale(
      [
        { t: 0, value: 0 },
        { t: 1, value: 0 },
      ],
      frame,
    );
    expect(scale.y(0)).toBeCloseTo(100);
  });
});

describe('the crosshair', () => {
  it('finds the point nearest in time', () => {
    expect(nearestIndex(points, -5)).toBe(0);
    expect(nearestIndex(points, 24)).toBe(0);
    expect(nearestIndex(points, 26)).toBe(1);
    expect(nearestIndex(points, 900)).toBe(2);
  });

  it('reads the other line at the last value before, and nothing before it began', () => {
    expect(valueAt(points, 60)).toBe(12);
    expect(valueAt(points, -1)).toBeNull();
  });

  it('leaves zero out for an amount that is far from it, and never falls below zero for one that is not negative', () => {
    const far = lineScale(
      [
        { t: 0, value: 100 },
        { t: 1, value: 110 },
      ],
      frame,
      false,
    );
    expect(Math.min(...far.ticks)).toBeGreaterThan(90);
    const near = lineScale(
      [
        { t: 0, value: 0 },
        { t: 1, value: 10 },
      ],
      frame,
      false,
    );
    expect(Math.min(...near.ticks)).toBe(0);
  });

  it('draws an amount that hardly moves flat', () => {
    const scale = lineScale(
      [
        { t: 0, value: 10 },
        { t: 1, value: 10.0000001 },
      ],
      frame,
      false,
    );
    expect(Math.abs(scale.y(10) - scale.y(10.0000001))).toBeLessThan(0.1);
  });
});
