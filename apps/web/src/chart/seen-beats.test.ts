import { expect, it } from 'vitest';
import { createSeenBeats } from './seen-beats.ts';

function setUp() {
  const waiting = new Set<() => void>();
  const beats = createSeenBeats((work) => {
    waiting.add(work);
    return () => waiting.delete(work);
  });
  const drawn: string[] = [];
  const ask = (name: string) => beats.atNext(() => drawn.push(name));
  const beat = () => {
    for (const work of waiting) work();
    waiting.clear();
    return drawn;
  };
  return { beats, ask, beat };
}

it('draws nothing while the chart is out of sight, and what waited once it is seen again', () => {
  const { beats, ask, beat } = setUp();
  ask('first');
  expect(beat()).toEqual(['first']);
  beats.setSeen(false);
  ask('second');
  expect(beat()).toEqual(['first']);
  beats.setSeen(true);
  expect(beat()).toEqual(['first', 'second']);
});

it('calls off what waits, out of sight and after it', () => {
  const { beats, ask, beat } = setUp();
  beats.setSeen(false);
  ask('never')();
  const callOff = ask('also never');
  beats.setSeen(true);
  callOff();
  expect(beat()).toEqual([]);
});
