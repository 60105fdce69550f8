import { describe, expect, it } from 'vitest';
import { spotPrice } from '../market/swap-maths.ts';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import { joinDepthLimit } from './round-depth.ts';
import { aFollower, aRound, pool, sol, spends } from './round-plan-for-test.ts';
import { joinLeft, lowestHeld, planJoinRound, type JoinRound } from './round-plan.ts';

describe('a round of those who join', () => {
  const aJoin = (...wanted: number[]): JoinRound => ({
    ...aRound(),
    joinedLamports: sol(0),
    followers: wanted.map((amount, index) => ({
      ...aFollower({ followId: String(index) }),
      plannedLamports: sol(amount),
      wantedLamports: sol(amount),
    })),
  });

  it('buys for each what is missing to the weights of the strategy, within the limits of each', () => {
    const [first, second] = planJoinRound(aJoin(1, 8));
    expect(first).toMatchObject({ followId: '0', kind: 'copy', wantedLamports: sol(1), amountIn: sol(1) });
    expect(second).toMatchObject({ followId: '1', amountIn: sol(5), limitedBy: 'coin-cap' });
  });

  const shallow = { ...pool, solReserve: sol(200), tokenReserve: baseUnits(10n ** 13n) };
  const deepCoin = { ageMs: 30 * 86_400_000, poolLamports: sol(1_000) };
  const ofAnHour = joinDepthLimit(shallow, baseUnits(0n), sol(0));
  const inShallow = (...wanted: number[]) => ({
    ...aJoin(...wanted),
    coin: deepCoin,
    pool: shallow,
    reference: spotPrice(shallow),
  });

  it('gives all who join equal parts of what they may move the price within an hour, with no part for the creator', () => {
    const planned = planJoinRound(inShallow(4, 2));
    expect(planned).toMatchObject([{ limitedBy: 'depth' }, { limitedBy: 'depth' }]);
    const spent = planned.map(spends);
    expect(spent[0]! + spent[1]!).toBe(ofAnHour);
    expect(spent[0]! - spent[1]!).toBeLessThan(2n);
    const most = planJoinRound({ ...inShallow(4), joinedLamports: lamports(ofAnHour - sol(1)) });
    expect(most).toMatchObject([{ amountIn: sol(1), limitedBy: 'depth' }]);
    expect(planJoinRound({ ...inShallow(4), joinedLamports: ofAnHour })).toMatchObject([
      { kind: 'skip', reason: 'depth' },
    ]);
  });

  it('keeps nobody waiting who wants little behind somebody who wants the room of many hours', () => {
    const planned = planJoinRound({ ...inShallow(1_000, 0.2, 0.1), coin: { ...deepCoin, poolLamports: sol(10 ** 6) } });
    expect(planned[1]).toMatchObject({ kind: 'copy', amountIn: sol(0.2), limitedBy: null });
    expect(planned[2]).toMatchObject({ kind: 'copy', amountIn: sol(0.1), limitedBy: null });
    expect(planned.map(spends).reduce((sum, amount) => sum + amount, 0n)).toBeLessThanOrEqual(ofAnHour);
  });

  it('gives a crowd for which the room is too small parts of the minimum, until none is left', () => {
    const crowd = inShallow(...Array.from({ length: 2_000 }, () => 1));
    const amounts = planJoinRound(crowd).map(spends);
    const bought = amounts.filter((amount) => amount > 0n);
    expect(bought.length).toBe(Number(ofAnHour / sol(0.001)));
    expect(bought.every((amount) => amount >= sol(0.001))).toBe(true);
  });

  it('gives each its part of the room of an hour, however small a part of its plan that is', () => {
    const round = inShallow(4, 4, 4, 4);
    const followers = round.followers.map((follower) => ({ ...follower, wantedLamports: sol(3.9) }));
    const spent = planJoinRound({ ...round, followers }).map(spends);
    expect(spent.every((amount) => amount > 0n && amount < sol(1))).toBe(true);
  });

  it('buys what a limit left over only in parts worth it, or where it completes the plan', () => {
    // The coin cap of the test's follower is 5 SOL: with 4.4 SOL in the coin it leaves room for 0.6.
    const joinLater = (planned: number, left: number, held: number) => {
      const round = aJoin(planned);
      const follower = round.followers[0]!;
      const state = { ...follower.state, coinLamports: sol(held) };
      return planJoinRound({ ...round, followers: [{ ...follower, state, wantedLamports: sol(left) }] })[0];
    };
    expect(joinLater(8, 3.6, 4.4)).toMatchObject({ kind: 'skip', reason: 'coin-cap' });
    expect(joinLater(8, 3.6, 3)).toMatchObject({ kind: 'copy', amountIn: sol(2), limitedBy: 'coin-cap' });
    expect(joinLater(8, 0.5, 4.4)).toMatchObject({ kind: 'copy', amountIn: sol(0.5), limitedBy: null });
    expect(joinLater(8, 0.0005, 0)).toMatchObject({ kind: 'skip', reason: 'below-minimum' });
    // Nothing bought yet: the first part may be small.
    expect(joinLater(8, 8, 4.4)).toMatchObject({ kind: 'copy', amountIn: sol(0.6) });
  });

  it('wants no more of a coin than the creator has kept of it since', () => {
    const plan = { plannedLamports: sol(8), heldTokens: baseUnits(1_000n) };
    const left = (joined: number, now: bigint) => joinLeft(plan, sol(joined), baseUnits(now));
    expect(left(0, 1_000n)).toEqual({ plannedLamports: sol(8), wantedLamports: sol(8) });
    expect(left(2, 4_000n)).toEqual({ plannedLamports: sol(8), wantedLamports: sol(6) });
    expect(left(2, 500n)).toEqual({ plannedLamports: sol(4), wantedLamports: sol(3) });
    expect(left(2, 0n)).toBeNull();
    expect([left(8, 1_000n), left(9, 1_000n)]).toEqual([null, null]);
    // Of a follow from before this was kept nobody knows what the creator held then.
    expect(joinLeft({ ...plan, heldTokens: null }, sol(2), baseUnits(1n))?.wantedLamports).toBe(sol(6));
  });

  it('takes the least that the creator has held since the plan, whatever he bought back', () => {
    const at = (second: number) => new Date(second * 1_000);
    const traded = (second: number, tokens: bigint) => ({ at: at(second), tokens });
    // 1,000 were bought at 10, 900 sold at 20, 950 bought back at 30.
    const changes = [traded(30, 950n), traded(20, -900n), traded(10, 1_000n)];
    const lowestSince = (second: number) => lowestHeld(baseUnits(1_050n), changes, at(second));
    expect([31, 30, 20, 15].map(lowestSince)).toEqual([1_050n, 100n, 100n, 100n]);
    expect(lowestSince(10)).toBe(0n);
    // A permanent delegate has taken 200.
    expect(lowestHeld(baseUnits(850n), changes, at(15))).toBe(0n);
  });

  it('buys nothing where the pool cannot sell a whole unit', () => {
    const coarse = { ...pool, solReserve: sol(1_000), tokenReserve: baseUnits(10n) };
    expect(planJoinRound({ ...aJoin(1, 0.0001), pool: coarse, reference: spotPrice(coarse) })).toMatchObject([
      { kind: 'skip', reason: 'depth' },
      { kind: 'skip', reason: 'below-minimum' },
    ]);
  });
});
