import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ManualClock } from './clock-for-test.ts';
import { createLog } from './log.ts';
import { Loop, type LoopOptions, loopRuns, type LoopRun } from './loop.ts';

const lines: { level: number; msg: string; loop: string; err: { message: string; stack: string } }[] = [];
const log = createLog('debug', { write: (line: string) => lines.push(JSON.parse(line)) } as never);
let clock = new ManualClock();
let loop: Loop<unknown>;

function aLoop<T>(options: Partial<LoopOptions<T>> & Pick<LoopOptions<T>, 'work'>): Loop<T> {
  clock = new ManualClock();
  lines.length = 0;
  const made = new Loop<T>({ name: 'test pass', everyMs: 100, clock, log, ...options });
  loop = made as Loop<unknown>;
  return made;
}

/** How much further the system's date is than what has passed. */
let jumpedMs = 0;
beforeEach(() => {
  jumpedMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock.nowMs() - jumpedMs);
});
afterEach(async () => {
  await loop.stop();
  vi.restoreAllMocks();
});

it('runs at once, one run at a time, and again after its pause', async () => {
  const finish: (() => void)[] = [];
  aLoop({ work: () => new Promise<void>((resolve) => finish.push(resolve)) }).start();
  loop.start();
  await clock.advance(1_000);
  expect(finish.length).toBe(1);
  finish[0]!();
  await clock.advance(99);
  expect(finish.length).toBe(1);
  await clock.advance(1);
  expect(finish.length).toBe(2);
  finish[1]!();
});

it('waits for the run under way when it is stopped, tells that run, and runs no more', async () => {
  let runs = 0;
  let finish = () => {};
  let signal: AbortSignal | null = null;
  aLoop({
    work: (stopping) => {
      runs += 1;
      signal = stopping;
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
  }).start();
  let isStopped = false;
  const stopped = loop.stop().then(() => {
    isStopped = true;
  });
  await clock.advance(0);
  expect([isStopped, signal!.aborted]).toEqual([false, true]);
  finish();
  await stopped;
  await clock.advance(1_000);
  expect([runs, clock.waiting]).toEqual([1, 0]);
});

it('can be started again after it was stopped', async () => {
  let runs = 0;
  aLoop({ work: async () => void (runs += 1) }).start();
  await loop.stop();
  loop.start();
  await clock.advance(0);
  expect(runs).toBe(2);
});

it('takes its pause from the result of the run', async () => {
  const results = ['busy', 'busy', 'idle', 'idle'];
  const runAt: number[] = [];
  const startMs = new ManualClock().nowMs();
  aLoop({
    work: async () => {
      runAt.push(clock.nowMs() - startMs);
      return results.shift();
    },
    everyMs: (result) => (result === 'busy' ? 0 : 500),
    firstAfterMs: 10,
  }).start();
  await clock.advance(600);
  expect(runAt).toEqual([10, 10, 10, 510]);
});

it('runs at once when it is woken, also when that happens during a run', async () => {
  let runs = 0;
  let finish = () => {};
  aLoop({
    work: () => {
      runs += 1;
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
  }).start();
  loop.wake();
  finish();
  await clock.advance(0);
  expect(runs).toBe(2);
  finish();
  await clock.advance(50);
  expect(runs).toBe(2);
  loop.wake();
  await clock.advance(0);
  expect(runs).toBe(3);
  finish();
});

it('backs off up to a limit while runs fail, says so with the stack, and starts anew after a success', async () => {
  const runAt: number[] = [];
  const startMs = new ManualClock().nowMs();
  let isFailing = true;
  aLoop({
    work: async () => {
      runAt.push(clock.nowMs() - startMs);
      if (isFailing) throw new Error('down');
    },
    retryMs: { first: 500, max: 1_500 },
  }).start();
  await clock.advance(4_500);
  expect(runAt).toEqual([0, 500, 1_500, 3_000, 4_500]);
  expect(lines.map((line) => line.msg)).toEqual([
    'test pass failed; retrying in 500 ms',
    'test pass failed; retrying in 1 s',
    'test pass failed; retrying in 2 s',
    'test pass failed; retrying in 2 s',
    'test pass failed; retrying in 2 s',
  ]);
  expect(lines[0]).toMatchObject({ loop: 'test pass', err: { message: 'down' } });
  expect(lines[0]!.err.stack).toContain('loop.test.ts');
  isFailing = false;
  await clock.advance(1_500);
  expect(runAt.splice(0)).toContain(6_000);
  isFailing = true;
  await clock.advance(100);
  await clock.advance(500);
  expect(runAt).toEqual([6_100, 6_600]);
});

it('is not woken out of the pause after a failure', async () => {
  let runs = 0;
  aLoop({
    work: async () => {
      runs += 1;
      throw new Error('down');
    },
  }).start();
  await clock.advance(10);
  loop.wake();
  await clock.advance(980);
  expect(runs).toBe(1);
  await clock.advance(10);
  expect(runs).toBe(2);
});

it('rests in proportion to what a run took', async () => {
  let runs = 0;
  aLoop({
    work: () => {
      runs += 1;
      return clock.pause(100);
    },
    restFactor: 4,
  }).start();
  await clock.advance(499);
  expect(runs).toBe(1);
  await clock.advance(1);
  expect(runs).toBe(2);
  await clock.advance(100);
});

it('rests no longer because the date was set ahead during a run', async () => {
  let runs = 0;
  aLoop({
    work: async () => {
      runs += 1;
      await clock.pause(3_600_000);
      jumpedMs += 3_600_000;
    },
    restFactor: 4,
  }).start();
  await clock.advance(3_600_000);
  await clock.advance(100);
  expect(runs).toBe(2);
  await clock.advance(3_600_000);
});

it('reports each run, how long it took and whether it failed', async () => {
  const runs: LoopRun[] = [];
  const listen = (message: unknown) => void runs.push(message as LoopRun);
  loopRuns.subscribe(listen);
  const results = [() => clock.pause(30), () => Promise.reject(new Error('down'))];
  aLoop({ work: () => results.shift()!() }).start();
  await clock.advance(130);
  await loop.stop();
  loopRuns.unsubscribe(listen);
  expect(runs).toEqual([
    { loop: 'test pass', durationMs: 30, failed: false },
    { loop: 'test pass', durationMs: 0, failed: true },
  ]);
});
