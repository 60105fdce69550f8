import { describe, expect, it } from 'vitest';
import { lookUp, render } from './messages.ts';

describe('a text', () => {
  it('is found by its path', () => {
    const messages = { group: { key: 'Text', many: { one: '{count} dog', other: '{count} dogs' } } };
    expect(lookUp(messages, ['group', 'key'])).toBe('Text');
    expect(lookUp(messages, ['group', 'many'])).toEqual({ one: '{count} dog', other: '{count} dogs' });
    expect(lookUp(messages, ['group'])).toBeNull();
    expect(lookUp(messages, ['group', 'many', 'one'])).toBeNull();
    expect(lookUp(undefined, ['group'])).toBeNull();
  });

  it('has its places filled, and keeps a place that was given nothing', () => {
    expect(render('{a} of {b}', { a: 1 }, 'en')).toBe('1 of {b}');
    expect(render('{a}', { a: '{b}', b: 'never' }, 'en')).toBe('{b}');
  });

  it('keeps a number and its unit on one line', () => {
    const filled = render(
      '{name} for {sol}, of {held} {symbol} at 5% in 10 days',
      { name: 'Frog 2', sol: '0.1000 SOL', held: '1.23K', symbol: 'FROG' },
      'en',
    );
    expect(filled).toBe('Frog 2 for 0.1000\u00A0SOL, of 1.23K\u00A0FROG at 5% in 10 days');
    expect(render('At least 1 SOL', undefined, 'en')).toBe('At least 1\u00A0SOL');
  });

  it('takes the plural form of its language', () => {
    const dogs = { one: '{count} dog', other: '{count} dogs' };
    expect(render(dogs, { count: 1 }, 'en')).toBe('1 dog');
    expect(render(dogs, { count: 2 }, 'en')).toBe('2 dogs');
    expect(render({ other: '{count} 只狗' }, { count: 1 }, 'zh')).toBe('1 只狗');
  });
});
