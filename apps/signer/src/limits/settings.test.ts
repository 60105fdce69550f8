import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { aSigner } from '../fixtures/a-signer.ts';
import { Settings } from './settings.ts';
import { join } from 'node:path';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';

const DAY_MS = 24 * 60 * 60_000;
const basics = { SIGNER_SOCKET: 's', SIGNER_TOKEN: 't'.repeat(32), SIGNER_ENVIRONMENT: 'test', DATA_DIR: 'd' };
const SOL = 1_000_000_000n;

function anInstallation() {
  const path = join(mkdtempSync(join(tmpdir(), 'signer-settings-')), 'settings.json');
  const clock = { now: 1_700_000_000_000 };
  const start = (env: Record<string, string> = {}) => {
    const all = { ...basics, ...env };
    const settings = Settings.open(path, all, () => clock.now);
    return { settings, config: readConfig(settings.effective(all)) };
  };
  return { clock, start };
}

describe('settings of the signer', () => {
  it('take what the first start brings, stricter ones at once and looser ones after a day', () => {
    const { clock, start } = anInstallation();
    expect(start({ SIGNER_DAILY_LIMIT_SOL: '100' }).config.limits.dailyLamports).toBe(100n * SOL);
    expect(start({ SIGNER_DAILY_LIMIT_SOL: '60.5' }).config.limits.dailyLamports).toBe(60_500_000_000n);
    const raised = start({ SIGNER_DAILY_LIMIT_SOL: '70' });
    expect(raised.config.limits.dailyLamports).toBe(60_500_000_000n);
    const what = { kind: 'setting', name: 'SIGNER_DAILY_LIMIT_SOL', value: '70' };
    expect(raised.settings.changes).toMatchObject([{ what, from: clock.now + DAY_MS }]);
    clock.now += DAY_MS - 1;
    expect(start({ SIGNER_DAILY_LIMIT_SOL: '70' }).config.limits.dailyLamports).toBe(60_500_000_000n);
    clock.now += 1;
    expect(start({ SIGNER_DAILY_LIMIT_SOL: '70' }).config.limits.dailyLamports).toBe(70n * SOL);
    // A shorter delay for the export of keys is looser, and so is an end of the variable that made it longer.
    start({ SIGNER_DAILY_LIMIT_SOL: '70', SIGNER_EXPORT_DELAY_SECONDS: '172800' });
    expect(start({ SIGNER_DAILY_LIMIT_SOL: '70' }).config.exportLimits.delayMs).toBe(2 * DAY_MS);
  });

  it('let nobody shorten the wait itself, change the venue key or take two steps for one', () => {
    const { clock, start } = anInstallation();
    const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64url');
    start({ SIGNER_VENUE_KEY: key(1) });
    const env = { SIGNER_VENUE_KEY: key(1), SIGNER_CHANGE_DELAY_SECONDS: '0', SIGNER_LARGE_SOL: '1000' };
    expect(start(env).config.limits.largeLamports).toBe(50n * SOL);
    expect(start(env).config.limits.largeLamports).toBe(50n * SOL);
    clock.now += DAY_MS / 2;
    // Another value starts its wait anew, and what is taken back does not wait any more.
    const other = start({ ...env, SIGNER_LARGE_SOL: '2000', SIGNER_VENUE_KEY: key(2) });
    expect(other.settings.changes.map(({ what, from }) => [what.kind === 'setting' && what.name, from])).toEqual([
      ['SIGNER_CHANGE_DELAY_SECONDS', clock.now + DAY_MS / 2],
      ['SIGNER_LARGE_SOL', clock.now + DAY_MS],
      ['SIGNER_VENUE_KEY', clock.now + DAY_MS],
    ]);
    expect(other.settings.effective(env)).toMatchObject({ SIGNER_VENUE_KEY: key(1) });
    expect(start({ SIGNER_VENUE_KEY: key(1) }).settings.changes).toEqual([]);
  });

  it('need both operators where two are configured, and a day where one of them is gone', () => {
    const { clock, start } = anInstallation();
    const two = { SIGNER_OPERATOR_TOKEN: 'first', SIGNER_OPERATOR_TOKEN_2: 'second' };
    start(two);
    const { settings } = start({ ...two, SIGNER_EXPORTS_DAILY: '300' });
    const [change] = settings.changes;
    settings.confirm(change!.id, 1);
    settings.confirm(change!.id, 1);
    clock.now += 2 * DAY_MS;
    expect(start({ ...two, SIGNER_EXPORTS_DAILY: '300' }).config.exportLimits.walletsPerDay).toBe(200);
    start({ ...two, SIGNER_EXPORTS_DAILY: '300' }).settings.confirm(change!.id, 2);
    expect(start({ ...two, SIGNER_EXPORTS_DAILY: '300' }).config.exportLimits.walletsPerDay).toBe(300);
    // Without the second token two are still needed for everything but that.
    const alone = start({ SIGNER_EXPORTS_DAILY: '400' });
    expect(alone.settings.changes.map(({ what }) => what.kind === 'setting' && what.name)).toEqual([
      'operators',
      'SIGNER_EXPORTS_DAILY',
    ]);
    clock.now += DAY_MS;
    expect(start({ SIGNER_EXPORTS_DAILY: '400' }).config.exportLimits.walletsPerDay).toBe(300);
    expect(start({ SIGNER_EXPORTS_DAILY: '400' }).config.exportLimits.walletsPerDay).toBe(400);
  });
});

describe('the kill switch', () => {
  it('is on at once and off after a day, across restarts, unless something else stops signing', async () => {
    const env = { SIGNER_CHANGE_DELAY_SECONDS: '86400' };
    let test = aSigner({ env });
    await test.signer.stops.set(true, 'swap');
    const waits = await test.signer.stops.set(false, 'swap');
    expect(waits).toMatchObject({ from: test.clock.now + DAY_MS, by: [1] });
    test = await test.reopen();
    test.clock.now += DAY_MS - 1;
    await test.signer.stops.applyDue();
    expect(test.signer.status()).toMatchObject({ stopped: ['swap'], changes: [{ id: waits!.id }] });
    test.clock.now += 1;
    await test.signer.stops.applyDue();
    expect(test.signer.status()).toMatchObject({ stopped: [], changes: [] });
    await test.signer.stops.set(true, null);
    await test.signer.stops.set(false, null);
    await test.signer.stops.trip('export', 'a test');
    test.clock.now += 2 * DAY_MS;
    await test.signer.stops.applyDue();
    expect(test.signer.status().stopped).toHaveLength(4);
  });

  it('is released by two operators together where there are two', async () => {
    const test = aSigner({ env: { SIGNER_OPERATOR_TOKEN_2: 'second' } });
    await test.signer.stops.set(true, null);
    expect(await test.signer.stops.set(false, null, 1)).not.toBeNull();
    expect(await test.signer.stops.set(false, null, 1)).not.toBeNull();
    expect(test.signer.status().stopped).toHaveLength(4);
    expect(await test.signer.stops.set(false, null, 2)).toBeNull();
    expect(test.signer.status().stopped).toEqual([]);
  });
});
