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
    cost,
    value: sumOf(positions.map(({ value }) => value)),
    unrealized,
    percent: percentOf(unrealized, cost),
  };
}

/** What a sale would earn; null where the cost or what it brings is not known. */
export function profitOf(
  received: string | null,
  cost: string | null,
): { profit: string | null; percent: string | null } {
  const profit = received === null || cost === null ? null : subtractDecimals(received, cost);
  return { profit, percent: percentOf(profit, cost) };
}

function sumOf(values: readonly (string | null)[]): string | null {
  return values.length === 0 || values.includes(null) ? null : addDecimals(...(values as string[]));
}

function percentOf(part: string | null, whole: string | null): string | null {
  if (part === null || whole === null || compareDecimals(whole, '0') <= 0) return null;
  return divideDecimals(multiplyDecimals(part, '100', 9, 'nearest'), whole, 4, 'nearest');
}

/** SOL paid per token over all books, fees included; null without a position or where a cost is not known. */
export function averageCost(positions: readonly Pick<Position, 'amount' | 'cost'>[]): string | null {
  const cost = sumOf(positions.map((position) => position.cost));
  const amount = sumOf(positions.map((position) => position.amount));
  return cost === null || amount === null || compareDecimals(amount, '0') <= 0
    ? null
    : divideDecimals(cost, amount, 18, 'nearest');
}
