/** Percent as typed, to basis points; null where it is no percentage within the limits. */
export function readSlippage(text: string, maxBps: number): number | null {
  const match = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const bps = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return bps >= 1 && bps <= maxBps ? bps : null;
}

export function printSlippage(bps: number): string {
  return (bps / 100).toFixed(2).replace(/\.?0+$/, '');
}
