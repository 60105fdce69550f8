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
    walletsPerDay: 3,
    isLarge: false,
    asked: null,
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
    expect(decide(large)).toEqual({ kind: 'wait', until: NOW + HOUR_MS, isNew: true });
    const asked = (readyAt: number) => decide({ ...large, asked: { at: 0, readyAt } });
    expect(asked(NOW + 1)).toEqual({ kind: 'wait', until: NOW + 1, isNew: false });
    expect(asked(NOW)).toEqual(SHOW);
    expect(asked(NOW - 72 * HOUR_MS + 1)).toEqual(SHOW);
    expect(asked(NOW - 72 * HOUR_MS)).toMatchObject({ kind: 'wait', isNew: true });
    expect(decide({ ...large, delayMs: 0 })).toEqual(SHOW);
    expect(decide({ asked: { at: 0, readyAt: NOW + 1 } })).toMatchObject({ kind: 'wait', isNew: false });
  });

  it('stops everything where the keys of too many wallets are shown within a day', () => {
    const shown = (...ages: number[]) => new Map(ages.map((age, index) => [`other-${index}`, NOW - age]));
    expect(decide({ shown: shown(1, 1) })).toEqual(SHOW);
    expect(decide({ shown: shown(1, 1, 24 * HOUR_MS - 1) })).toEqual({ kind: 'trip' });
    expect(decide({ shown: shown(1, 1, 24 * HOUR_MS) })).toEqual(SHOW);
    // One owner who does it again and again stops nobody.
    expect(tooManyOthers(new Map([['wallet', NOW]]), 'wallet', 1, NOW)).toBe(false);
  });
});
