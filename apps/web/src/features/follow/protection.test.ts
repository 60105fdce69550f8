import { describe, expect, it } from 'vitest';
import { DEFAULT_PROTECTION, isProtectionWrong, protectionRequest, protectionText } from './protection.ts';

describe('the protection of a follow', () => {
  it('is sent as typed, with what is empty turned off', () => {
    expect(protectionRequest(DEFAULT_PROTECTION)).toEqual({
      runUpLimit: '3',
      coinCap: '50',
      capPerTrade: null,
      stopLoss: '40',
      takeProfit: null,
    });
  });

  it('comes back as it was sent', () => {
    const text = { stopLoss: '', takeProfit: '120.5', runUpLimit: '10', coinCap: '', capPerTrade: '0.25' };
    expect(protectionText(protectionRequest(text) as never)).toEqual(text);
  });

  it.each([
    ['stopLoss', ['5', '95', ''], ['4.99', '95.01', '12.']],
    ['takeProfit', ['5', '10000', ''], ['4.99', '10000.01', '50.']],
    ['runUpLimit', ['1', '10'], ['0.99', '10.01', '', '2.']],
    ['coinCap', ['1', '100', ''], ['0.99', '100.01', '50.']],
    ['capPerTrade', ['0.000000001', ''], ['0', '0.']],
  ] as const)('accepts %s from bound to bound and nothing outside or half typed', (field, right, wrong) => {
    for (const text of right) expect(isProtectionWrong(field, text)).toBe(false);
    for (const text of wrong) {
      expect(isProtectionWrong(field, text)).toBe(true);
      expect(protectionRequest({ ...DEFAULT_PROTECTION, [field]: text })).toBeNull();
    }
  });
});
