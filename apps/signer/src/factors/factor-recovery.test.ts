import { beforeEach, describe, expect, it } from 'vitest';
import { RECOVERY_MS } from '../fixtures/a-signer.ts';
import type { Authenticator } from '../fixtures/an-authenticator.ts';
import { anOwner, outcomeOf, PASSWORD, type WalletOwner } from '../fixtures/an-owner.ts';
import { DAY_MS } from '../limits/withdrawal-rules.ts';

const NONE = 'POLICY_INVALID: no recovery is under way';
const FINISH_MS = 14 * DAY_MS;

let user: WalletOwner;
let device: Authenticator;

beforeEach(async () => {
  user = await anOwner();
  ({ device } = await user.enrolPasskey());
});

const start = (who = user) => who.factors.startRecovery(who.owner, who.sealedKey, PASSWORD);
const finish = () => outcomeOf(user.factors.finishRecovery(user.owner, user.sealedKey, PASSWORD));
const underWay = () => user.test.signer.status().recoveries;

describe('a recovery of second factors', () => {
  it('is seen by operators from its start to its end, by address and time', async () => {
    const startedAt = user.test.clock.now;
    const { readyAt } = await start();
    expect(underWay()).toEqual([{ address: user.address, startedAt, readyAt }]);
    expect(await finish()).toBe('HELD: the recovery waits');
    user.test.clock.now = readyAt;
    expect(await finish()).toBe('DONE');
    expect(underWay()).toEqual([]);
    expect(user.test.alarms).toEqual([
      {
        msg: `recovery of second factors started; they go at ${new Date(readyAt).toISOString()}`,
        address: user.address,
      },
      { msg: 'second factors removed by recovery', address: user.address },
    ]);
  });

  it('by a thief ends with the owner’s next touch, and operators are told', async () => {
    await start();
    expect(await user.logIn(device.sign(user.own('login', 'first')), 'first')).toBe('DONE');
    const canceled = {
      msg: 'recovery of second factors canceled: a factor was used meanwhile',
      address: user.address,
    };
    expect(user.test.alarms.slice(1)).toEqual([canceled]);
    expect(underWay()).toEqual([]);
    // The next touch has nothing to end.
    expect(await user.logIn(device.sign(user.own('login', 'second')), 'second')).toBe('DONE');
    expect(user.test.alarms).toHaveLength(2);
    user.test.clock.now += RECOVERY_MS;
    expect(await finish()).toBe(NONE);
  });

  it('does not end by a factor that is wrong', async () => {
    await start();
    await user.logIn(device.sign(user.own('login', 'another')), 'first');
    expect(underWay()).toHaveLength(1);
    expect(user.test.alarms).toHaveLength(1);
  });

  it('lapses two weeks after its time, and then starts anew with the whole delay', async () => {
    const { readyAt } = await start();
    user.test.clock.now = readyAt + FINISH_MS - 1;
    expect(underWay()).toHaveLength(1);
    expect(await start()).toEqual({ readyAt });
    user.test.clock.now += 1;
    expect(underWay()).toEqual([]);
    expect(await finish()).toBe(NONE);
    expect(await start()).toEqual({ readyAt: user.test.clock.now + RECOVERY_MS });
    expect(await finish()).toBe('HELD: the recovery waits');
  });

  it('behind as many others as have places waits for its turn, which nobody who comes later puts off', async () => {
    const others: WalletOwner[] = [];
    for (const name of ['2', '3', '4', '5']) {
      const other = await anOwner(user.test, name);
      await other.enrolPasskey();
      others.push(other);
    }
    const [second, third, fourth, fifth] = others;
    const first = await start();
    user.test.clock.now += 1;
    expect(await start(second)).toEqual({ readyAt: first.readyAt + 1 });
    expect(await start(third)).toEqual({ readyAt: first.readyAt + RECOVERY_MS });
    expect(await start(fourth)).toEqual({ readyAt: first.readyAt + 1 + RECOVERY_MS });
    expect(await start(third)).toEqual({ readyAt: first.readyAt + RECOVERY_MS });
    expect(user.test.alarms).toHaveLength(4);
    expect(underWay()).toHaveLength(4);
    // Whoever cancels makes room.
    for (const other of [third!, fourth!]) await other.factors.cancelRecovery(other.owner, other.sealedKey);
    expect(await start(fifth)).toEqual({ readyAt: first.readyAt + RECOVERY_MS });
    user.test.clock.now = first.readyAt + RECOVERY_MS;
    await fifth!.factors.finishRecovery(fifth!.owner, fifth!.sealedKey, PASSWORD);
    // Who did not finish in his turn keeps nobody waiting.
    expect(await start(third)).toEqual({ readyAt: user.test.clock.now + RECOVERY_MS });
  });

  it('needs a factor to be about', async () => {
    const without = await anOwner(user.test, '2');
    expect(await outcomeOf(start(without))).toBe('POLICY_INVALID: there is no second factor');
    await without.factors.cancelRecovery(without.owner, without.sealedKey);
    expect(underWay()).toEqual([]);
  });
});
