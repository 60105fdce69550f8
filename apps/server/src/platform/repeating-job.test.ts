import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from './log.ts';
import { RepeatingJob } from './repeating-job.ts';

const log = createLog('silent');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('runs one at a time, and again after its pause', async () => {
  let runs = 0;
  let finish = () => {};
  const job = new RepeatingJob({
    work: () => {
      runs += 1;
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
    everyMs: 100,
    failed: 'failed',
    log,
  });
  job.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);
  finish();
  await vi.advanceTimersByTimeAsync(100);
  expect(runs).toBe(2);
  const stopped = job.stop();
  finish();
  await stopped;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(2);
});

it('goes on after a run that failed', async () => {
  let runs = 0;
  const job = new RepeatingJob({
    work: async () => {
      runs += 1;
      throw new Error('down');
    },
    everyMs: 100,
    failed: 'failed',
    log,
  });
  job.start();
  await vi.advanceTimersByTimeAsync(350);
  await job.stop();
  expect(runs).toBe(3);
});

it('rests in proportion to what a run took', async () => {
  let runs = 0;
  const job = new RepeatingJob({
    work: () => {
      runs += 1;
      return new Promise((resolve) => setTimeout(resolve, 100));
    },
    everyMs: 100,
    restFactor: 4,
    failed: 'failed',
    log,
  });
  job.start();
  await vi.advanceTimersByTimeAsync(550);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(runs).toBe(2);
  void job.stop();
});
