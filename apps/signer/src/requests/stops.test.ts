import { describe, expect, it } from 'vitest';
import { aSigner } from '../fixtures/a-signer.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('the kill switch', () => {
  it('is on at once and off after a day, across restarts, unless something else stops signing', async () => {
    const env = { SIGNER_CHANGE_DELAY_SECONDS: '86400' };
    let test = aSigner({ env });
    await test.signer.stops.switchOn('swap', 1);
    const waits = await test.signer.stops.askRelease('swap', 1);
    expect(waits).toMatchObject({ from: test.clock.now + DAY_MS, by: [1] });
    test = await test.reopen();
    test.clock.now += DAY_MS - 1;
    await test.signer.stops.applyDue();
    expect(test.signer.status()).toMatchObject({ stopped: ['swap'], changes: [{ id: waits!.id }] });
    test.clock.now += 1;
    await test.signer.stops.applyDue();
    expect(test.signer.status()).toMatchObject({ stopped: [], changes: [] });
    await test.signer.stops.switchOn(null, 1);
    await test.signer.stops.askRelease(null, 1);
    await test.signer.stops.trip('export', 'a test');
    test.clock.now += 2 * DAY_MS;
    await test.signer.stops.applyDue();
    expect(test.signer.status().stopped).toHaveLength(5);
  });

  it('is released by two operators together where there are two', async () => {
    const test = aSigner({ env: { SIGNER_OPERATOR_TOKEN_2: 'second' } });
    await test.signer.stops.switchOn(null, 1);
    expect(await test.signer.stops.askRelease(null, 1)).not.toBeNull();
    expect(await test.signer.stops.askRelease(null, 1)).not.toBeNull();
    expect(test.signer.status().stopped).toHaveLength(5);
    expect(await test.signer.stops.askRelease(null, 2)).toBeNull();
    expect(test.signer.status().stopped).toEqual([]);
  });

  it('stops what it names and nothing else, and everything where it names nothing', async () => {
    const { signer } = aSigner();
    const refused = (kind: 'swap' | 'transfer' | 'withdrawal' | 'export') => () => signer.stops.refuse(kind);
    expect(refused('swap')).not.toThrow();
    await signer.stops.switchOn('swap', 1);
    expect(refused('swap')).toThrow(
      expect.objectContaining({ denial: { code: 'KILL_SWITCH', reason: 'signing is stopped' } }),
    );
    expect(refused('withdrawal')).not.toThrow();
    await signer.stops.switchOn(null, 1);
    expect(refused('withdrawal')).toThrow();
    // Released at once where changes wait for nothing, and told.
    expect(await signer.stops.askRelease(null, 1)).toBeNull();
    expect(refused('swap')).not.toThrow();
  });

  it('says in the log of the signer who or what set it, once, and who released what', async () => {
    const { signer, alarms } = aSigner();
    await signer.stops.trip('export', 'too many');
    await signer.stops.switchOn('export', null);
    await signer.stops.switchOn('swap', null);
    await signer.stops.switchOn(null, 1);
    await signer.stops.askRelease('export', 1);
    await signer.stops.askRelease(null, 1);
    expect(alarms).toEqual([
      { msg: 'export stopped until an operator releases it: too many' },
      { msg: 'swap stopped until an operator releases it: switched on by a server' },
      { msg: 'all signing stopped until an operator releases it: switched on by operator 1' },
      { msg: 'operator 1 asked for: release of export' },
      { msg: 'kill switch released: export' },
      { msg: 'operator 1 asked for: release of everything' },
      { msg: 'kill switch released: everything' },
    ]);
  });

  it('says until when it is on: who asked for a release, agreed, canceled, or dropped it by a stop', async () => {
    const { signer, alarms } = aSigner({ env: { SIGNER_OPERATOR_TOKEN_2: 'second' } });
    await signer.stops.switchOn('swap', 1);
    const waits = await signer.stops.askRelease('swap', 1);
    signer.stops.cancel(waits!.id, 2);
    await signer.stops.askRelease(null, 2);
    await signer.stops.switchOn('export', null);
    const again = await signer.stops.askRelease('swap', 1);
    await signer.stops.confirm(again!.id, 2);
    const before = 'not before 2023-11-14T22:13:20.000Z';
    expect(alarms).toEqual([
      { msg: 'swap stopped until an operator releases it: switched on by operator 1' },
      { msg: `operator 1 asked for: release of swap, ${before}` },
      { msg: `operator 2 canceled: release of swap, ${before}` },
      { msg: `operator 2 asked for: release of everything, ${before}` },
      { msg: 'export stopped until an operator releases it: switched on by a server' },
      { msg: `dropped by a stop (switched on by a server): release of everything, ${before}` },
      { msg: `operator 1 asked for: release of swap, ${before}` },
      { msg: `operator 2 agrees: release of swap, ${before}` },
      { msg: 'kill switch released: swap' },
    ]);
    alarms.length = 0;
    await signer.stops.askRelease('export', 2);
    await signer.stops.askRelease('export', 1);
    expect(alarms).toEqual([
      { msg: `operator 2 asked for: release of export, ${before}` },
      { msg: `operator 1 asked for: release of export, ${before}` },
      { msg: 'kill switch released: export' },
    ]);
  });

  it('says at a start that it is on, since when, why and until when, and nothing where it is off', async () => {
    const test = aSigner({ env: { SIGNER_CHANGE_DELAY_SECONDS: '86400' } });
    await test.signer.stops.switchOn('swap', null);
    test.clock.now += 1_000;
    await test.signer.stops.trip('export', 'too many');
    const stopped =
      'swap since 2023-11-14T22:13:20.000Z (switched on by a server), export since 2023-11-14T22:13:21.000Z (too many)';
    const second = await test.reopen();
    second.signer.stops.tell();
    expect(second.alarms).toEqual([{ msg: `the kill switch is on: ${stopped}; until an operator releases it` }]);
    await second.signer.stops.askRelease(null, 1);
    const third = await second.reopen();
    third.signer.stops.tell();
    expect(third.alarms).toEqual([
      { msg: `the kill switch is on: ${stopped}; release of everything, not before 2023-11-15T22:13:21.000Z` },
    ]);
    const other = aSigner();
    other.signer.stops.tell();
    expect(other.alarms).toEqual([]);
  });

  it('is released although somebody resets passwords again and again, unless that is what is released', async () => {
    const test = aSigner({ resetsPerDay: 0, env: { SIGNER_CHANGE_DELAY_SECONDS: '86400' } });
    const owner = { userId: '1', walletId: '1' };
    let { sealedKey } = await test.signer.createWallet(owner, 'a password');
    await test.signer.stops.switchOn('withdrawal', 1);
    await test.signer.stops.askRelease('withdrawal', 1);
    for (let count = 0; count < 2; count += 1) {
      sealedKey = await test.signer.resetPassword(owner, sealedKey, 'another password');
      await test.signer.stops.askRelease('reset', 1);
    }
    sealedKey = await test.signer.resetPassword(owner, sealedKey, 'another password');
    test.clock.now += DAY_MS;
    await test.signer.stops.applyDue();
    expect(test.signer.status()).toMatchObject({ stopped: ['reset'], changes: [] });
  });

  it('stays on where the release is taken back, and goes off when a second operator confirms it', async () => {
    const { signer, clock } = aSigner({ env: { SIGNER_OPERATOR_TOKEN_2: 'second' } });
    await signer.stops.switchOn('swap', 1);
    const first = await signer.stops.askRelease('swap', 1);
    signer.stops.cancel(first!.id, 2);
    expect(signer.stops.changes).toEqual([]);
    clock.now += 2 * DAY_MS;
    await signer.stops.applyDue();
    expect(signer.status().stopped).toEqual(['swap']);
    const second = await signer.stops.askRelease('swap', 1);
    expect(signer.stops.changes).toEqual([second]);
    await signer.stops.confirm(second!.id, 2);
    expect(signer.status().stopped).toEqual([]);
  });

  it('keeps why and since when it is on', async () => {
    const test = aSigner();
    const at = test.clock.now;
    await test.signer.stops.switchOn('swap', 1);
    test.clock.now += 1;
    await test.signer.stops.trip('export', 'too many');
    expect(Object.fromEntries((await test.reopen()).state.stopped)).toEqual({
      swap: { why: 'switched on by operator 1', at },
      export: { why: 'too many', at: at + 1 },
    });
  });
});
