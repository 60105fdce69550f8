import { expect, it } from 'vitest';
import { printSlippage, readSlippage } from './slippage.ts';

it('reads percent as basis points within the limits', () => {
  expect(readSlippage('1', 5_000)).toBe(100);
  expect(readSlippage('0.5', 5_000)).toBe(50);
  expect(readSlippage('50', 5_000)).toBe(5_000);
  expect(readSlippage('50.01', 5_000)).toBeNull();
  expect(readSlippage('0', 5_000)).toBeNull();
  expect(readSlippage('', 5_000)).toBeNull();
});

it('prints what it reads', () => {
  for (const bps of [1, 50, 100, 1_234, 5_000]) expect(readSlippage(printSlippage(bps), 5_000)).toBe(bps);
});
