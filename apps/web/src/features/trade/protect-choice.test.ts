import { expect, it } from 'vitest';
import { protectionOf, readProtectChoice, writeProtectChoice } from './protect-choice.ts';

it('remembers what protects a buy for each account, and is off at first', () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  };
  const usual = { isOn: false, stop: '25', target: '100', trail: '' };
  expect(readProtectChoice(storage, 'ann')).toEqual(usual);
  writeProtectChoice(storage, 'ann', { isOn: true, stop: '10', target: '', trail: '15' });
  expect(readProtectChoice(storage, 'ann')).toEqual({ isOn: true, stop: '10', target: '', trail: '15' });
  expect(readProtectChoice(storage, 'bob')).toEqual(usual);
  for (const key of stored.keys()) stored.set(key, '{"isOn":"yes","stop":"<b>"}');
  expect(readProtectChoice(storage, 'ann')).toEqual(usual);
});

it('asks for a stop, a target or both in percent of the average cost, and for a trailing stop', () => {
  expect(protectionOf({ isOn: true, stop: '25', target: '100', trail: '' })).toEqual({
    stopLoss: { unit: 'percent', value: '25' },
    takeProfit: { unit: 'percent', value: '100' },
  });
  expect(protectionOf({ isOn: true, stop: '', target: '50.5', trail: '20' })).toEqual({
    takeProfit: { unit: 'percent', value: '50.5' },
    trailing: '20',
  });
  expect(protectionOf({ isOn: false, stop: '25', target: '100', trail: '' })).toBeNull();
});

it.each([
  ['', ''],
  ['100', '50'],
  ['0', '50'],
  ['25', '0'],
])('places no buy that should be protected with a stop of "%s" and a target of "%s"', (stop, target) => {
  expect(protectionOf({ isOn: true, stop, target, trail: '' })).toBe('incomplete');
});
