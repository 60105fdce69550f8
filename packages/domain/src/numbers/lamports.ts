import { InvariantError } from '../invariant-error.ts';
import { printDecimal, readDecimal, type DecimalProblem } from './decimal.ts';

/** A balance or an amount of SOL in its smallest unit. Gains and losses are plain bigints, because they may be negative. */
export type Lamports = bigint & { readonly unit: 'lamports' };

export const SOL_DECIMALS = 9;
export const LAMPORTS_PER_SOL = 1_000_000_000n;
const LAMPORTS_MAX = 2n ** 64n - 1n;

/** The only door to the type. */
export function lamports(raw: bigint): Lamports {
  if (raw < 0n || raw > LAMPORTS_MAX) throw new InvariantError('LAMPORTS_OUT_OF_RANGE', { raw });
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

/** An amount, a gain or a loss as decimal text in SOL. */
export function printSol(amount: bigint): string {
  return printDecimal(amount, SOL_DECIMALS);
}
