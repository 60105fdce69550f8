// What a trigger will do, in whole sentences. Called with a complete draft only.
import { multiplyDecimals } from '@hunter/domain/numbers/decimal';
import { formatPrice } from '@hunter/domain/format/format-price';
import { formatSol } from '@hunter/domain/format/format-sol';
import { printUsdParts, usdParts } from '@hunter/domain/format/format-usd';
import type { Translate } from '../../i18n/i18n.ts';
import { joinSentences } from '../../i18n/join-sentences.ts';
import type { ProtectChoice } from './protect-choice.ts';
import { cleanAmount } from './trade-amounts.ts';
import { whenOf } from './trigger-draft.ts';
import type { PricesNow, PriceUnit, TriggerDraft, TriggerType } from './trigger-draft.ts';

export function protectText({ stop, target, trail }: Omit<ProtectChoice, 'isOn'>, t: Translate): string {
  const fixed =
    stop !== '' && target !== ''
      ? [t('triggers.protect.both', { stop, target })]
      : stop !== ''
        ? [t('triggers.protect.stopOnly', { stop })]
        : target !== ''
          ? [t('triggers.protect.targetOnly', { target })]
          : [];
  return joinSentences([...fixed, ...(trail === '' ? [] : [t('triggers.protect.trailing', { trail })])]);
}

export function triggerSummary(
  type: TriggerType,
  draft: TriggerDraft,
  side: 'buy' | 'sell',
  { symbol, now }: { symbol: string; now: PricesNow },
  t: Translate,
): string {
  const sentences = {
    limit: () => limitSentences(draft, side, symbol, now, t),
    oco: () => [exitSentence(draft, symbol, t), t('triggers.summary.bound')],
    trailing: () => [trailingSentence(draft, symbol, t), t('triggers.summary.bound')],
    ladder: () => ladderSentences(draft, t),
    event: () => [eventSentence(draft, symbol, t), t('triggers.summary.bound')],
    dca: () => dcaSentences(draft, side, symbol, t),
  }[type]();
  return joinSentences(sentences);
}

function priceText(value: string, unit: PriceUnit, t: Translate): string {
  if (unit === 'market-cap') return t('triggers.condition.cap', { cap: printUsdParts(usdParts(value)) });
  return unit === 'usd' ? formatPrice(value) : `${formatPrice(value).replace('$', '')} SOL`;
}

function limitSentences(
  draft: TriggerDraft,
  side: 'buy' | 'sell',
  symbol: string,
  now: PricesNow,
  t: Translate,
): string[] {
  const price = priceText(cleanAmount(draft.price), draft.unit, t);
  const isBelow = whenOf(draft, side, now) === 'below';
  const lasts =
    draft.expiry === 'never'
      ? t('triggers.summary.never')
      : t('triggers.summary.expires', { time: t(`triggers.expiries.${draft.expiry}`) });
  if (side === 'sell') {
    const values = { percent: cleanAmount(draft.share), symbol, price };
    return [t(isBelow ? 'triggers.summary.sellBelow' : 'triggers.summary.sellAbove', values), lasts];
  }
  const sol = formatSol(cleanAmount(draft.spend));
  return [
    t(isBelow ? 'triggers.summary.buyBelow' : 'triggers.summary.buyAbove', { symbol, sol, price }),
    ...(draft.hold ? [t('triggers.summary.held', { sol })] : []),
    lasts,
    ...(draft.protect.isOn ? [t('triggers.summary.protected', { text: protectText(draft.protect, t) })] : []),
  ];
}

function exitSentence({ stop, target, share }: TriggerDraft, symbol: string, t: Translate): string {
  const percent = cleanAmount(share);
  if (stop !== '' && target !== '') {
    return t('triggers.summary.oco', { percent, symbol, stop: `−${stop}%`, target: `+${target}%` });
  }
  return t('triggers.summary.one', { percent, symbol, level: stop === '' ? `+${target}%` : `−${stop}%` });
}

function trailingSentence({ trail, activation, share }: TriggerDraft, symbol: string, t: Translate): string {
  const values = { percent: cleanAmount(share), symbol, trail };
  if (activation === '') return t('triggers.summary.trailing', values);
  return t('triggers.summary.trailingFrom', { ...values, price: formatPrice(cleanAmount(activation)) });
}

function ladderSentences({ steps, ladderStop }: TriggerDraft, t: Translate): string[] {
  const list = steps
    .map(({ gain, share }) => t('triggers.summary.ladderStep', { gain, share }))
    .join(t('triggers.summary.ladderAnd'));
  return [
    t('triggers.summary.ladder', { steps: list }),
    ...(ladderStop === '' ? [] : [t('triggers.summary.ladderStop', { stop: ladderStop })]),
    t('triggers.summary.bound'),
  ];
}

function eventSentence({ event, hours }: TriggerDraft, symbol: string, t: Translate): string {
  if (event === 'after-time') return t('triggers.summary.time', { symbol, hours });
  return t('triggers.summary.event', { symbol, event: t(`triggers.events.${event}`) });
}

function dcaSentences(draft: TriggerDraft, side: 'buy' | 'sell', symbol: string, t: Translate): string[] {
  const every = t(`triggers.periods.${draft.everySeconds as '3600'}`);
  const { count, bound } = draft;
  const price = bound === '' ? '' : formatPrice(cleanAmount(bound));
  if (side === 'sell') {
    return [
      t('triggers.summary.dcaSell', { percent: cleanAmount(draft.eachShare), every, count }),
      ...(bound === '' ? [] : [t('triggers.summary.dcaAbove', { price })]),
    ];
  }
  const each = cleanAmount(draft.each);
  const total = formatSol(multiplyDecimals(each, count, 9, 'nearest'));
  return [
    t('triggers.summary.dcaBuy', { symbol, sol: formatSol(each), every, count, total }),
    ...(bound === '' ? [] : [t('triggers.summary.dcaBelow', { price })]),
  ];
}
