import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { type Change, Settings } from './settings.ts';
import { join } from 'node:path';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
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
  type Kept = { inForce: Record<string, string>; changes: Change[] };
  /** What is on disk, as an older release or a mishap would have left it. */
  const alter = (change: (kept: Kept) => Kept): void => {
    writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as Kept)));
  };
  return { clock, start, alter };
}

const TWO = { SIGNER_OPERATOR_TOKEN_2: 'second' };
const AT_ONCE = { SIGNER_CHANGE_DELAY_SECONDS: '0' };
const namesOf = (changes: readonly Change[]) =>
  changes.map(({ what }) => (what.kind === 'kill-switch-off' ? what.stop : what.name));

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

  it('let nobody turn the clock that limits count in: a past is made at the first start, or waits for a day', () => {
    const { clock, start } = anInstallation();
    const past = { SIGNER_PAST: 'yes' };
    expect(start().config.isPast).toBe(false);
    expect(start(past).config.isPast).toBe(false);
    clock.now += DAY_MS - 1;
    expect(start(past).config.isPast).toBe(false);
    const { start: first } = anInstallation();
    expect(first(past).config.isPast).toBe(true);
    expect(first(past).config.isPast).toBe(true);
    expect(first().config.isPast).toBe(false);
    expect(first(past).config.isPast).toBe(false);
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

  it('refuse a wait that is no number before it is in force: a release would never come', () => {
    const { start } = anInstallation();
    expect(() => readConfig({ ...basics, SIGNER_CHANGE_DELAY_SECONDS: '1 day' })).toThrow(
      'SIGNER_CHANGE_DELAY_SECONDS must be a whole number',
    );
    const { settings } = start();
    expect(() => settings.cancel('no such id')).toThrow('no such change waits');
  });

  it('take no token for two: a server would be an operator, or two operators one', () => {
    const operator = { ...basics, SIGNER_OPERATOR_TOKEN: 'o'.repeat(32) };
    expect(() => readConfig({ ...basics, SIGNER_OPERATOR_TOKEN: basics.SIGNER_TOKEN })).toThrow(
      'SIGNER_OPERATOR_TOKEN must be another one than SIGNER_TOKEN',
    );
    expect(() => readConfig({ ...operator, SIGNER_OPERATOR_TOKEN_2: operator.SIGNER_OPERATOR_TOKEN })).toThrow(
      'SIGNER_OPERATOR_TOKEN_2 must be another one than SIGNER_OPERATOR_TOKEN',
    );
    expect(readConfig({ ...operator, ...TWO }).operatorTokens).toHaveLength(2);
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

describe('settings in force', () => {
  it('take the place of what a start brings, and nothing else does', () => {
    const { start } = anInstallation();
    start({ SIGNER_LARGE_SOL: '40' });
    // No domain was in force, so one that a start brings waits like any other.
    const env = {
      SIGNER_LARGE_SOL: '90',
      SIGNER_RP_ID: 'thief.example',
      SIGNER_ORIGINS: 'https://thief.example',
      A: 'b',
    };
    const { settings } = start(env);
    const effective = settings.effective(env);
    expect(effective).toMatchObject({ A: 'b', SIGNER_LARGE_SOL: '40', SIGNER_DAILY_LIMIT_SOL: '500' });
    for (const name of ['SIGNER_RP_ID', 'SIGNER_ORIGINS', 'SIGNER_VENUE_KEY', 'operators']) {
      expect(name in effective).toBe(false);
    }
    expect(namesOf(settings.changes)).toEqual(['SIGNER_LARGE_SOL', 'SIGNER_ORIGINS', 'SIGNER_RP_ID']);
  });

  it('stay as they are where a later start leaves a stricter one out', () => {
    const { start } = anInstallation();
    start({ SIGNER_LARGE_SOL: '10', SIGNER_ORIGINS: 'https://hunter.example' });
    const { settings } = start();
    expect(settings.effective({})).toMatchObject({ SIGNER_LARGE_SOL: '10', SIGNER_ORIGINS: 'https://hunter.example' });
    expect(namesOf(settings.changes)).toEqual(['SIGNER_LARGE_SOL', 'SIGNER_ORIGINS']);
  });

  it('take a setting at once that the release before did not have', () => {
    const { start, alter } = anInstallation();
    start();
    alter(({ inForce, changes }) => {
      const { SIGNER_RETURN_DAILY_SOL: _, ...older } = inForce;
      return { inForce: older, changes };
    });
    const { settings } = start({ SIGNER_RETURN_DAILY_SOL: '2000' });
    expect(settings.effective({})).toMatchObject({ SIGNER_RETURN_DAILY_SOL: '2000' });
    expect(settings.changes).toEqual([]);
  });

  it('change at once without a delay, but with two operators only when both agree', () => {
    const alone = anInstallation();
    alone.start(AT_ONCE);
    expect(alone.start({ ...AT_ONCE, SIGNER_LARGE_SOL: '60' }).config.limits.largeLamports).toBe(60n * SOL);
    const both = anInstallation();
    const env = { ...AT_ONCE, ...TWO, SIGNER_LARGE_SOL: '60' };
    both.start({ ...AT_ONCE, ...TWO });
    const { settings, config } = both.start(env);
    expect(config.limits.largeLamports).toBe(50n * SOL);
    settings.confirm(settings.changes[0]!.id, 1);
    settings.confirm(settings.changes[0]!.id, 2);
    const after = both.start(env);
    expect(after.config.limits.largeLamports).toBe(60n * SOL);
    expect(after.settings.changes).toEqual([]);
  });

  it('are not looser for being written otherwise, and are where they are no number', () => {
    const { start } = anInstallation();
    start({ SIGNER_LARGE_SOL: '50', SIGNER_EXPORT_DELAY_SECONDS: '86400' });
    expect(start({ SIGNER_LARGE_SOL: '50.0', SIGNER_EXPORT_DELAY_SECONDS: '086400' }).settings.changes).toEqual([]);
    const other = anInstallation();
    const key = (digit: string): string => digit.repeat(43);
    other.start({ SIGNER_VENUE_KEY: key('1') });
    // A key that happens to consist of digits is not stricter for being a larger number.
    const { settings } = other.start({ SIGNER_VENUE_KEY: key('9') });
    expect(settings.effective({})).toMatchObject({ SIGNER_VENUE_KEY: key('1') });
    expect(namesOf(settings.changes)).toEqual(['SIGNER_VENUE_KEY']);
    expect(namesOf(start({ SIGNER_LARGE_SOL: 'all' }).settings.changes)).toContain('SIGNER_LARGE_SOL');
  });
});

describe('changes that wait', () => {
  it('are kept apart: a release of one kind agrees to no other and to no setting', () => {
    const { start } = anInstallation();
    start(TWO);
    const { settings } = start({ ...TWO, SIGNER_LARGE_SOL: '60' });
    settings.askKillSwitchOff('swap', 1);
    settings.askKillSwitchOff('export', 2);
    settings.askKillSwitchOff(null, 2);
    settings.askKillSwitchOff('swap', 2);
    expect(settings.changes.map(({ by }) => by)).toEqual([[], [1, 2], [2], [2]]);
    expect(namesOf(settings.changes)).toEqual(['SIGNER_LARGE_SOL', 'swap', 'export', null]);
  });

  it('are confirmed by their id, and what does not wait cannot be', () => {
    const { start } = anInstallation();
    start(TWO);
    const { settings } = start({ ...TWO, SIGNER_LARGE_SOL: '60' });
    const release = settings.askKillSwitchOff('swap', 1)!;
    expect(settings.confirm(release.id, 2)).toMatchObject({ id: release.id, by: [1, 2] });
    expect(settings.changes[0]!.by).toEqual([]);
    expect(() => settings.confirm('unknown', 2)).toThrow('POLICY_INVALID: no such change waits');
  });

  it('are canceled one by one, across restarts', () => {
    const { start } = anInstallation();
    const env = { ...TWO, SIGNER_LARGE_SOL: '60' };
    start(TWO);
    const { settings } = start(env);
    const release = settings.askKillSwitchOff('swap', 1)!;
    settings.askKillSwitchOff('export', 1);
    settings.cancel(release.id);
    expect(namesOf(settings.changes)).toEqual(['SIGNER_LARGE_SOL', 'export']);
    expect(namesOf(start(env).settings.changes)).toEqual(['SIGNER_LARGE_SOL', 'export']);
  });

  it('are forgotten, as far as they release the kill switch, when it goes on again, across restarts', () => {
    const { start } = anInstallation();
    const env = { SIGNER_LARGE_SOL: '60' };
    start();
    const { settings } = start(env);
    settings.askKillSwitchOff('swap', 1);
    settings.askKillSwitchOff(null, 1);
    settings.forgetKillSwitchOff('export');
    expect(namesOf(settings.changes)).toEqual(['SIGNER_LARGE_SOL']);
    expect(namesOf(start(env).settings.changes)).toEqual(['SIGNER_LARGE_SOL']);
  });

  it('release the kill switch once when their time has come, also over a restart', () => {
    const { clock, start } = anInstallation();
    const env = { SIGNER_LARGE_SOL: '60' };
    start();
    const first = start(env).settings;
    first.askKillSwitchOff('swap', 1);
    clock.now += 1;
    first.askKillSwitchOff('export', 1);
    clock.now += DAY_MS - 2;
    expect(first.takeDueReleases()).toEqual([]);
    clock.now += 1;
    // The setting has waited as long, but takes effect at a start.
    expect(first.takeDueReleases()).toEqual(['swap']);
    expect(namesOf(first.changes)).toEqual(['SIGNER_LARGE_SOL', 'export']);
    clock.now += 1;
    const second = start(env);
    expect(second.config.limits.largeLamports).toBe(60n * SOL);
    expect(namesOf(second.settings.changes)).toEqual(['export']);
    expect(second.settings.takeDueReleases()).toEqual(['export']);
    expect(start(env).settings.takeDueReleases()).toEqual([]);
  });

  it('are none where a release needs neither time nor a second operator', () => {
    const { settings } = anInstallation().start(AT_ONCE);
    expect(settings.askKillSwitchOff('swap', 1)).toBeNull();
    expect(settings.changes).toEqual([]);
    expect(
      anInstallation()
        .start({ ...AT_ONCE, ...TWO })
        .settings.askKillSwitchOff('swap', 1),
    ).not.toBeNull();
  });

  it('are a hundred at most', () => {
    const { start, alter } = anInstallation();
    start();
    const waiting = (index: number): Change => ({
      id: `change ${index}`,
      what: { kind: 'setting', name: `OLD_${index}`, value: '1' },
      from: Number.MAX_SAFE_INTEGER,
      by: [],
    });
    alter(({ inForce }) => ({ inForce, changes: Array.from({ length: 99 }, (_, index) => waiting(index)) }));
    const { settings } = start();
    expect(settings.askKillSwitchOff('swap', 1)).not.toBeNull();
    expect(() => settings.askKillSwitchOff('export', 1)).toThrow('POLICY_INVALID: too many changes wait');
    expect(settings.changes).toHaveLength(100);
  });
});
