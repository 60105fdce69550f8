/**
 * What may stand in a decimal input while it is being typed, or null to refuse the keystroke. A comma counts as the
 * point, because many keyboards have only that.
 */
export function cleanDecimalText(typed: string, decimals: number): string | null {
  const text = typed.replace(/[\s_]/g, '').replace(/,/g, '.');
  if (text === '') return '';
  const match = /^(\d*)(\.(\d*))?$/.exec(text);
  if (!match) return null;
  const [, whole = '', point, fraction = ''] = match;
  if (fraction.length > decimals || whole.length > 20) return null;
  if (point !== undefined && decimals === 0) return null;
  const trimmed = whole.replace(/^0+(?=\d)/, '');
  return point === undefined ? trimmed : `${trimmed === '' ? '0' : trimmed}.${fraction}`;
}
