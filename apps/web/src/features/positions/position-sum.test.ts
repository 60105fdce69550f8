import { expect, it } from 'vitest';
import { averageCost, profitOf, sumPositions } from './position-sum.ts';
import type { Position } from './position.ts';

function aPosition(changes: Partial<Position> = {}): Position {
  return {
    tokenContractAddress: 'mint',
    tokenSymbol: 'FWOG',
    tokenName: 'Fwog',
    tokenLogoUrl: '',
    bookId: 'b',
    bookKind: 'personal',
    bookName: '',
    openTime: 0,
    amount: '100.5',
    boughtAmount: '100.5',
    cost: '1',
    value: '1.25',
    valueUsd: '200',
    unrealizedProfit: '0.25',
    unrealizedPercent: '25',
    ...changes,
  };
}

it('adds the positions of several books exactly', () => {
  const sum = sumPositions([aPosition(), aPosition({ cost: '3', value: '2.75', unrealizedProfit: '-0.25' })]);
  expect(sum).toMatchObject({ amount: '201', cost: '4', value: '4', percent: expect.stringMatching(/^-?0(\.0+)?$/) });
  expect(Number(sum.unrealized)).toBe(0);
});

it('gives the profit in percent of the cost', () => {
  expect(Number(sumPositions([aPosition()]).percent)).toBe(25);
});

it('does not know what one of the books does not know', () => {
  const sum = sumPositions([aPosition(), aPosition({ cost: null, unrealizedProfit: null, value: null })]);
  expect(sum).toEqual({ amount: '201', boughtAmount: '201', cost: null, value: null, unrealized: null, percent: null });
});

it('does not know an amount that one of the books does not know', () => {
  expect(sumPositions([aPosition(), aPosition({ amount: null })]).amount).toBeNull();
  expect(sumPositions([]).amount).toBe('0');
});

it('takes the average cost over all books, and knows none where one of them does not', () => {
  const costs = (list: [string | null, string][]) => list.map(([cost, boughtAmount]) => ({ cost, boughtAmount }));
  expect(
    averageCost(
      costs([
        ['1.5', '300'],
        ['0.5', '100'],
      ]),
    ),
  ).toBe('0.005');
  expect(
    averageCost(
      costs([
        ['1.5', '300'],
        [null, '100'],
      ]),
    ),
  ).toBeNull();
  expect(averageCost(costs([['0', '0']]))).toBeNull();
  expect(averageCost([])).toBeNull();
});

it('counts tokens from outside neither to the average cost nor to the profit of a sale', () => {
  const given = aPosition({ amount: '1005' });
  expect(averageCost([given])).toBe(averageCost([aPosition()]));
  // A tenth of what the sale brings is of what was bought.
  expect(profitOf('12.5', sumPositions([given]))).toMatchObject({ profit: '0.25' });
  expect(profitOf('1.25', sumPositions([aPosition()]))).toMatchObject({ profit: '0.25' });
  expect(profitOf('1.25', sumPositions([aPosition({ cost: null })]))).toEqual({ profit: null, percent: null });
});
