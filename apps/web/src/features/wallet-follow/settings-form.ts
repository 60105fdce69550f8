import type { CallReply, CallRequest } from '@hunter/contract/calls';
import { compareDecimals } from '@hunter/domain/numbers/decimal';

type Settings = CallReply<'followWallet'>['settings'];
type SettingsRequest = NonNullable<CallRequest<'followWallet'>['settings']>;

/** As typed; empty is no limit. */
export type SettingsText = {
  sizeKind: 'fixed' | 'share';
  size: string;
  copies: 'both' | 'buys' | 'sells';
  maxGap: string;
  waitMinutes: string;
  buyMin: string;
  buyMax: string;
  capPerTrade: string;
  capPerToken: string;
  coinCap: string;
  firstBuyOnly: boolean;
  transfersAreExits: boolean;
  excludedHours: string;
  excludedTokens: string;
};

/** The same as the server's, so that the dialog shows what will hold. */
export const DEFAULT_TEXT: SettingsText = {
  sizeKind: 'fixed',
  size: '0.1',
  copies: 'both',
  maxGap: '3',
  waitMinutes: '0',
  buyMin: '',
  buyMax: '',
  capPerTrade: '',
  capPerToken: '',
  coinCap: '50',
  firstBuyOnly: false,
  transfersAreExits: true,
  excludedHours: '',
  excludedTokens: '',
};

export function textOf(settings: Settings): SettingsText {
  const { size } = settings;
  return {
    sizeKind: size.kind,
    size: size.kind === 'fixed' ? size.amount : size.share,
    copies: settings.copies,
    maxGap: settings.maxGap,
    waitMinutes: String(settings.waitMinutes),
    buyMin: settings.buyMin ?? '',
    buyMax: settings.buyMax ?? '',
    capPerTrade: settings.capPerTrade ?? '',
    capPerToken: settings.capPerToken ?? '',
    coinCap: settings.coinCap ?? '',
    firstBuyOnly: settings.firstBuyOnly,
    transfersAreExits: settings.transfersAreExits,
    excludedHours: settings.excludedHours.join(', '),
    excludedTokens: settings.excludedTokens.join(' '),
  };
}

const NUMBER = /^\d{1,9}(\.\d{1,9})?$/;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const TOKENS_MAX = 50;
const words = (text: string): string[] => text.split(/[\s,，、]+/).filter((word) => word !== '');

export type WrongField = 'size' | 'maxGap' | 'waitMinutes' | 'hours' | 'tokens' | NumberField;
export const NUMBER_FIELDS = ['buyMin', 'buyMax', 'capPerTrade', 'capPerToken', 'coinCap'] as const;
export type NumberField = (typeof NUMBER_FIELDS)[number];

export function wrongFields(text: SettingsText): ReadonlySet<WrongField> {
  const wrong = new Set<WrongField>();
  const isPositive = (value: string) => NUMBER.test(value) && compareDecimals(value, '0') > 0;
  if (!isPositive(text.size) || (text.sizeKind === 'share' && compareDecimals(text.size, '1000') > 0))
    wrong.add('size');
  const { maxGap } = text;
  if (!NUMBER.test(maxGap) || compareDecimals(maxGap, '0.5') < 0 || compareDecimals(maxGap, '20') > 0)
    wrong.add('maxGap');
  if (!/^\d{1,2}$/.test(text.waitMinutes) || Number(text.waitMinutes) > 30) wrong.add('waitMinutes');
  for (const field of NUMBER_FIELDS) if (text[field] !== '' && !isPositive(text[field])) wrong.add(field);
  const { buyMin, buyMax } = text;
  if (isPositive(buyMin) && isPositive(buyMax) && compareDecimals(buyMin, buyMax) > 0) wrong.add('buyMax');
  const { coinCap } = text;
  if (isPositive(coinCap) && (compareDecimals(coinCap, '1') < 0 || compareDecimals(coinCap, '100') > 0))
    wrong.add('coinCap');
  if (words(text.excludedHours).some((hour) => !/^\d{1,2}$/.test(hour) || Number(hour) > 23)) wrong.add('hours');
  const tokens = words(text.excludedTokens);
  if (tokens.length > TOKENS_MAX || tokens.some((token) => !ADDRESS.test(token))) wrong.add('tokens');
  return wrong;
}

/** Whether something under "More limits" is wrong: it stays in sight, because it stops the follow. */
export function isMoreWrong(wrong: ReadonlySet<WrongField>): boolean {
  return [...wrong].some((field) => field !== 'size' && field !== 'maxGap');
}

export function requestOf(text: SettingsText): SettingsRequest {
  const orNone = (value: string): string | null => (value === '' ? null : value);
  return {
    size: text.sizeKind === 'fixed' ? { kind: 'fixed', amount: text.size } : { kind: 'share', share: text.size },
    copies: text.copies,
    maxGap: text.maxGap,
    waitMinutes: Number(text.waitMinutes),
    buyMin: orNone(text.buyMin),
    buyMax: orNone(text.buyMax),
    capPerTrade: orNone(text.capPerTrade),
    capPerToken: orNone(text.capPerToken),
    coinCap: orNone(text.coinCap),
    firstBuyOnly: text.firstBuyOnly,
    transfersAreExits: text.transfersAreExits,
    excludedHours: words(text.excludedHours).map(Number),
    excludedTokens: words(text.excludedTokens),
  };
}
