// Solana's three ways to print one token amount. `uiAmount` is a float for display, as every node sends it.

import { jsonFloat, type JsonNumber } from './json-number.ts';

type UiTokenAmount = { amount: string; decimals: number; uiAmount: JsonNumber | null; uiAmountString: string };

export function uiTokenAmount(amount: bigint, decimals: number): UiTokenAmount {
  let text = amount.toString();
  if (decimals > 0) {
    const padded = text.padStart(decimals + 1, '0');
    const fraction = padded.slice(-decimals).replace(/0+$/, '');
    const whole = padded.slice(0, -decimals);
    text = fraction === '' ? whole : `${whole}.${fraction}`;
  }
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: decimals > 19 ? null : jsonFloat(Number(text)),
    uiAmountString: text,
  };
}
