import { describe, expect, it } from 'vitest';
import { addCoin, COINS_MAX, equalize, hundredths, restPercent, targetCoins, weightsProblem } from './weights.ts';

const coin = (symbol: string, weight = '0') => ({
  tokenContractAddress: symbol,
  tokenSymbol: symbol,
  tokenLogoUrl: '',
  weight,
});

describe('weights', () => {
  it('are percent points with at most two decimals', () => {
    expect(hundredths('33.33')).toBe(3_333);
    expect(hundredths('33.')).toBe(3_300);
    expect(hundredths('1.005')).toBeNull();
    expect(hundredths('')).toBeNull();
  });

  it('may not add up to more than 100', () => {
    expect(weightsProblem([coin('A', '60'), coin('B', '40.01')])).toEqual({ kind: 'over', percent: '100.01' });
    expect(weightsProblem([coin('A', '60'), coin('B', '40')])).toBeNull();
  });

  it('must each be above nothing', () => {
    expect(weightsProblem([coin('A', '60'), coin('B', '')])).toEqual({ kind: 'positive' });
  });

  it('leave the rest in SOL', () => {
    expect(restPercent([coin('A', '33.3')])).toBe('66.7');
    expect(restPercent([coin('A', '120')])).toBe('0');
  });

  it.each([1, 3, 7, 20])('of %i coins are equalized to exactly 100', (count) => {
    const coins = equalize(Array.from({ length: count }, (_, at) => coin(`C${at}`)));
    expect(restPercent(coins)).toBe('0');
    expect(weightsProblem(coins)).toBeNull();
  });

  it('of a coin that is added take what is free', () => {
    expect(addCoin([coin('A', '90')], coin('B')).at(-1)?.weight).toBe('10');
    expect(addCoin([], coin('B')).at(-1)?.weight).toBe('25');
  });

  it('take no coin twice and no more than the limit', () => {
    expect(addCoin([coin('A', '5')], coin('A'))).toHaveLength(1);
    const full = Array.from({ length: COINS_MAX }, (_, at) => coin(`C${at}`, '1'));
    expect(addCoin(full, coin('X'))).toHaveLength(COINS_MAX);
  });

  it('reach the server in one spelling', () => {
    expect(targetCoins([coin('A', '50.'), coin('B', '025.50')])).toEqual([
      { tokenContractAddress: 'A', weight: '50' },
      { tokenContractAddress: 'B', weight: '25.5' },
    ]);
  });
});
