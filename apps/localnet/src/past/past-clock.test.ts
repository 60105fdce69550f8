import { expect, it } from 'vitest';
import { PastClock } from './past-clock.ts';

const news = (unfinished: number) => ({ unfinished, marketAtMs: null });

it('moves on only when the server has seen the time before', async () => {
  const clock = new PastClock(1_000);
  const first = clock.answer(news(0));
  clock.move(2_000);
  const seen = clock.tell();
  expect(await first).toEqual({ nowMs: 2_000 });
  let isSeen = false;
  void seen.then(() => {
    isSeen = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isSeen).toBe(false);
  void clock.answer(news(3));
  expect(await seen).toEqual(news(3));
});

it('waits for a server that starts later, and lets it go at the end', async () => {
  const clock = new PastClock(1_000);
  const seen = clock.tell();
  const first = clock.answer(news(0));
  expect(await first).toEqual({ nowMs: 1_000 });
  const second = clock.answer(news(1));
  await seen;
  const end = clock.end();
  expect(await second).toEqual({ over: true });
  void clock.answer(news(0));
  await end;
});

it('never goes back', () => {
  const clock = new PastClock(1_000);
  clock.move(500);
  expect(clock.nowMs).toBe(1_000);
});
