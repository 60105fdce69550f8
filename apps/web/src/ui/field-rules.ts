// Generic rules for form fields and what they say. A screen whose words the product fixes says those instead.
import type { Translate } from '../i18n/i18n.ts';

/** What can be wrong with a field; each has a text that names the field in the interface's language. */
export type FieldProblem =
  | { rule: 'required' | 'number' | 'email' | 'address' }
  | { rule: 'lengthMin' | 'rangeMin'; min: number | string }
  | { rule: 'lengthMax' | 'rangeMax'; max: number | string }
  | { rule: 'lengthExact'; length: number }
  | { rule: 'range'; min: string; max: string }
  | { rule: 'choice'; values: string };

type FieldRule = (text: string) => FieldProblem | null;

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
