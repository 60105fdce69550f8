import { describe, expect, it } from 'vitest';
import { aSigner } from '../fixtures/a-signer.ts';

const DAY_MS = 24 * 60 * 60_000;

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
    expect(test.signer.status().stopped).toHaveLength(5);
  });

  it('is released by two operators together where there are two', async () => {
    const test = aSigner({ env: { SIGNER_OPERATOR_TOKEN_2: 'second' } });
    await test.signer.stops.set(true, null);
    expect(await test.signer.stops.set(false, null, 1)).not.toBeNull();
    expect(await test.signer.stops.set(false, null, 1)).not.toBeNull();
    expect(test.signer.status().stopped).toHaveLength(5);
    expect(await test.signer.stops.set(false, null, 2)).toBeNull();
    expect(test.signer.status().stopped).toEqual([]);
  });

  it('stops what it names and nothing else, and everything where it names nothing', async () => {
    const { signer } = aSigner();
    const refused = (kind: 'swap' | 'transfer' | 'withdrawal' | 'export') => () => signer.stops.refuse(kind);
    expect(refused('swap')).not.toThrow();
    await signer.stops.set(true, 'swap');
    expect(refused('swap')).toThrow(
      expect.objectContaining({ denial: { code: 'KILL_SWITCH', reason: 'signing is stopped' } }),
    );
    expect(refused('withdrawal')).not.toThrow();
    await signer.stops.set(true, null);
    expect(refused('withdrawal')).toThrow();
    // Released at once where changes wait for nothing, and told.
    expect(await signer.stops.set(false, null)).toBeNull();
    expect(refused('swap')).not.toThrow();
  });

  it('says in the log of the signer what tripped it and what was released', async () => {
    const { signer, alarms } = aSigner();
    await signer.stops.trip('export', 'too many');
    await signer.stops.trip(null, 'forged passwords');
    await signer.stops.set(false, 'export');
    await signer.stops.set(false, null);
    expect(alarms).toEqual([
      { msg: 'export stopped: too many' },
      { msg: 'all signing stopped: forged passwords' },
      { msg: 'kill switch released: export' },
      { msg: 'kill switch released: everything' },
    ]);
  });

  it('stays on where the release is taken back, and goes off when a second operator confirms it', async () => {
    const { signer, clock } = aSigner({ env: { SIGNER_OPERATOR_TOKEN_2: 'second' } });
    await signer.stops.set(true, 'swap');
    const first = await signer.stops.set(false, 'swap', 1);
    signer.stops.cancel(first!.id);
    expect(signer.stops.changes).toEqual([]);
    clock.now += 2 * DAY_MS;
    await signer.stops.applyDue();
    expect(signer.status().stopped).toEqual(['swap']);
    const second = await signer.stops.set(false, 'swap', 1);
    expect(signer.stops.changes).toEqual([second]);
    await signer.stops.confirm(second!.id, 2);
    expect(signer.status().stopped).toEqual([]);
  });

  it('keeps why and since when it is on', async () => {
    const test = aSigner();
    const at = test.clock.now;
    await test.signer.stops.set(true, 'swap');
    test.clock.now += 1;
    await test.signer.stops.trip('export', 'too many');
    expect(Object.fromEntries((await test.reopen()).state.stopped)).toEqual({
      swap: { why: 'switched on by hand', at },
      export: { why: 'too many', at: at + 1 },
    });
  });
});
