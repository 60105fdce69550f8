// Generic rules for form fields and what they say. A screen whose words the product fixes says those instead.
import { compareDecimals, readAnyDecimal } from '@hunter/domain/numbers/decimal';
import type { Translate } from '../i18n/i18n.ts';

/** What is wrong with a field; its text names the field in the interface's language. */
type FieldProblem =
  | { rule: 'required' | 'number' | 'email' | 'address' }
  | { rule: 'lengthMin' | 'rangeMin'; min: number | string }
  | { rule: 'lengthMax' | 'rangeMax'; max: number | string }
  | { rule: 'lengthExact'; length: number }
  | { rule: 'range'; min: string; max: string }
  | { rule: 'choice'; values: string };

export type FieldRule = (text: string) => FieldProblem | null;

export function problemText(problem: FieldProblem, field: string, t: Translate): string {
  const { rule, ...params } = problem;
  return t(`ui.validation.${rule}`, { field, ...params });
}

/** The first problem in the order of the rules. */
export function checkField(text: string, rules: readonly FieldRule[]): FieldProblem | null {
  for (const rule of rules) {
    const problem = rule(text);
    if (problem) return problem;
  }
  return null;
}

export const required: FieldRule = (text) => (text.trim() === '' ? { rule: 'required' } : null);

export function lengthBetween(min: number, max: number): FieldRule {
  return (text) => {
    const { length } = text.trim();
    if (min === max) return length === min ? null : { rule: 'lengthExact', length: min };
    if (length < min) return { rule: 'lengthMin', min };
    return length > max ? { rule: 'lengthMax', max } : null;
  };
}

export const decimalNumber: FieldRule = (text) => (readAnyDecimal(text.trim()).ok ? null : { rule: 'number' });

/** Bounds are decimal text, so that they are compared exactly. Give one of them or both. */
export function valueBetween(min: string | null, max: string | null): FieldRule {
  return (text) => {
    const value = text.trim();
    if (!readAnyDecimal(value).ok) return { rule: 'number' };
    const low = min !== null && compareDecimals(value, min) < 0;
    const high = max !== null && compareDecimals(value, max) > 0;
    if (!low && !high) return null;
    if (min !== null && max !== null) return { rule: 'range', min, max };
    return low ? { rule: 'rangeMin', min: min ?? '' } : { rule: 'rangeMax', max: max ?? '' };
  };
}

export const emailAddress: FieldRule = (text) =>
  /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim()) ? null : { rule: 'email' };

export const solanaAddress: FieldRule = (text) =>
  /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text.trim()) ? null : { rule: 'address' };

export function oneOf(values: readonly string[]): FieldRule {
  return (text) => (values.includes(text) ? null : { rule: 'choice', values: values.join(', ') });
}
