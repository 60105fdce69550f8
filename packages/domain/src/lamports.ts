import { AppError } from './app-error.ts';
import { parseDecimal, printDecimal, readDecimal, type DecimalProblem } from './decimal.ts';

/** A balance or an amount of SOL in its smallest unit. Gains and losses are plain bigints, because they may be negative. */
export type Lamports = bigint & { readonly unit: 'lamports' };

export const SOL_DECIMALS = 9;
export const LAMPORTS_PER_SOL = 1_000_000_000n;
export const LAMPORTS_MAX = 2n ** 64n - 1n;

export function lamports(raw: bigint): Lamports {
  if (raw < 0n || raw > LAMPORTS_MAX) throw new AppError('LAMPORTS_OUT_OF_RANGE', { raw });
  return raw as Lamports;
}

export type SolProblem = DecimalProblem | 'negative' | 'too-large';

/** For text typed by a person; names the problem so that the form can say it. */
export function readSol(text: string): { ok: true; amount: Lamports } | { ok: false; problem: SolProblem } {
  const reading = readDecimal(text, SOL_DECIMALS);
  if (!reading.ok) return reading;
  if (reading.raw < 0n) return { ok: false, problem: 'negative' };
  if (reading.raw > LAMPORTS_MAX) return { ok: false, problem: 'too-large' };
  return { ok: true, amount: reading.raw as Lamports };
}

/** Refuses text finer than a lamport rather than losing the rest. */
export function parseSol(text: string): Lamports {
  return lamports(parseDecimal(text, SOL_DECIMALS));
}

export function printSol(amount: Lamports): string {
  return printDecimal(amount, SOL_DECIMALS);
}

/** A gain or a loss: like `printSol`, and negative where it is one. */
export function printSolChange(change: bigint): string {
  return printDecimal(change, SOL_DECIMALS);
}
