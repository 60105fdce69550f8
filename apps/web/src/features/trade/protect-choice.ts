// What is placed together with a buy: percentages from the average cost, as typed; empty is off. Remembered in this browser,
// for each account by itself.
import type { CallRequest } from '@hunter/contract/calls';
import { isAmount } from './trade-amounts.ts';

/** `trail` is the distance of a trailing stop from the highest price since the buy. */
export type ProtectChoice = { isOn: boolean; stop: string; target: string; trail: string };
export type Protection = NonNullable<CallRequest<'tokenTransfer'>['protect']>;

const keyOf = (account: string) => `trade.protect.of.${account}`;
const DEFAULT: ProtectChoice = { isOn: false, stop: '25', target: '100', trail: '' };
const PERCENT = /^\d{0,6}(\.\d{0,2})?$/;

export function readProtectChoice(storage: Pick<Storage, 'getItem'>, account: string): ProtectChoice {
  try {
    const stored = JSON.parse(storage.getItem(keyOf(account)) ?? 'null') as Partial<ProtectChoice> | null;
    const percent = (text: unknown, usual: string) => (typeof text === 'string' && PERCENT.test(text) ? text : usual);
    return {
      isOn: stored?.isOn === true,
      stop: percent(stored?.stop, DEFAULT.stop),
      target: percent(stored?.target, DEFAULT.target),
      trail: percent(stored?.trail, DEFAULT.trail),
    };
  } catch {
    return DEFAULT;
  }
}

export function writeProtectChoice(storage: Pick<Storage, 'setItem'>, account: string, choice: ProtectChoice): void {
  storage.setItem(keyOf(account), JSON.stringify(choice));
}

/** A price cannot fall by all of itself. */
export function isStopPercent(text: string): boolean {
  return isAmount(text) && Number(text) < 100;
}

/** What the server is asked for; null where nothing is protected, `incomplete` where something should be and is not said. */
export function protectionOf({ isOn, stop, target, trail }: ProtectChoice): Protection | null | 'incomplete' {
  if (!isOn) return null;
  if (stop !== '' && !isStopPercent(stop)) return 'incomplete';
  if (target !== '' && !isAmount(target)) return 'incomplete';
  if (trail !== '' && !isStopPercent(trail)) return 'incomplete';
  if (stop === '' && target === '' && trail === '') return 'incomplete';
  return {
    ...(stop === '' ? {} : { stopLoss: { unit: 'percent' as const, value: stop } }),
    ...(target === '' ? {} : { takeProfit: { unit: 'percent' as const, value: target } }),
    ...(trail === '' ? {} : { trailing: trail }),
  };
}
