import { describe, expect, it } from 'vitest';
import { AppError, isAppError } from './app-error.ts';

describe('an application error', () => {
  it('carries its permanent code, its context and its cause', () => {
    const cause = new Error('below');
    const error = new AppError('LAMPORTS_OUT_OF_RANGE', { raw: -1n }, { cause });
    expect(error.code).toBe('LAMPORTS_OUT_OF_RANGE');
    expect(error.context.raw).toBe(-1n);
    expect(error.message).toBe('LAMPORTS_OUT_OF_RANGE: raw=-1');
    expect(error.cause).toBe(cause);
  });

  it('is told apart by its code', () => {
    const error: unknown = new AppError('DIVISION_BY_ZERO', { numerator: 1n });
    expect(isAppError(error, 'DIVISION_BY_ZERO')).toBe(true);
    expect(isAppError(error, 'LAMPORTS_OUT_OF_RANGE')).toBe(false);
    expect(isAppError(new Error('DIVISION_BY_ZERO'), 'DIVISION_BY_ZERO')).toBe(false);
  });
});
