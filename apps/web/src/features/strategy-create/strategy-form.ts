// What the wizard collects and when it may go on. Plain, so that the rules are tested without a browser.
import type { CallRequest } from '@hunter/contract/calls';
import { amountProblem, tidyAmount } from '../../ui/sol-amount.ts';
import type { AmountProblem } from '../../ui/sol-amount.ts';
import { targetCoins } from './weights.ts';
import type { Coin } from './weights.ts';

export type StrategyForm = {
  name: string;
  description: string;
  lasts: 'open' | 'fixed';
  days: string;
  hours: string;
  minutes: string;
  autoClear: boolean;
  coins: readonly Coin[];
  capital: string;
};

export const emptyForm: StrategyForm = {
  name: '',
  description: '',
  lasts: 'open',
  days: '7',
  hours: '0',
  minutes: '0',
  autoClear: true,
  coins: [],
  capital: '',
};

export const NAME_LENGTH = { min: 2, max: 40 } as const;
export const DESCRIPTION_LENGTH_MAX = 500;

type DurationProblem = 'durationMissing' | 'durationRange';

export function durationProblem(form: StrategyForm): DurationProblem | null {
  if (form.lasts === 'open') return null;
  const { days, hours, minutes } = durationOf(form);
  if (days > 365 || hours > 23 || minutes > 59) return 'durationRange';
  return days + hours + minutes === 0 ? 'durationMissing' : null;
}

export function nameFits(name: string): boolean {
  const { length } = name.trim();
  return length >= NAME_LENGTH.min && length <= NAME_LENGTH.max;
}

export function capitalProblem(form: StrategyForm, available: string | null): AmountProblem | null {
  return amountProblem(form.capital, available);
}

export function createRequest(form: StrategyForm): CallRequest<'createStrategy'> {
  return {
    name: form.name.trim(),
    description: form.description.trim(),
    capital: tidyAmount(form.capital),
    coins: targetCoins(form.coins),
    autoClear: form.autoClear,
    ...(form.lasts === 'fixed' ? { duration: durationOf(form) } : {}),
  };
}

function durationOf(form: StrategyForm): { days: number; hours: number; minutes: number } {
  const whole = (text: string) => (/^\d{1,4}$/.test(text) ? Number(text) : 0);
  return { days: whole(form.days), hours: whole(form.hours), minutes: whole(form.minutes) };
}
