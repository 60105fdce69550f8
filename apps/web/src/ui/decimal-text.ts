/** The unit of a field, which may be pasted with the number. Another one is refused: dollars are no SOL. */
export type Unit = 'SOL' | 'USD';
export const unitMarks: Readonly<Record<Unit, RegExp>> = {
  SOL: /^(SOL|◎)|(SOL|◎)$/i,
  USD: /^(USD|US\$|\$)|(USD|\$)$/i,
};

/**
 * In plain digits, as a Chinese keyboard may not type them, without spaces, and without the commas of "1,234.5" or "1,234,567". A
 * single comma, as in "1,234", may be the decimal one and stays. The unit goes.
 */
export function plainNumber(typed: string, unit: Unit | null = null): string {
  const spaceless = typed.normalize('NFKC').replace(/。/g, '.').replace(/[\s_]/g, '');
  const text = unit ? spaceless.replace(unitMarks[unit], '') : spaceless;
  return /^\d{1,3}((,\d{3})+\.\d*|(,\d{3}){2,})$/.test(text) ? text.replace(/,/g, '') : text;
}

/**
 * What may stand in a decimal input while it is being typed, or null to refuse the keystroke. A comma counts as the
 * point, because many keyboards have only that. Of more decimals than fit only zeros are cut.
 */
export function cleanDecimalText(typed: string, decimals: number, unit: Unit | null = null): string | null {
  const text = plainNumber(typed, unit).replace(/,/g, '.');
  if (text === '') return '';
  const match = /^(\d*)(\.(\d*))?$/.exec(text);
  if (!match) return null;
  const [, whole = '', point, fraction = ''] = match;
  if (/[1-9]/.test(fraction.slice(decimals)) || whole.length > 20) return null;
  const trimmed = whole.replace(/^0+(?=\d)/, '');
  if (point === undefined) return trimmed;
  if (decimals === 0) return fraction === '' ? null : trimmed;
  return `${trimmed === '' ? '0' : trimmed}.${fraction.slice(0, decimals)}`;
}

/** Whether what was typed or pasted is a number that only has more decimals than fit. */
export function hasTooManyDecimals(typed: string, decimals: number, unit: Unit | null = null): boolean {
  return cleanDecimalText(typed, decimals, unit) === null && cleanDecimalText(typed, Infinity, unit) !== null;
}
