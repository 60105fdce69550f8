import { describe, expect, it } from 'vitest';
import { AppError, carriesContext, errorText } from './app-error.ts';
import { errorCatalogue, type ErrorName } from './error-catalogue.ts';

describe('an application error', () => {
  it('has the code and status of its catalogue entry, its text in English and its cause', () => {
    const cause = new Error('below');
    const error = new AppError('NOT_FOUND', undefined, { cause });
    expect(error).toMatchObject({
      errorName: 'NOT_FOUND',
      code: 404,
      httpStatus: 404,
      message: 'Resource not found',
      cause,
    });
  });

  it('fills the places of its text from its context, reasons in the language of the text', () => {
    const context = { field: 'amount', reason: 'range' } as const;
    expect(new AppError('INVALID_INPUT', context).message).toBe('amount: is out of range');
    expect(errorText('INVALID_INPUT', context, 'zh')).toBe('amount：超出范围');
    expect(errorText('RATE_LIMITED', {}, 'en')).toContain('{retryAfterSeconds}');
  });

  it('carries a context exactly where its text has places to fill', () => {
    const names = Object.keys(errorCatalogue) as ErrorName[];
    // What a passkey needs to know for a login is for the client, not for the reader.
    const forTheClient = new Set<ErrorName>(['LOGIN_FACTOR_REQUIRED']);
    for (const name of names) {
      const hasPlaces = errorCatalogue[name].en.includes('{');
      expect([name, carriesContext(name)]).toEqual([name, hasPlaces || forTheClient.has(name)]);
    }
  });

  it('is refused by the compiler with a context it does not own or without the one it needs', () => {
    // @ts-expect-error NOT_FOUND carries nothing.
    expect(() => new AppError('NOT_FOUND', { minimum: '1' })).not.toThrow();
    // @ts-expect-error AMOUNT_TOO_SMALL says what the minimum is.
    expect(() => new AppError('AMOUNT_TOO_SMALL')).not.toThrow();
  });
});
