// What a trigger is, waits for and sells, and how it ended, in words.
import { formatPrice } from '@hunter/domain/format/format-price';
import { formatSol } from '@hunter/domain/format/format-sol';
import { formatTokens } from '@hunter/domain/format/format-tokens';
import { printUsdParts, usdParts } from '@hunter/domain/format/format-usd';
import { multiplyDecimals } from '@hunter/domain/numbers/decimal';
import type { I18n, Translate } from '../../i18n/i18n.ts';
import { keepUnits } from '../../i18n/keep-units.ts';
import { exactTime } from '../../ui/relative-time.ts';
import type { Trigger } from './trigger.ts';

type Bound = { unit: NonNullable<Trigger['level']>['unit']; value: string };

export function kindText({ kind, side }: Pick<Trigger, 'kind' | 'side'>, t: Translate): string {
  return t(`triggers.kinds.${kind === 'limit' || kind === 'dca' ? (`${kind}-${side}` as const) : kind}`);
}

/** More than any price of a token needs. */
const PRICE_PLACES = 18;

/** With `solUsd`, the price of SOL, a price in SOL has dollars beside it. */
export function boundText({ unit, value }: Bound, t: Translate, solUsd: string | null = null): string {
  if (unit === 'market-cap') return t('triggers.condition.cap', { cap: printUsdParts(usdParts(value)) });
  return unit === 'usd' ? formatPrice(value) : solPrice(value, solUsd);
}

function solPrice(value: string, solUsd: string | null = null): string {
  const price = `${formatPrice(value).replace('$', '')}\u00A0SOL`;
  // On a phone the line may end here: the sign stays with its price.
  return solUsd === null
    ? price
    : `${price} (≈\u00A0${formatPrice(multiplyDecimals(value, solUsd, PRICE_PLACES, 'nearest'))})`;
}

/** Charts are in dollars unless one chooses SOL: with `solUsd` a level can be found there, too. */
export function conditionText(trigger: Trigger, { t, language }: I18n, solUsd: string | null = null): string {
  const { kind, level, trailing, schedule, firesAt } = trigger;
  if (trailing) {
    const { percent, activation, isActive, firesAt: at } = trailing;
    if (activation && !isActive) {
      return t('triggers.condition.trailingFrom', { percent, price: boundText(activation, t, solUsd) });
    }
    return at === null
      ? t('triggers.condition.trailing', { percent })
      : t('triggers.condition.trailingAt', { percent, price: solPrice(at, solUsd) });
  }
  if (schedule) {
    const { done, count, intervalSeconds } = schedule;
    return t('triggers.condition.dca', { every: everyText(intervalSeconds, t), done, count });
  }
  if (level) return t(`triggers.condition.${level.when}`, { price: boundText(level, t, solUsd) });
  if (kind === 'creator-sells' || kind === 'graduates') return t(`triggers.condition.${kind}`);
  if (firesAt !== null) return t('triggers.condition.after-time', { time: exactTime(firesAt, language) });
  return t('triggers.condition.unknown');
}

function everyText(seconds: number, t: Translate): string {
  const known = ([300, 900, 3_600, 14_400, 86_400] as const).find((each) => each === seconds);
  return known === undefined
    ? t('triggers.everyMinutes', { count: Math.round(seconds / 60) })
    : t(`triggers.periods.${known}`);
}

export function amountText({ amount, tokenSymbol }: Trigger, t: Translate): string {
  if (amount === null) return t('triggers.amount.all');
  const { unit, value } = amount;
  if (value === null) return '-';
  if (unit === 'sol') return keepUnits(formatSol(value));
  if (unit === 'tokens') return `${formatTokens(value)}\u00A0${tokenSymbol}`;
  if (unit === 'percent-held' && Number(value) === 100) return t('triggers.amount.all');
  return t(unit === 'percent-held' ? 'triggers.amount.held' : 'triggers.amount.bought', { percent: value });
}

/** With the price it fired at, where it did. */
export function outcomeText({ outcome, firedPrice }: Trigger, t: Translate): string {
  const reason = outcome === null ? t('triggers.states.ended') : t(`triggers.outcomes.${outcome}`);
  return firedPrice === null ? reason : t('triggers.firedAt', { outcome: reason, price: solPrice(firedPrice) });
}
