// What the trigger forms hold, as typed, and the request that follows from it. Whether it makes sense in the market is for
// the server's preview to say; here only what is missing is noticed.
import type { CallRequest } from '@hunter/contract/calls';
import { compareDecimals } from '@hunter/domain/numbers/decimal';
import { cleanAmount, isAmount } from './trade-amounts.ts';
import { isStopPercent, protectionOf } from './protect-choice.ts';
import type { ProtectChoice } from './protect-choice.ts';

type PlaceRequest = CallRequest<'placeTrigger'>;
type TriggerRequest = PlaceRequest['triggers'][number];
export type DraftTriggers = Pick<PlaceRequest, 'triggers' | 'group'>;

export type TriggerType = 'limit' | 'oco' | 'trailing' | 'ladder' | 'event' | 'dca';
export type PriceUnit = 'usd' | 'sol' | 'market-cap';
export type Expiry = 'day' | 'week' | 'month' | 'never';
export type LadderStep = { gain: string; share: string };
export type EventKind = 'creator-sells' | 'graduates' | 'after-time';

export type TriggerDraft = {
  unit: PriceUnit;
  price: string;
  spend: string;
  /** Of the holding, for everything that sells. */
  share: string;
  expiry: Expiry;
  hold: boolean;
  protect: ProtectChoice;
  stop: string;
  target: string;
  trail: string;
  activation: string;
  steps: readonly LadderStep[];
  ladderStop: string;
  event: EventKind;
  hours: string;
  each: string;
  eachShare: string;
  everySeconds: string;
  count: string;
  bound: string;
};

export const emptyDraft: TriggerDraft = {
  unit: 'usd',
  price: '',
  spend: '',
  share: '100',
  expiry: 'week',
  hold: false,
  protect: { isOn: false, stop: '25', target: '100', trail: '' },
  stop: '25',
  target: '100',
  trail: '20',
  activation: '',
  steps: [
    { gain: '100', share: '50' },
    { gain: '300', share: '50' },
  ],
  ladderStop: '25',
  event: 'creator-sells',
  hours: '24',
  each: '',
  eachShare: '10',
  everySeconds: '3600',
  count: '10',
  bound: '',
};

/** An exit that is open already, in words for those who see the form. */
export type OpenExit = { id: string; bookId: string; kind: TriggerRequest['kind']; name: string; text: string };

/** What a form leaves empty beside exits of those kinds, so that none is set once more by accident. */
export function emptyBeside(exits: readonly Pick<OpenExit, 'kind'>[]): Partial<TriggerDraft> {
  const kinds = new Set(exits.map(({ kind }) => kind));
  const hasEvent = kinds.has('creator-sells') || kinds.has('graduates') || kinds.has('after-time');
  return {
    ...(kinds.has('stop-loss') ? { stop: '', ladderStop: '' } : {}),
    ...(kinds.has('take-profit') ? { target: '', steps: [{ gain: '', share: '' }] } : {}),
    ...(kinds.has('trailing-stop') ? { trail: '' } : {}),
    // An event is complete as soon as it is chosen, hours are not.
    ...(hasEvent ? { event: 'after-time', hours: '' } : {}),
  };
}

export const LADDER_STEPS_MAX = 5;
const DAY_MS = 86_400_000;
const EXPIRY_DAYS: Record<Exclude<Expiry, 'never'>, number> = { day: 1, week: 7, month: 30 };

/** Prices now, in each unit a level may have; null where it is not known. */
export type PricesNow = Record<PriceUnit, string | null>;

/** A buy waits for a lower price and a sale for a higher one, unless the level is on the other side of the price now. */
export function whenOf(draft: TriggerDraft, side: 'buy' | 'sell', now: PricesNow): 'below' | 'above' {
  const price = now[draft.unit];
  if (price === null || !isAmount(cleanAmount(draft.price))) return side === 'buy' ? 'below' : 'above';
  return compareDecimals(cleanAmount(draft.price), price) < 0 ? 'below' : 'above';
}

/** Null while something is missing. */
export function triggersOf(
  type: TriggerType,
  draft: TriggerDraft,
  side: 'buy' | 'sell',
  now: PricesNow,
  nowMs: number,
): DraftTriggers | null {
  switch (type) {
    case 'limit':
      return one(limitOf(draft, side, now, nowMs));
    case 'oco':
      return exitsOf(draft);
    case 'trailing':
      return one(trailingOf(draft));
    case 'ladder':
      return ladderOf(draft);
    case 'event':
      return one(eventOf(draft));
    case 'dca':
      return one(dcaOf(draft, side));
    default:
      return type satisfies never;
  }
}

function one(trigger: TriggerRequest | null): DraftTriggers | null {
  return trigger && { triggers: [trigger] };
}

function limitOf(draft: TriggerDraft, side: 'buy' | 'sell', now: PricesNow, nowMs: number): TriggerRequest | null {
  const value = cleanAmount(draft.price);
  const amount = side === 'buy' ? spendOf(draft.spend) : shareOf(draft.share);
  const protect = side === 'buy' ? protectionOf(draft.protect) : null;
  if (!isAmount(value) || amount === null || protect === 'incomplete') return null;
  return {
    kind: 'limit',
    side,
    level: { unit: draft.unit, value, when: whenOf(draft, side, now) },
    amount,
    expiresAt: draft.expiry === 'never' ? null : nowMs + EXPIRY_DAYS[draft.expiry] * DAY_MS,
    ...(side === 'buy' ? { holdFunds: draft.hold } : {}),
    ...(protect ? { protect } : {}),
  };
}

function exitsOf({ stop, target, share }: TriggerDraft): DraftTriggers | null {
  const amount = shareOf(share);
  if (amount === null || (stop === '' && target === '')) return null;
  if ((stop !== '' && !isStopPercent(stop)) || (target !== '' && !isAmount(target))) return null;
  const triggers: TriggerRequest[] = [];
  if (stop !== '') triggers.push({ kind: 'stop-loss', level: { unit: 'percent', value: stop }, amount });
  if (target !== '') triggers.push({ kind: 'take-profit', level: { unit: 'percent', value: target }, amount });
  return triggers.length === 2 ? { group: 'one-cancels-other', triggers } : { triggers };
}

function trailingOf({ trail, activation, share }: TriggerDraft): TriggerRequest | null {
  const amount = shareOf(share);
  const start = cleanAmount(activation);
  if (amount === null || !isStopPercent(trail) || (start !== '' && !isAmount(start))) return null;
  return {
    kind: 'trailing-stop',
    amount,
    trailing: { percent: trail, ...(start === '' ? {} : { activation: { unit: 'usd', value: start } }) },
  };
}

function ladderOf({ steps, ladderStop }: TriggerDraft): DraftTriggers | null {
  if (steps.some(({ gain, share }) => !isAmount(gain) || !isAmount(share))) return null;
  if (ladderStop !== '' && !isStopPercent(ladderStop)) return null;
  if (sharesOf(steps) > 100) return null;
  const triggers: TriggerRequest[] = steps.map(({ gain, share }) => ({
    kind: 'take-profit',
    level: { unit: 'percent', value: gain },
    amount: { unit: 'percent-bought', value: share },
  }));
  if (ladderStop !== '') triggers.push({ kind: 'stop-loss', level: { unit: 'percent', value: ladderStop } });
  return triggers.length === 1 ? { triggers } : { group: 'ladder', triggers };
}

/** Percent of the holding that the steps sell together. Steps have two decimals at most, so their hundredths are whole. */
export function sharesOf(steps: readonly LadderStep[]): number {
  return steps.reduce((sum, { share }) => sum + Math.round(Number(share) * 100), 0) / 100;
}

function eventOf({ event, hours }: TriggerDraft): TriggerRequest | null {
  if (event !== 'after-time') return { kind: event };
  const whole = /^\d{1,4}$/.test(hours) ? Number(hours) : 0;
  return whole >= 1 && whole <= 8_760 ? { kind: event, afterSeconds: whole * 3_600 } : null;
}

function dcaOf(draft: TriggerDraft, side: 'buy' | 'sell'): TriggerRequest | null {
  const amount = side === 'buy' ? spendOf(draft.each) : shareOf(draft.eachShare, 'percent-bought');
  const count = /^\d{1,4}$/.test(draft.count) ? Number(draft.count) : 0;
  const bound = cleanAmount(draft.bound);
  if (amount === null || count < 2 || count > 1_000 || (bound !== '' && !isAmount(bound))) return null;
  const limit = bound === '' ? {} : { [side === 'buy' ? 'highest' : 'lowest']: { unit: 'usd' as const, value: bound } };
  return { kind: 'dca', side, amount, schedule: { intervalSeconds: Number(draft.everySeconds), count, ...limit } };
}

function spendOf(typed: string): TriggerRequest['amount'] | null {
  const value = cleanAmount(typed);
  return isAmount(value) ? { unit: 'sol', value } : null;
}

function shareOf(
  typed: string,
  unit: 'percent-held' | 'percent-bought' = 'percent-held',
): NonNullable<TriggerRequest['amount']> | null {
  const value = cleanAmount(typed);
  return isAmount(value) && Number(value) <= 100 ? { unit, value } : null;
}
