import { describe, expect, it } from 'vitest';
import { amountView } from './trigger-view.ts';

describe('the amount of a trigger', () => {
  it('is shown in units of the token, and is unknown where its decimals are', () => {
    expect(amountView({ unit: 'tokens', value: 1_500_000n }, 6)).toEqual({ unit: 'tokens', value: '1.5' });
    expect(amountView({ unit: 'tokens', value: 1_500_000n }, null)).toEqual({ unit: 'tokens', value: null });
  });

  it('needs no decimals of the token in SOL or as a part', () => {
    expect(amountView({ unit: 'sol', value: 500_000_000n }, null)).toEqual({ unit: 'sol', value: '0.5' });
    expect(amountView({ unit: 'percent-held', value: 2_550n }, null)).toEqual({
      unit: 'percent-held',
      value: '25.5',
    });
  });
});
