import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lamports, printSol, readSol } from './lamports.ts';

const LAMPORTS_MAX = 2n ** 64n - 1n;

describe('lamports', () => {
  it('pass their checked door only within an unsigned 64-bit range', () => {
    expect(lamports(0n)).toBe(0n);
    expect(lamports(LAMPORTS_MAX)).toBe(LAMPORTS_MAX);
    expect(() => lamports(-1n)).toThrow('LAMPORTS_OUT_OF_RANGE: raw=-1');
    expect(() => lamports(LAMPORTS_MAX + 1n)).toThrow('LAMPORTS_OUT_OF_RANGE');
  });

  it('say what is wrong with a typed amount', () => {
    expect(readSol('-1')).toEqual({ ok: false, problem: 'negative' });
    expect(readSol('99999999999')).toEqual({ ok: false, problem: 'too-large' });
    expect(readSol('1e2')).toEqual({ ok: false, problem: 'exponent' });
    expect(readSol('0.0000000001')).toEqual({ ok: false, problem: 'too-precise' });
    expect(readSol('0.5')).toEqual({ ok: true, amount: 500_000_000n });
    expect(readSol(printSol(LAMPORTS_MAX))).toEqual({ ok: true, amount: LAMPORTS_MAX });
    expect(readSol(printSol(LAMPORTS_MAX + 1n))).toEqual({ ok: false, problem: 'too-large' });
  });

  it('survive the way to text and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: LAMPORTS_MAX }), (raw) => {
        expect(readSol(printSol(raw))).toEqual({ ok: true, amount: raw });
      }),
    );
  });

  it('show a loss with its sign', () => {
    expect(printSol(-500_000_000n)).toBe('-0.5');
  });
});
