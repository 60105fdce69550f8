import { expect, it } from 'vitest';
import { groupThousands } from './group-thousands.ts';

it.each([
  ['999', '999'],
  ['1000', '1,000'],
  ['-1234567.5', '-1,234,567.5'],
  ['0.123456789', '0.123456789'],
  ['100000.000000001', '100,000.000000001'],
])('shows %s as %s', (text, grouped) => {
  expect(groupThousands(text)).toBe(grouped);
});
