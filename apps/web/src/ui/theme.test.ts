import { expect, it } from 'vitest';
import { themeFrom } from './theme.ts';

it.each([
  [null, 'dark'],
  ['light', 'light'],
  ['dark', 'dark'],
  ['purple', 'dark'],
])('takes %j as %s', (stored, theme) => {
  expect(themeFrom(stored)).toBe(theme);
});
