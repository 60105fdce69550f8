import { expect, it } from 'vitest';
import { shortAddress } from './short-address.ts';

it('keeps both ends of an address and leaves short text whole', () => {
  expect(shortAddress('7xKqP9v3mJtQ2rT8wYbN4sLhF6cDgE5aZxUkViWoRpSq')).toBe('7xKq…RpSq');
  expect(shortAddress('11111111111')).toBe('11111111111');
});
