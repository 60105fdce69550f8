import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from './sha256.ts';

it('answers what Node answers, for every length around the block limits', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (message) => {
      expect(Buffer.from(sha256(message)).toString('hex')).toBe(createHash('sha256').update(message).digest('hex'));
    }),
  );
  for (const length of [0, 55, 56, 63, 64, 119, 120]) {
    const message = new Uint8Array(length).fill(7);
    expect(Buffer.from(sha256(message))).toEqual(createHash('sha256').update(message).digest());
  }
});
