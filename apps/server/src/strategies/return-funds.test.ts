import { expect, it } from 'vitest';
import { largestReturn } from './return-funds.ts';

it('asks the signer for what it lets go at once, and for the rest in parts of a fifth of all commits', () => {
  expect(largestReturn(100_000_000n, 0n, 1_000_000_000n)).toBe(150_000_000n);
  expect(largestReturn(100_000_000n, 120_000_000n, 1_000_000_000n)).toBe(30_000_000n);
  expect(largestReturn(100_000_000n, 150_000_000n, 1_000_000_000n)).toBe(200_000_000n);
  expect(largestReturn(100_000_000n, 149_995_000n, 1_000_000_000n)).toBe(200_000_000n);
});
