import { describe, expect, it } from 'vitest';
import { cleanAmount, isAmount, largestBuy, obstacle, shareOf } from './trade-amounts.ts';

describe('amounts of a trade', () => {
  it('keep something back for fees and deposits when everything is spent', () => {
    expect(largestBuy('10', 'personal')).toBe('9.995');
    expect(largestBuy('1.000000001', 'strategy')).toBe('0.996000001');
    expect(largestBuy('0.001', 'personal')).toBe('0');
  });

  it('are shares of a holding, rounded down, and the whole of it to the last unit', () => {
    expect(shareOf('1000.000003', 25, 6)).toBe('250');
    expect(shareOf('0.000003', 50, 6)).toBe('0.000001');
    expect(shareOf('181240.123456', 100, 6)).toBe('181240.123456');
    expect(shareOf('12', 75, 0)).toBe('9');
  });

  it('are decimal text above zero', () => {
    expect(['0.5', '12', '0.000000001'].every(isAmount)).toBe(true);
    expect(['', '0', '0.00', '.', '1.', '-1', 'x'].some(isAmount)).toBe(false);
    expect(cleanAmount('1.')).toBe('1');
    expect(cleanAmount('0.50')).toBe('0.5');
    expect(cleanAmount('100')).toBe('100');
  });

  it('say what stands against the order before it is sent', () => {
    const book = { availableSol: '2', amount: '100.5' };
    expect(obstacle('buy', '', book)).toBe('no-amount');
    expect(obstacle('buy', '2.1', book)).toBe('insufficient');
    expect(obstacle('buy', '2', book)).toBeNull();
    expect(obstacle('sell', '100.6', book)).toBe('insufficient');
    expect(obstacle('sell', '100.5', book)).toBeNull();
    expect(obstacle('sell', '1', { availableSol: '2', amount: '0.000000' })).toBe('nothing-to-sell');
  });
});
