/**
 * In plain digits, as a Chinese keyboard may not type them, without spaces, and without the commas of "1,234.5" or "1,234,567". A
 * single comma, as in "1,234", may be the decimal one and stays.
 */
export function withoutSeparators(typed: string): string {
  const text = typed.normalize('NFKC').replace(/。/g, '.').replace(/[\s_]/g, '');
  return /^\d{1,3}((,\d{3})+\.\d*|(,\d{3}){2,})$/.test(text) ? text.replace(/,/g, '') : text;
}

/**
 * What may stand in a decimal input while it is being typed, or null to refuse the keystroke. A comma counts as the
 * point, because many keyboards have only that.
 */
export function cleanDecimalText(typed: string, decimals: number): string | null {
  const text = withoutSeparators(typed).replace(/,/g, '.');
  if (text === '') return '';
  const match = /^(\d*)(\.(\d*))?$/.exec(text);
  if (!match) return null;
  const [, whole = '', point, fraction = ''] = match;
  if (fraction.length > decimals || whole.length > 20) return null;
  if (point !== undefined && decimals === 0) return null;
  const trimmed = whole.replace(/^0+(?=\d)/, '');
  return point === undefined ? trimmed : `${trimmed === '' ? '0' : trimmed}.${fraction}`;
}
