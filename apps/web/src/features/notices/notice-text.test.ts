import { expect, it } from 'vitest';
import { multipleText } from './notice-text.ts';

it.each([
  ['3.4127', '3.41'],
  ['0.5', '0.50'],
  ['12.34', '12.3'],
  ['250.4', '250'],
  ['x', '-'],
])('prints a multiple of %s as %s', (value, text) => {
  expect(multipleText(value)).toBe(text);
});
