import { describe, expect, it } from 'vitest';
import { InvariantError } from './invariant-error.ts';

describe('a broken invariant', () => {
  it('carries its permanent code and its context, and names both', () => {
    const error = new InvariantError('FILL_EXCEEDS_POSITION', { held: 1n, sold: 2n });
    expect(error.name).toBe('InvariantError');
    expect(error.code).toBe('FILL_EXCEEDS_POSITION');
    expect(error.context).toEqual({ held: 1n, sold: 2n });
    expect(error.message).toBe('FILL_EXCEEDS_POSITION: held=1, sold=2');
  });
});
