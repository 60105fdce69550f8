import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
} from '@hunter/domain/numbers/decimal';
import type { Position } from './position.ts';

export type PositionSum = {
  amount: string | null;
  boughtAmount: string | null;
  cost: string | null;
  value: string | null;
  unrealized: string | null;
  percent: string | null;
};

/** One position out of those of several books. What one of them does not know, the sum does not know either. */
export function sumPositions(positions: readonly Position[]): PositionSum {
  const cost = sumOf(positions.map((position) => position.cost));
  const unrealized = sumOf(positions.map(({ unrealizedProfit }) => unrealizedProfit));
  return {
    amount: positions.length === 0 ? '0' : sumOf(positions.map(({ amount }) => amount)),
    boughtAmount: sumOf(positions.map((position) => position.boughtAmount)),
    cost,
    value: sumOf(positions.map(({ value }) => value)),
    unrealized,
    percent: percentOf(unrealized, cost),
  };
}

/** What selling all of it for so much would earn with the part that was bought; null where something of it is not known. */
export function profitOf(
  received: string | null,
  { amount, boughtAmount, cost }: Pick<PositionSum, 'amount' | 'boughtAmount' | 'cost'>,
): { profit: string | null; percent: string | null } {
  const isKnown = received !== null && cost !== null && amount !== null && boughtAmount !== null;
  if (!isKnown || compareDecimals(amount, '0') <= 0) return { profit: null, percent: null };
  const part = divideDecimals(multiplyDecimals(received, boughtAmount, 18, 'nearest'), amount, 9, 'nearest');
  const profit = subtractDecimals(part, cost);
  return { profit, percent: percentOf(profit, cost) };
}

function sumOf(values: readonly (string | null)[]): string | null {
  return values.length === 0 || values.includes(null) ? null : addDecimals(...(values as string[]));
}

function percentOf(part: string | null, whole: string | null): string | null {
  if (part === null || whole === null || compareDecimals(whole, '0') <= 0) return null;
  return divideDecimals(multiplyDecimals(part, '100', 9, 'nearest'), whole, 4, 'nearest');
}

/** SOL paid per bought token over all books, fees included; null without a position or where a cost is not known. */
export function averageCost(positions: readonly Pick<Position, 'boughtAmount' | 'cost'>[]): string | null {
  const cost = sumOf(positions.map((position) => position.cost));
  const amount = sumOf(positions.map(({ boughtAmount }) => boughtAmount));
  return cost === null || amount === null || compareDecimals(amount, '0') <= 0
    ? null
    : divideDecimals(cost, amount, 18, 'nearest');
}
