import { describe, expect, it } from 'vitest';
import { chooseSettings, DEFAULT_SETTINGS, printSettings, settingsOf, type SettingsRow } from './follow-settings.ts';

const SOL = 1_000_000_000n;
const chosen: SettingsRow = {
  runUpBps: 250,
  coinCapBps: 1_000,
  capPerTradeLamports: SOL / 2n,
  stopLossBps: 2_000,
  takeProfitBps: 15_000,
};

describe('the protection that a follower chose', () => {
  it('keeps what was not chosen, and drops what was chosen away', () => {
    expect(chooseSettings(chosen, {})).toEqual(chosen);
    const away = { coinCap: null, capPerTrade: null, stopLoss: null, takeProfit: null };
    expect(chooseSettings(chosen, away)).toEqual({
      runUpBps: 250,
      coinCapBps: null,
      capPerTradeLamports: null,
      stopLossBps: null,
      takeProfitBps: null,
    });
    const all = { runUpLimit: '2.5', coinCap: '10', capPerTrade: SOL / 2n, stopLoss: '20', takeProfit: '150' };
    expect(chooseSettings(DEFAULT_SETTINGS, all as never)).toEqual(chosen);
  });

  it.each([
    ['runUpLimit', '1', '10'],
    ['coinCap', '1', '100'],
    ['stopLoss', '5', '95'],
    ['takeProfit', '5', '10000'],
  ])('takes a %s from %s to %s percent', (field, least, most) => {
    const choose = (value: string) => chooseSettings(DEFAULT_SETTINGS, { [field]: value });
    const beyond = [(Number(least) - 0.01).toFixed(2), `${most}.01`];
    for (const value of [least, most]) expect(Object.values(choose(value))).toContain(Number(value) * 100);
    for (const value of beyond) {
      expect(() => choose(value)).toThrow(expect.objectContaining({ context: { field, reason: 'range' } }));
    }
  });

  it('is a rule, and prints as it was chosen', () => {
    expect(settingsOf(chosen)).toEqual({
      runUpLimit: 250n,
      coinCap: 1_000n,
      capPerTradeLamports: SOL / 2n,
      stopLoss: 2_000n,
      takeProfit: 15_000n,
    });
    expect(printSettings(chosen)).toEqual({
      runUpLimit: '2.5',
      coinCap: '10',
      capPerTrade: '0.5',
      stopLoss: '20',
      takeProfit: '150',
    });
    const none = { ...chosen, coinCapBps: null, capPerTradeLamports: null, stopLossBps: null, takeProfitBps: null };
    const nothing = { coinCap: null, stopLoss: null, takeProfit: null };
    expect(settingsOf(none)).toEqual({ runUpLimit: 250n, capPerTradeLamports: null, ...nothing });
    expect(printSettings(none)).toEqual({ runUpLimit: '2.5', capPerTrade: null, ...nothing });
  });
});
