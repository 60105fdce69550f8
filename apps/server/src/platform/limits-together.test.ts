import { expect, it } from 'vitest';
import { LocalBus } from './bus/local-bus.ts';
import type { Clock } from './clock.ts';
import { keepLimitTogether } from './limits-together.ts';
import { createLog } from './log.ts';
import { RateLimit } from './rate-limit.ts';

const log = createLog('silent');
let nowMs = 0;

/** Pauses end when told. */
function aTurn() {
  let end = () => {};
  const clock: Clock = {
    nowMs: () => nowMs,
    pause: (_, signal) =>
      new Promise((resolve) => {
        end = resolve;
        signal?.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
  const pass = async () => {
    end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, pass };
}

function aProcess(bus: LocalBus) {
  const { clock, pass } = aTurn();
  const limit = new RateLimit(clock, 10, 100);
  const together = keepLimitTogether('address', limit, { bus, clock, log });
  const take = (key: string, times: number) =>
    Array.from({ length: times }, () => limit.take(key)).filter((wait) => wait === 0).length;
  return { take, pass, stop: () => together.stop() };
}

it('counts what others let pass, so that several processes give no more than one', async () => {
  const bus = new LocalBus();
  const [left, right] = [aProcess(bus), aProcess(bus)];
  await left.pass();
  await right.pass();
  expect([left.take('a', 80), right.take('a', 70), right.take('b', 4)]).toEqual([80, 70, 4]);
  await left.pass();
  await right.pass();
  // 150 have passed where one would have let 100 pass: for five seconds nothing does, and then ten a second.
  expect([left.take('a', 1), right.take('a', 1)]).toEqual([0, 0]);
  nowMs += 5_000;
  expect([left.take('a', 1), right.take('a', 1)]).toEqual([0, 0]);
  nowMs += 1_000;
  expect(left.take('a', 100)).toBe(10);
  await left.pass();
  expect(right.take('a', 100)).toBe(0);
  // Little is not told.
  expect(left.take('b', 100)).toBe(100);
  await Promise.all([left.stop(), right.stop()]);
});
