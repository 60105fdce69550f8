import { expect, it } from 'vitest';
import { ManualClock } from '../platform/clock-for-test.ts';
import { RequestBudget, type Priority } from './request-budget.ts';
import { VenueError } from './venue-error.ts';

function aBudget(perSecond: number) {
  const clock = new ManualClock();
  const budget = new RequestBudget(perSecond, clock);
  const sent: string[] = [];
  const ask = (name: string, priority: Priority, waitMaxMs = 60_000) =>
    budget.take(priority, waitMaxMs).then(
      () => sent.push(name),
      (error: VenueError) => sent.push(`${name}: ${error.venueCode}`),
    );
  return { clock, sent, ask };
}

it('lets a second of requests go at once and spreads the rest over time', async () => {
  const { clock, sent, ask } = aBudget(2);
  for (const name of ['a', 'b', 'c', 'd']) void ask(name, 'quote');
  await clock.advance(0);
  expect(sent).toEqual(['a', 'b']);
  await clock.advance(500);
  expect(sent).toEqual(['a', 'b', 'c']);
  await clock.advance(500);
  expect(sent).toEqual(['a', 'b', 'c', 'd']);
});

it('serves executions before quotes before background reads, and equals in the order they came', async () => {
  const { clock, sent, ask } = aBudget(1);
  void ask('first', 'background');
  void ask('read', 'background');
  void ask('quote 1', 'quote');
  void ask('quote 2', 'quote');
  void ask('sell', 'execution');
  await clock.advance(4_000);
  expect(sent).toEqual(['first', 'sell', 'quote 1', 'quote 2', 'read']);
});

it('refuses a request that would wait past its deadline and goes on with the others', async () => {
  const { clock, sent, ask } = aBudget(1);
  void ask('first', 'quote');
  void ask('second', 'quote');
  void ask('impatient', 'background', 1_500);
  void ask('third', 'quote');
  await clock.advance(5_000);
  expect(sent).toEqual(['first', 'second', 'impatient: RATE_LIMITED', 'third']);
});

it('keeps no more than a second of unused requests', async () => {
  const { clock, sent, ask } = aBudget(2);
  await clock.advance(60_000);
  for (const name of ['a', 'b', 'c']) void ask(name, 'quote');
  await clock.advance(0);
  expect(sent).toEqual(['a', 'b']);
});

it('goes on where the clock is set back by an hour', async () => {
  let nowMs = 7_200_000;
  const budget = new RequestBudget(2, { nowMs: () => nowMs, pause: () => new Promise(() => {}) });
  await budget.take('execution', 1_000);
  nowMs -= 3_600_000;
  await expect(Promise.race([budget.take('execution', 1_000), Promise.resolve('waits')])).resolves.not.toBe('waits');
});
