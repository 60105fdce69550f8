import { describe, expect, it } from 'vitest';
import { isAddress } from './address.ts';

describe('an address', () => {
  it.each([
    '11111111111111111111111111111111',
    'So11111111111111111111111111111111111111112',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    // The largest that 32 bytes can say.
    'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG',
  ])('is %s', (text) => {
    expect(isAddress(text)).toBe(true);
  });

  it.each([
    '',
    '1'.repeat(31),
    '1'.repeat(33),
    // One more than the largest.
    'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH',
    'z'.repeat(44),
    'z'.repeat(32),
    'So1111111111111111111111111111111111111111O',
    'So11111111111111111111111111111111111111112\n',
  ])('is not %j', (text) => {
    expect(isAddress(text)).toBe(false);
  });
});
