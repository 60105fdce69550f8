/** Percent points as text to basis points; null for what is no sensible slippage. Two decimals at most. */
export function slippageFromText(text: string, maxBps: number): number | null {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text)) return null;
  const [whole = '0', fraction = ''] = text.split('.');
  const bps = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return bps >= 1 && bps <= maxBps ? bps : null;
}

export function slippageText(bps: number): string {
  return (bps / 100).toFixed(2).replace(/\.?0+$/, '');
}
