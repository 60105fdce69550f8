import { expect, it } from 'vitest';
import { summarise } from './summary.ts';

type Verdict = Parameters<typeof summarise>[0][number]['verdict'];
const of = (...verdicts: Verdict[]) => summarise(verdicts.map((verdict) => ({ verdict })));

it('counts the figures that agree, or those that differ', () => {
  expect(of('same', 'same', 'published', 'computed')).toEqual({ outcome: 'same', count: 2 });
  expect(of('same', 'different', 'published')).toEqual({ outcome: 'different', count: 1 });
});

it('says that there is nothing to compare, not that all of no figures agree', () => {
  expect(of('published', 'computed')).toEqual({ outcome: 'none', count: 0 });
  expect(of()).toEqual({ outcome: 'none', count: 0 });
});
