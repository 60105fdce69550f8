// Orders that wait, while they are composed, as lines on the chart: each as soon as its own figure is typed, whatever else is
// missing.
import { formatSol } from '@hunter/domain/format/format-sol';
import { compareDecimals, divideDecimals } from '@hunter/domain/numbers/decimal';
import type { Translate } from '../../i18n/i18n.ts';
import { isStopPercent, protectionOf } from './protect-choice.ts';
import { averageOf, levelLine, partOf, PRICE_PLACES, protectLines } from './protect-lines.ts';
import type { Holding, PlannedLine } from './protect-lines.ts';
import { cleanAmount, isAmount } from './trade-amounts.ts';
import type { PriceUnit, TriggerDraft, TriggerType } from './trigger-draft.ts';

export type DraftedOrders = { bookId: string; type: TriggerType; side: 'buy' | 'sell'; draft: TriggerDraft };

/** Of the token, for places on a canvas. */
export type ChartPrices = { priceSol: number; usdPerSol: number; supply: number };

const TOKEN_PLACES = 9;

/** `held` is what the book holds now; null where its cost is not known. */
export function draftLines(orders: DraftedOrders, held: Holding | null, now: ChartPrices, t: Translate): PlannedLine[] {
  const { type, draft } = orders;
  switch (type) {
    case 'limit':
      return limitLines(orders, held, now, t);
    case 'oco':
      return exitLines(draft, held, t);
    case 'trailing':
      return trailingLines(draft, now, t);
    case 'ladder':
      return ladderLines(draft, held, t);
    // They wait for no price.
    case 'event':
    case 'dca':
      return [];
    default:
      return type satisfies never;
  }
}

function limitLines(
  { bookId, side, draft }: DraftedOrders,
  held: Holding | null,
  now: ChartPrices,
  t: Translate,
): PlannedLine[] {
  const price = inSol(draft.price, draft.unit, now);
  if (price === null) return [];
  const amount = cleanAmount(side === 'buy' ? draft.spend : draft.share);
  const amountText = !isAmount(amount) ? '' : side === 'buy' ? ` · ${formatSol(amount)}` : ` · ${amount}%`;
  const line: PlannedLine = {
    id: 'planned:limit',
    priceSol: price,
    label: `${t(`triggers.kinds.limit-${side}`)}${amountText}`,
    tone: side === 'buy' ? 'up' : 'down',
  };
  const protection = side === 'buy' && isAmount(amount) ? protectionOf(draft.protect) : null;
  if (protection === null || protection === 'incomplete') return [line];
  const { stop, target, trail } = draft.protect;
  const tokens = divideDecimals(amount, price.toFixed(PRICE_PLACES), TOKEN_PLACES, 'nearest');
  const levels = protectLines({ bookId, tokens, cost: amount, levels: { stop, target, trail } }, held, t);
  // Where nothing is held yet, the limit is the average cost.
  const isFirst = held !== null && compareDecimals(held.amount, '0') <= 0;
  return [line, ...levels.filter(({ id }) => !isFirst || id !== 'planned:cost')];
}

function exitLines({ stop, target, share }: TriggerDraft, held: Holding | null, t: Translate): PlannedLine[] {
  const average = held && averageOf(held);
  if (average === null || !isShare(share)) return [];
  const sold = { average, cost: partOf(held!.cost, cleanAmount(share)) };
  return [
    ...(isStopPercent(stop) ? [levelLine({ kind: 'stop-loss', percent: stop }, sold, t)] : []),
    ...(isAmount(target) ? [levelLine({ kind: 'take-profit', percent: target }, sold, t)] : []),
  ];
}

/** Below the price now or, where it is to start later, below the price that it starts at. */
function trailingLines({ trail, activation }: TriggerDraft, now: ChartPrices, t: Translate): PlannedLine[] {
  const start = activation === '' ? now.priceSol : inSol(activation, 'usd', now);
  if (start === null || !isStopPercent(trail)) return [];
  const name = t('triggers.kinds.trailing-stop');
  const line = (id: string, priceSol: number, label: string): PlannedLine => ({ id, priceSol, label, tone: 'down' });
  return [
    ...(activation === '' ? [] : [line('planned:activation', start, name)]),
    line('planned:trailing-stop', start * (1 - Number(trail) / 100), `${name} -${trail}%`),
  ];
}

function ladderLines({ steps, ladderStop }: TriggerDraft, held: Holding | null, t: Translate): PlannedLine[] {
  const average = held && averageOf(held);
  if (average === null) return [];
  const { cost } = held!;
  const gains = steps.flatMap(({ gain, share }, at) =>
    isAmount(gain) && isShare(share)
      ? [
          {
            ...levelLine(
              { kind: 'take-profit', percent: gain },
              { average, cost: partOf(cost, cleanAmount(share)) },
              t,
            ),
            id: `planned:step:${at}`,
          },
        ]
      : [],
  );
  return isStopPercent(ladderStop)
    ? [...gains, levelLine({ kind: 'stop-loss', percent: ladderStop }, { average, cost }, t)]
    : gains;
}

function isShare(text: string): boolean {
  const share = cleanAmount(text);
  return isAmount(share) && compareDecimals(share, '100') <= 0;
}

/** What is typed, as a price in SOL; null where it is none. */
function inSol(typed: string, unit: PriceUnit, { usdPerSol, supply }: ChartPrices): number | null {
  const value = cleanAmount(typed);
  if (!isAmount(value)) return null;
  const perSol = { sol: 1, usd: usdPerSol, 'market-cap': usdPerSol * supply }[unit];
  const price = Number(value) / perSol;
  // The least price that a decimal of so many places has.
  return price >= 10 ** -PRICE_PLACES && Number.isFinite(price) ? price : null;
}
