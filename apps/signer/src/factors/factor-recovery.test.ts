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

  it('makes room for another when it is canceled', async () => {
    const [second, third] = [await anOwner(user.test, '2'), await anOwner(user.test, '3')];
    await second.enrolPasskey();
    await third.enrolPasskey();
    await start();
    await start(second);
    expect(await outcomeOf(start(third))).toBe('RECOVERY_LIMIT: too many recoveries are under way');
    expect(user.test.alarms.at(-1)).toEqual({
      msg: 'recovery of second factors refused: too many are under way',
      address: third.address,
    });
    await user.factors.cancelRecovery(second.owner, second.sealedKey);
    expect(await outcomeOf(start(third))).toBe('DONE');
    expect(underWay().map(({ address }) => address)).toEqual([user.address, third.address]);
  });

  it('needs a factor to be about', async () => {
    const without = await anOwner(user.test, '2');
    expect(await outcomeOf(start(without))).toBe('POLICY_INVALID: there is no second factor');
    await without.factors.cancelRecovery(without.owner, without.sealedKey);
    expect(underWay()).toEqual([]);
  });
});
