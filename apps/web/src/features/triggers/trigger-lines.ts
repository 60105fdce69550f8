// Triggers as lines on the chart, and a dragged line as the level of its trigger. A line is a place on a canvas, so floats do;
// what the user confirms is the rounded decimal that is sent.
import type { Translate } from '../../i18n/i18n.ts';
import { amountText, kindText } from './trigger-text.ts';
import { isChangeable, triggerTone } from './trigger.ts';
import type { Trigger } from './trigger.ts';

/** Prices now and the supply: a level in SOL is drawn in dollars at today's price of SOL. */
export type TokenPrices = { usd: number; sol: number; supply: number };
type Level = NonNullable<Trigger['level']>;

/** Of the name of an account, on a chart. */
const OWNER_LENGTH_MAX = 14;

export type TriggerLine = {
  id: string;
  price: { usd: number; sol: number };
  label: string;
  tone: 'up' | 'down';
  draggable: boolean;
};

/** Those that wait for a price; a paused one says so. */
export function triggerLines(triggers: readonly Trigger[], prices: TokenPrices, t: Translate): TriggerLine[] {
  const lines: TriggerLine[] = [];
  for (const trigger of triggers) {
    const { level, trailing } = trigger;
    const drawn: Pick<Level, 'unit' | 'value'> | null =
      level ?? (trailing?.firesAt ? { unit: 'sol', value: trailing.firesAt } : (trailing?.activation ?? null));
    if (!drawn) continue;
    const state = trigger.state === 'paused' ? ` (${t('triggers.states.paused')})` : '';
    lines.push({
      id: trigger.id,
      price: priceOf(drawn, prices),
      // Several accounts may have the same order: of the line that is dragged one has to know whose it is.
      label: [kindText(trigger, t), `${shortAmount(trigger, t)}${state}`, ...ownerOf(trigger)].join(' · '),
      tone: triggerTone(trigger),
      draggable: level !== null && isChangeable(trigger),
    });
  }
  return lines;
}

/** The personal account is meant where none is named. */
function ownerOf({ bookKind, bookName }: Trigger): readonly string[] {
  if (bookKind === 'personal') return [];
  const letters = Array.from(bookName);
  return [letters.length > OWNER_LENGTH_MAX ? `${letters.slice(0, OWNER_LENGTH_MAX - 1).join('')}…` : bookName];
}

/** A chart has no room for "of holding". */
function shortAmount(trigger: Trigger, t: Translate): string {
  const { amount } = trigger;
  const isShare = amount?.unit === 'percent-held' && amount.value !== null && Number(amount.value) < 100;
  return isShare ? `${amount.value}%` : amountText(trigger, t);
}

function priceOf({ unit, value }: Pick<Level, 'unit' | 'value'>, { usd, sol, supply }: TokenPrices) {
  const number = Number(value);
  if (unit === 'sol') return { sol: number, usd: (number * usd) / sol };
  const inUsd = unit === 'market-cap' ? number / supply : number;
  return { usd: inUsd, sol: (inUsd * sol) / usd };
}

/** The price where a line was dropped, in the unit of its trigger, with five significant digits. */
export function levelAt(price: { usd: number; sol: number }, unit: Level['unit'], { supply }: TokenPrices): string {
  return decimalText(unit === 'sol' ? price.sol : unit === 'usd' ? price.usd : price.usd * supply);
}

/** True where the price now is past the level already, so that it would fire at once. */
export function isPastLevel({ when }: Level, unit: Level['unit'], value: string, prices: TokenPrices): boolean {
  const now = Number(levelAt(prices, unit, prices));
  return when === 'below' ? now <= Number(value) : now >= Number(value);
}

function decimalText(value: number): string {
  const places = Math.min(18, Math.max(0, 4 - Math.floor(Math.log10(value))));
  const text = value.toFixed(places);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
