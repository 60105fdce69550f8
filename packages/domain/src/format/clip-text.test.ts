import { expect, it } from 'vitest';
import { clipText } from './clip-text.ts';

it('leaves a text that fits, and ends a longer one with an ellipsis', () => {
  expect(clipText('moon', 4)).toBe('moon');
  expect(clipText('moons', 4)).toBe('moo…');
});

it('never cuts a character in half', () => {
  expect(clipText('ab🚀cd', 4)).toBe('ab…');
  expect(clipText('ab🚀cd', 5)).toBe('ab🚀…');
});
