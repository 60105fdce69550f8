import { describe, expect, it } from 'vitest';
import { createRequest, durationProblem, emptyForm, nameFits } from './strategy-form.ts';

describe('the strategy form', () => {
  it('asks for a duration where one is promised', () => {
    const fixed = { ...emptyForm, lasts: 'fixed' as const };
    expect(durationProblem({ ...fixed, days: '', hours: '0', minutes: '' })).toBe('durationMissing');
    expect(durationProblem({ ...fixed, days: '366' })).toBe('durationRange');
    expect(durationProblem({ ...fixed, hours: '24' })).toBe('durationRange');
    expect(durationProblem({ ...fixed, days: '0', minutes: '30' })).toBeNull();
    expect(durationProblem({ ...emptyForm, days: '999' })).toBeNull();
  });

  it('takes names of 2 to 40 characters', () => {
    expect(nameFits(' a ')).toBe(false);
    expect(nameFits('ab')).toBe(true);
    expect(nameFits('x'.repeat(41))).toBe(false);
  });

  it('sends a duration only where one was chosen', () => {
    const form = { ...emptyForm, name: ' Frogs ', capital: '1,5' };
    expect(createRequest(form)).toEqual({
      name: 'Frogs',
      description: '',
      capital: '1.5',
      coins: [],
      autoClear: true,
    });
    expect(createRequest({ ...form, lasts: 'fixed' }).duration).toEqual({ days: 7, hours: 0, minutes: 0 });
  });
});
