import { describe, expect, it } from 'vitest';
import { decideExport, EXPORT_PAUSE_AFTER_RESET_MS, tooManyOthers } from './export-rules.ts';

const NOW = 1_800_000_000_000;
const HOUR_MS = 60 * 60_000;
type Input = Parameters<typeof decideExport>[0];

function decide(overrides: Partial<Input> = {}) {
  return decideExport({
    now: NOW,
    walletId: 'wallet',
    resetAt: null,
    shown: new Map(),
    waiting: new Map(),
    walletsPerDay: 3,
    isLarge: false,
    delayMs: HOUR_MS,
    ...overrides,
  });
}
const SHOW = { kind: 'show' };

describe('showing a key', () => {
  it('waits for three days after a reset of password or second factor', () => {
    expect(decide({ resetAt: NOW - EXPORT_PAUSE_AFTER_RESET_MS + 1 })).toMatchObject({
      kind: 'deny',
      denial: { code: 'EXPORT_AFTER_RESET', until: NOW + 1 },
    });
    expect(decide({ resetAt: NOW - EXPORT_PAUSE_AFTER_RESET_MS })).toEqual(SHOW);
  });

  it('waits for its delay where the wallet holds much, and can be fetched for three days after it', () => {
    const large = { isLarge: true };
    expect(decide(large)).toEqual({ kind: 'wait', until: NOW + HOUR_MS, isNew: true, isCrowded: false });
    const waiting = (readyAt: number) => new Map([['wallet', { at: 0, readyAt }]]);
    const asked = (readyAt: number) => decide({ ...large, waiting: waiting(readyAt) });
    expect(asked(NOW + 1)).toEqual({ kind: 'wait', until: NOW + 1, isNew: false, isCrowded: false });
    expect(asked(NOW)).toEqual(SHOW);
    expect(asked(NOW - 72 * HOUR_MS + 1)).toEqual(SHOW);
    expect(asked(NOW - 72 * HOUR_MS)).toMatchObject({ kind: 'wait', isNew: true });
    expect(decide({ ...large, delayMs: 0 })).toEqual(SHOW);
    expect(decide({ waiting: waiting(NOW + 1) })).toMatchObject({ kind: 'wait', isNew: false });
  });

  describe('behind as many others as a day has places', () => {
    const shown = (...ages: number[]) => new Map(ages.map((age, index) => [`shown-${index}`, NOW - age]));
    const waiting = (...waits: number[]) =>
      new Map(waits.map((wait, index) => [`waits-${index}`, { at: NOW, readyAt: NOW + wait }]));
    const wait = (until: number) => ({ kind: 'wait', until, isNew: true, isCrowded: true });

    it('waits until fewer were shown within 24 hours', () => {
      expect(decide({ shown: shown(1, 5) })).toEqual(SHOW);
      expect(decide({ shown: shown(1, 5, 24 * HOUR_MS - 9) })).toEqual(wait(NOW + 9));
      expect(decide({ shown: shown(1, 5, 24 * HOUR_MS) })).toEqual(SHOW);
      expect(decide({ shown: shown(1), walletsPerDay: 0 })).toEqual(wait(NOW + 24 * HOUR_MS - 1));
    });

    it('waits behind those who wait already, a day for as many of them as there are places', () => {
      expect(decide({ shown: shown(1, 5), waiting: waiting(7) })).toEqual(wait(NOW + 24 * HOUR_MS - 5));
      expect(decide({ waiting: waiting(7, 8, 9) })).toEqual(wait(NOW + 24 * HOUR_MS + 7));
      expect(decide({ waiting: waiting(7, 8, 9, 10) })).toEqual(wait(NOW + 24 * HOUR_MS + 8));
    });

    it('is shown in its turn however many others came after it', () => {
      const own: [string, { at: number; readyAt: number }] = ['wallet', { at: 0, readyAt: NOW }];
      const others = waiting(1, 2, 3, 4);
      expect(decide({ shown: shown(1, 2, 3), waiting: new Map([...others, own]) })).toEqual(SHOW);
    });

    it('waits for the later of both where it also holds much', () => {
      const large = { isLarge: true, shown: shown(1, 1, 24 * HOUR_MS - 9) };
      expect(decide(large)).toEqual({ kind: 'wait', until: NOW + HOUR_MS, isNew: true, isCrowded: false });
      expect(decide({ ...large, shown: shown(1, 1, 1) })).toEqual(wait(NOW + 24 * HOUR_MS - 1));
    });

    it('does not wait behind itself', () => {
      expect(decide({ shown: new Map([...shown(1, 1), ['wallet', NOW]]) })).toEqual(SHOW);
    });
  });

  it('counts another wallet once, and one’s own never', () => {
    expect(tooManyOthers(new Map([['wallet', NOW]]), 'wallet', 1, NOW)).toBe(false);
    expect(tooManyOthers(new Map([['other', NOW]]), 'wallet', 1, NOW)).toBe(true);
  });
});
