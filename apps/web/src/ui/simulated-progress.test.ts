import { expect, it } from 'vitest';
import { nextProgress, PROGRESS_LIMIT, PROGRESS_TICK_MS } from './simulated-progress.ts';

it('advances every 200 ms, ever slower, and never arrives by itself', () => {
  expect(PROGRESS_TICK_MS).toBe(200);
  let percent = 0;
  let last = Number.POSITIVE_INFINITY;
  for (let tick = 0; tick < 300; tick += 1) {
    const next = nextProgress(percent);
    expect(next - percent).toBeLessThanOrEqual(last + 1e-9);
    last = next - percent;
    percent = next;
  }
  expect(percent).toBe(PROGRESS_LIMIT);
});
