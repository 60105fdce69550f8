// What a buy that is being composed would be protected by, as lines on the chart. A line is a place on a canvas, so floats
// do for prices; what is won or lost there is reckoned in decimals.
import { formatSolChange } from '@hunter/domain/format/format-sol';
import { addDecimals, compareDecimals, divideDecimals, multiplyDecimals } from '@hunter/domain/numbers/decimal';
import type { Translate } from '../../i18n/i18n.ts';
import { protectionOf } from './protect-choice.ts';
import type { ProtectChoice } from './protect-choice.ts';
import type { Quote } from './use-quote.ts';

/** What the server says the buy would bring and cost, and what is typed to protect it. */
export type ProtectedBuy = { bookId: string; tokens: string; cost: string; levels: Omit<ProtectChoice, 'isOn'> };

/** A line of an order that is not placed yet. */
export type PlannedLine = {
  id: string;
  priceSol: number;
  label: string;
  tone: 'up' | 'down' | 'accent';
};

/** What a book holds of what it bought, and what that cost. */
export type Holding = { amount: string; cost: string };

const SOL_DECIMALS = 9;
export const PRICE_PLACES = 18;

/** Null while the form does not say what to buy and how to protect it. */
export function protectedBuy(bookId: string, quote: Quote | null, choice: ProtectChoice): ProtectedBuy | null {
  const protection = protectionOf(choice);
  if (quote === null || quote.side !== 'buy' || protection === null || protection === 'incomplete') return null;
  const { stop, target, trail } = choice;
  // As the average cost counts it: the rent is a deposit.
  const cost = addDecimals(quote.amountIn, quote.fees.network);
  return { bookId, tokens: quote.expectedOut, cost, levels: { stop, target, trail } };
}

/**
 * Levels are percentages from the average cost of all that the book will hold then. `held` is what it holds now; null where
 * its cost is not known.
 */
export function protectLines(
  { tokens, cost, levels }: ProtectedBuy,
  held: Holding | null,
  t: Translate,
): PlannedLine[] {
  if (held === null) return [];
  const all = { amount: addDecimals(tokens, held.amount), cost: addDecimals(cost, held.cost) };
  const average = averageOf(all);
  if (average === null) return [];
  const { stop, target, trail } = levels;
  const placed = [
    { kind: 'stop-loss', percent: stop },
    { kind: 'take-profit', percent: target },
    { kind: 'trailing-stop', percent: trail },
  ] as const;
  return [
    { id: 'planned:cost', priceSol: average, label: t('token.chart.expectedCost'), tone: 'accent' },
    ...placed.filter(({ percent }) => percent !== '').map((level) => levelLine(level, { average, cost: all.cost }, t)),
  ];
}

/** Null where nothing is held. */
export function averageOf({ amount, cost }: Holding): number | null {
  return compareDecimals(amount, '0') <= 0 ? null : Number(divideDecimals(cost, amount, PRICE_PLACES, 'nearest'));
}

/** A level that many percent from an average cost, and what it wins or loses of what `cost` was paid for. */
export function levelLine(
  { kind, percent }: { kind: 'stop-loss' | 'take-profit' | 'trailing-stop'; percent: string },
  { average, cost }: { average: number; cost: string },
  t: Translate,
): PlannedLine {
  const isLoss = kind !== 'take-profit';
  const change = isLoss ? `-${percent}` : percent;
  return {
    id: `planned:${kind}`,
    priceSol: average * (1 + Number(change) / 100),
    label: `${t(`triggers.kinds.${kind}`)} ${isLoss ? '' : '+'}${change}% (≈ ${formatSolChange(partOf(cost, change))})`,
    tone: isLoss ? 'down' : 'up',
  };
}

/** So much percent of it. */
export function partOf(cost: string, percent: string): string {
  const hundredfold = multiplyDecimals(cost, percent, SOL_DECIMALS, 'nearest');
  return divideDecimals(hundredfold, '100', SOL_DECIMALS, 'nearest');
}
