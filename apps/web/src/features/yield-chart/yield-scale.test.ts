import { describe, expect, it } from 'vitest';
import { linePath, nearestIndex, niceStep, valueAt, yieldScale } from './yield-scale.ts';

const frame = { width: 600, height: 200, left: 0, right: 0, top: 0, bottom: 0 };
const points = [
  { t: 0, value: 0 },
  { t: 50, value: 12 },
  { t: 100, value: 8 },
];

describe('the yield scale', () => {
  it('draws its lines at round values', () => {
    expect(niceStep(40, 4)).toBe(10);
    expect(niceStep(0.07, 4)).toBe(0.02);
    expect(niceStep(9, 4)).toBe(5);
  });

  it('holds every point and zero', () => {
    const scale = yieldScale(
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
    const scale = yieldScale(points, frame);
    expect(scale.x(0)).toBe(0);
    expect(scale.x(100)).toBe(600);
    expect(linePath(points, scale)).toMatch(/^M0 [\d.]+L300 [\d.]+L600 [\d.]+$/);
  });

  it('draws a line that never moved through the middle', () => {
    const scale = yieldScale(
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
});
