// The verifier shares no accounting code with the product: everything it needs to count with is here.

export function parseUnits(text: string, decimals: number): bigint {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const raw =
    BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0').slice(0, decimals) || '0');
  return negative ? -raw : raw;
}

export function printUnits(raw: bigint, decimals: number): string {
  const sign = raw < 0n ? '-' : '';
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** `part ÷ whole` in percent with four decimals, halves away from zero; "-" where there is no whole. */
export function printPercent(part: bigint, whole: bigint): string {
  if (whole === 0n) return '-';
  const scaled = part * 1_000_000n;
  const magnitude = ((scaled < 0n ? -scaled : scaled) * 2n + whole) / (whole * 2n);
  return printUnits(scaled < 0n ? -magnitude : magnitude, 4);
}
