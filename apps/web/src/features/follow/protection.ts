import { compareDecimals, readAnyDecimal } from '@hunter/domain/numbers/decimal';
import type { CallReply, CallRequest } from '@hunter/contract/calls';

type Protection = CallReply<'followStrategy'>['protection'];

export const PROTECTION_FIELDS = ['stopLoss', 'takeProfit', 'runUpLimit', 'coinCap', 'capPerTrade'] as const;
export type ProtectionField = (typeof PROTECTION_FIELDS)[number];
/** As typed; empty is off. */
export type ProtectionText = Readonly<Record<ProtectionField, string>>;

/** The same as the server's, so that the dialog shows what will hold. */
export const DEFAULT_PROTECTION: ProtectionText = {
  stopLoss: '40',
  takeProfit: '',
  runUpLimit: '3',
  coinCap: '50',
  capPerTrade: '',
};

const BOUNDS: Readonly<Record<Exclude<ProtectionField, 'capPerTrade'>, readonly [string, string]>> = {
  stopLoss: ['5', '95'],
  takeProfit: ['5', '10000'],
  runUpLimit: ['1', '10'],
  coinCap: ['1', '100'],
};

export function isProtectionWrong(field: ProtectionField, text: string): boolean {
  if (text === '') return field === 'runUpLimit';
  // "5." on the way to "5.5" is no number yet.
  if (!readAnyDecimal(text).ok) return true;
  if (field === 'capPerTrade') return compareDecimals(text, '0') <= 0;
  const [least, most] = BOUNDS[field];
  return compareDecimals(text, least) < 0 || compareDecimals(text, most) > 0;
}

/** Null while one of the fields is wrong. */
export function protectionRequest(text: ProtectionText): CallRequest<'followStrategy'>['protection'] | null {
  if (PROTECTION_FIELDS.some((field) => isProtectionWrong(field, text[field]))) return null;
  const orOff = (value: string): string | null => (value === '' ? null : value);
  return {
    runUpLimit: text.runUpLimit,
    coinCap: orOff(text.coinCap),
    capPerTrade: orOff(text.capPerTrade),
    stopLoss: orOff(text.stopLoss),
    takeProfit: orOff(text.takeProfit),
  };
}

export function protectionText(protection: Protection): ProtectionText {
  return {
    stopLoss: protection.stopLoss ?? '',
    takeProfit: protection.takeProfit ?? '',
    runUpLimit: protection.runUpLimit,
    coinCap: protection.coinCap ?? '',
    capPerTrade: protection.capPerTrade ?? '',
  };
}
