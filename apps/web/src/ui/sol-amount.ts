// Amounts of SOL that a person types: what may be wrong with them, and shares of what there is. Exact, as decimal text.
import { compareDecimals } from '@hunter/domain/numbers/decimal';
import { printSol, lamports, readSol } from '@hunter/domain/numbers/lamports';
import { plainNumber } from './decimal-text.ts';
import type { Unit } from './decimal-text.ts';

export type AmountProblem = 'required' | 'invalid' | 'exceeds';

/** The server keeps 0.001 SOL in a wallet, so that it can still pay the fees of sales, and moving the rest costs a fee of 5,000 lamports. */
const KEPT_IN_WALLET = 1_005_000n;

/** A decimal comma is the point, the unit, spaces and separators of thousands do not count, and ".5" and "5." are numbers. */
export function tidyAmount(text: string, unit: Unit | null = 'SOL'): string {
  return plainNumber(text, unit)
    .replace(/^([^.,]*),([^.,]*)$/, '$1.$2')
    .replace(/^\.(?=\d)/, '0.')
    .replace(/^(\d+)\.$/, '$1')
    .replace(/(\.\d{9})0+$/, '$1');
}

/** `available` null is a balance that is not known yet; the server then decides. */
export function amountProblem(text: string, available: string | null): AmountProblem | null {
  const amount = tidyAmount(text);
  if (amount === '') return 'required';
  const reading = readSol(amount);
  if (!reading.ok || reading.amount === 0n) return 'invalid';
  return available !== null && compareDecimals(amount, available) > 0 ? 'exceeds' : null;
}

/** A share of the balance, rounded down to four decimals so that it reads well; "all" is what the wallet can spend, exactly. */
export function shareOfSol(available: string, percent: number): string {
  const reading = readSol(available);
  if (!reading.ok) return '0';
  const spendable = reading.amount > KEPT_IN_WALLET ? reading.amount - KEPT_IN_WALLET : 0n;
  if (percent >= 100) return printSol(lamports(spendable));
  const share = (reading.amount * BigInt(percent)) / 100n;
  return printSol(lamports(share >= 100_000n ? share - (share % 100_000n) : share));
}
