import { describe, expect, it } from 'vitest';
import { readStrategyName } from './strategy-name.ts';

const keyOf = (name: string) => readStrategyName(name)!.key;

describe('a strategy’s name', () => {
  it('keeps letters of any script, digits and single blanks', () => {
    expect(readStrategyName('  Steady Trend 7 ')?.name).toBe('Steady Trend 7');
    expect(readStrategyName('稳健趋势')?.name).toBe('稳健趋势');
  });

  it.each([
    ['a text that turns the direction', 'Safe\u202eevaS'],
    ['a zero-width character', 'Ste\u200bady'],
    ['a control character', 'Steady\u0007'],
    ['two blanks in a row', 'Steady  Trend'],
    ['nothing but signs', '***'],
    ['signs that look like letters', '!|$@'],
    ['one character', 'a'],
    ['more than forty characters', 'a'.repeat(41)],
    ['nothing', ''],
  ])('is refused for %s', (_why, name) => {
    expect(readStrategyName(name)).toBeNull();
  });

  it('accepts two and forty characters', () => {
    expect(readStrategyName('ab')).not.toBeNull();
    expect(readStrategyName('a'.repeat(40))).not.toBeNull();
  });

  it('has the same key as whatever looks like it, and another one otherwise', () => {
    for (const copy of ['STEADY TREND', 'Steady-Trend', 'Stеady Trеnd', 'Steady Trend.', 'St3ady Tr3nd']) {
      expect(keyOf(copy)).toBe(keyOf('Steady Trend'));
    }
    expect(keyOf('Steady Trend 2')).not.toBe(keyOf('Steady Trend'));
  });
});
