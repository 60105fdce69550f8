import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { pastClock } from './past-clock.ts';

it('has the time that it was told, never back and never ahead of the real one', () => {
  const launcher = new EventEmitter();
  const now = pastClock(launcher);
  const tell = (message: unknown) => launcher.emit('message', message);
  const begin = now();
  const day = 86_400_000;
  tell({ nowMs: Date.now() - 5 * day });
  const told = now();
  expect(told).toBeGreaterThan(begin);
  for (const message of [{ nowMs: begin }, { nowMs: 'later' }, null, 'text']) tell(message);
  expect(now()).toBe(told);
  tell({ nowMs: Date.now() + day });
  expect(now()).toBeLessThanOrEqual(Date.now());
});
