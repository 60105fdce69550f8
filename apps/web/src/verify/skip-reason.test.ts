import { expect, it } from 'vitest';
import { skipReason } from './skip-reason.ts';
import { translator } from './texts.ts';

it('says in words why a copy was skipped, where the number is known', () => {
  expect(skipReason(14, translator('en'))).toBe('Coin cap: this coin’s share of the follow is full');
  expect(skipReason(14, translator('zh'))).toBe('单币上限：该币占比已满');
  expect(skipReason(999, translator('en'))).toBe('Skipped for another reason (999)');
});
