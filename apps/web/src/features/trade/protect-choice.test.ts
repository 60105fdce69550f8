import { expect, it } from 'vitest';
import { protectionOf, readProtectChoice, writeProtectChoice } from './protect-choice.ts';

it('remembers what protects a buy, and is off at first', () => {
  let stored: string | null = null;
  const storage = { getItem: () => stored, setItem: (_: string, text: string) => void (stored = text) };
  expect(readProtectChoice(storage)).toEqual({ isOn: false, stop: '25', target: '100', trail: '' });
  writeProtectChoice(storage, { isOn: true, stop: '10', target: '', trail: '15' });
  expect(readProtectChoice(storage)).toEqual({ isOn: true, stop: '10', target: '', trail: '15' });
  stored = '{"isOn":"yes","stop":"<b>"}';
  expect(readProtectChoice(storage)).toEqual({ isOn: false, stop: '25', target: '100', trail: '' });
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
