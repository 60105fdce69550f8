import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quotePool, spotPrice, type Pool } from '../market/swap-maths.ts';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import { depthLimit } from './round-depth.ts';
import { aFollower, aRound, aState, pool, sol, spends } from './round-plan-for-test.ts';
import { planBuyRound, type BuyFollower, type BuyRound, type PlannedBuy } from './round-plan.ts';

const SOL = 1_000_000_000n;
const plan = (overrides: Partial<BuyRound> = {}): PlannedBuy => planBuyRound(aRound(overrides))[0]!;

describe('a follow by SOL count', () => {
  it('spends the creator’s fraction', () => {
    expect(plan()).toEqual({
      followId: 'follow',
      kind: 'copy',
      wantedLamports: sol(1),
      amountIn: sol(1),
      limitedBy: null,
      runUpLamports: expect.anything(),
      costLamports: expect.anything(),
    });
  });

  it('spends no larger part of its whole than the creator does of his, however little SOL he has left', () => {
    // The creator holds 19 of 20 SOL in coins and puts his last SOL into this one: a twentieth, not everything.
    const creator = { spendLamports: sol(1), freeLamports: sol(1), equityLamports: sol(20) };
    expect(spends(plan({ creator }))).toBe(sol(0.5));
  });

  it('spends everything where the creator does and nothing limits it', () => {
    const creator = { spendLamports: sol(20), freeLamports: sol(20), equityLamports: sol(20) };
    const settings = { ...aFollower().settings, coinCap: null };
    expect(spends(plan({ creator, followers: [aFollower({ settings })] }))).toBe(sol(10));
  });
});

describe('a follow by position', () => {
  it('spends the creator’s size times its multiplier while it has free SOL', () => {
    const follower = aFollower({ mode: 'position', multiplierBps: 5_000n });
    expect(spends(plan({ followers: [follower] }))).toBe(sol(1));
    expect(plan({ followers: [{ ...follower, spendableLamports: sol(0.4) }] })).toMatchObject({
      amountIn: sol(0.4),
      limitedBy: 'insufficient-balance',
    });
  });
});

describe('protection', () => {
  it('shrinks a copy at a pumped price so that the excess over the reference stays within the run-up limit', () => {
    const reference = { numerator: pool.solReserve / 2n, denominator: pool.tokenReserve };
    const planned = plan({ reference });
    expect(planned).toMatchObject({ kind: 'copy', limitedBy: 'run-up' });
    // At twice the reference half of what is spent lies above it; three percent of ten SOL may.
    expect(spends(planned)).toBeLessThanOrEqual(sol(0.6));
    expect(spends(planned)).toBeGreaterThan(sol(0.599));
  });

  it('takes what was already paid above the reference off the limit, per coin and over all coins', () => {
    const reference = { numerator: pool.solReserve / 2n, denominator: pool.tokenReserve };
    const with_ = (state: Partial<BuyFollower['state']>) =>
      plan({ reference, followers: [aFollower({ state: aState(state) })] });
    expect(spends(with_({ runUpUsedLamports: sol(0.15), runUpUsedTotalLamports: sol(0.15) }))).toBeLessThan(sol(0.31));
    expect(with_({ runUpUsedLamports: sol(0.3) })).toMatchObject({ kind: 'skip', reason: 'run-up' });
    expect(with_({ runUpUsedTotalLamports: sol(1) })).toMatchObject({ kind: 'skip', reason: 'run-up' });
  });

  it.each([
    ['an old coin in a deep pool', { ageMs: 8 * 86_400_000, poolLamports: sol(500) }, sol(5)],
    ['a coin younger than seven days', { ageMs: 7 * 86_400_000 - 1, poolLamports: sol(500) }, sol(2.5)],
    ['a pool below 500 SOL', { ageMs: 7 * 86_400_000, poolLamports: lamports(500n * SOL - 1n) }, sol(2.5)],
    ['a pool below 100 SOL', { ageMs: 8 * 86_400_000, poolLamports: lamports(100n * SOL - 1n) }, sol(1)],
  ])('caps the part of a follow in one coin: %s', (_name, coin, most) => {
    const creator = { spendLamports: sol(20), freeLamports: sol(20), equityLamports: sol(20) };
    expect(plan({ coin, creator })).toMatchObject({ amountIn: most, limitedBy: 'coin-cap' });
    const holding = aFollower({ state: aState({ coinLamports: lamports(most - sol(0.25)) }) });
    expect(spends(plan({ coin, creator, followers: [holding] }))).toBe(sol(0.25));
  });

  it('copies the creator’s own weights where the follower chose so', () => {
    const creator = { spendLamports: sol(20), freeLamports: sol(20), equityLamports: sol(20) };
    const settings = { ...aFollower().settings, coinCap: null };
    const coin = { ageMs: 0, poolLamports: sol(60) };
    expect(spends(plan({ coin, creator, followers: [aFollower({ settings })] }))).toBe(sol(10));
  });

  it('bounds fees and impact per hour and per day', () => {
    const dear: Pool = { ...pool, feeBps: 500n };
    const costly = { pool: dear, reference: { numerator: 10n ** 30n, denominator: 1n } };
    // Five percent of what is spent is lost; two percent of ten SOL may be lost in an hour.
    const followers = [aFollower({ mode: 'position', multiplierBps: 50_000n })];
    const planned = plan({ ...costly, followers });
    expect(planned).toMatchObject({ kind: 'copy', limitedBy: 'cost-limit' });
    expect(spends(planned)).toBeLessThanOrEqual(sol(4));
    expect(spends(planned)).toBeGreaterThan(sol(3.9));
    const used = (state: Partial<BuyFollower['state']>) =>
      plan({ ...costly, followers: [{ ...followers[0]!, state: aState(state) }] });
    expect(used({ costHourLamports: sol(0.2) })).toMatchObject({ kind: 'skip', reason: 'cost-limit' });
    expect(used({ costDayLamports: sol(0.6) })).toMatchObject({ kind: 'skip', reason: 'cost-limit' });
    expect(spends(used({ costDayLamports: sol(0.5) }))).toBeLessThanOrEqual(sol(2));
  });

  it('keeps to the cap per trade', () => {
    const settings = { ...aFollower().settings, capPerTradeLamports: sol(0.3) };
    expect(plan({ followers: [aFollower({ settings })] })).toMatchObject({
      amountIn: sol(0.3),
      limitedBy: 'cap-per-trade',
    });
  });

  it('lets all followers together spend at most the creator’s stake times its factor, all shrunk alike', () => {
    const followers = [
      aFollower({
        followId: 'a',
        freeLamports: sol(300),
        spendableLamports: sol(300),
        state: aState({ equityLamports: sol(300) }),
      }),
      aFollower({
        followId: 'b',
        freeLamports: sol(100),
        spendableLamports: sol(100),
        state: aState({ equityLamports: sol(100) }),
      }),
    ];
    const planned = planBuyRound(
      aRound({ followers, creator: { spendLamports: sol(1), freeLamports: sol(10), equityLamports: sol(10) } }),
    );
    expect(planned.map(spends)).toEqual([sol(7.5), sol(2.5)]);
    expect(planned.every((copy) => copy.kind === 'copy' && copy.limitedBy === 'creator-stake')).toBe(true);
  });

  it('lets a round take no more than the pool’s depth, and nobody but the creator where he alone exceeds it', () => {
    const shallow: Pool = { ...pool, solReserve: sol(200), tokenReserve: baseUnits(10n ** 15n) };
    const reference = spotPrice(shallow);
    const most = depthLimit(shallow, baseUnits(0n));
    const planned = plan({
      pool: shallow,
      reference,
      followers: [
        aFollower({ freeLamports: sol(90), spendableLamports: sol(90), state: aState({ equityLamports: sol(90) }) }),
      ],
    });
    expect(planned).toMatchObject({ kind: 'copy', limitedBy: 'depth', amountIn: most - sol(2) });
    const creator = { spendLamports: sol(4), freeLamports: sol(40), equityLamports: sol(40) };
    expect(plan({ pool: shallow, reference, creator })).toMatchObject({ kind: 'skip', reason: 'depth' });
  });

  it('skips what falls below the minimum with the reason that made it so', () => {
    expect(
      plan({
        followers: [
          aFollower({
            freeLamports: sol(0.005),
            spendableLamports: sol(0.005),
            state: aState({ equityLamports: sol(0.005) }),
          }),
        ],
      }),
    ).toMatchObject({ kind: 'skip', reason: 'below-minimum', wantedLamports: sol(0.0005) });
    expect(plan({ followers: [aFollower({ spendableLamports: sol(0.0009) })] })).toMatchObject({
      kind: 'skip',
      reason: 'insufficient-balance',
    });
    expect(plan({ followers: [aFollower({ spendableLamports: sol(0.001) })] })).toMatchObject({ kind: 'copy' });
  });
});

describe('every plan', () => {
  const amount = fc.bigInt({ min: 0n, max: 1_000n * SOL }).map(lamports);
  const aPool = fc.record({
    solReserve: fc.bigInt({ min: 50n * SOL, max: 10_000n * SOL }).map(lamports),
    tokenReserve: fc.bigInt({ min: 10n ** 9n, max: 10n ** 15n }).map(baseUnits),
    virtualSol: fc.constant(lamports(0n)),
    virtualTokens: fc.constant(baseUnits(0n)),
    feeBps: fc.bigInt({ min: 0n, max: 500n }),
  });
  const follower = fc
    .record({
      mode: fc.constantFrom('sol' as const, 'position' as const),
      free: amount,
      rest: amount,
      cost: amount,
      holding: amount,
      multiplier: fc.bigInt({ min: 100n, max: 100_000n }),
      pumped: amount,
    })
    .map(({ mode, free, rest, cost, holding, multiplier, pumped }) =>
      aFollower({
        mode,
        multiplierBps: multiplier,
        freeLamports: free,
        spendableLamports: lamports(free > cost ? free - cost : 0n),
        state: aState({
          equityLamports: lamports(free + rest),
          coinLamports: lamports(holding < rest ? holding : rest),
          runUpUsedLamports: pumped,
          runUpUsedTotalLamports: pumped,
        }),
      }),
    );

  it('never takes more than is free, than the stake allows, or than the pool can bear', () => {
    fc.assert(
      fc.property(
        aPool,
        fc.array(follower, { maxLength: 8 }),
        fc.bigInt({ min: 1_000_000n, max: 50n * SOL }),
        fc.bigInt({ min: 1n, max: 30n }),
        fc.bigInt({ min: 1n, max: 30n }),
        (anyPool, followers, spend, above, over) => {
          const reference = { numerator: anyPool.solReserve * 10n, denominator: anyPool.tokenReserve * above };
          const creator = {
            spendLamports: lamports(spend),
            freeLamports: lamports(spend * over),
            equityLamports: lamports(spend * over),
          };
          const round = aRound({ pool: anyPool, reference, creator, followers });
          const planned = planBuyRound(round);
          const sum = planned.reduce((total, copy) => total + spends(copy), 0n);
          expect(sum).toBeLessThanOrEqual(spend * round.stakeFactor);
          if (sum > 0n) expect(sum + spend).toBeLessThanOrEqual(depthLimit(anyPool, round.heldTokens));
          const quote = quotePool(anyPool, 'buy', lamports(spend + sum));
          for (const [index, copy] of planned.entries()) {
            const { state, settings, spendableLamports } = followers[index]!;
            expect(spends(copy)).toBeLessThanOrEqual(spendableLamports);
            expect(spends(copy)).toBeLessThanOrEqual(copy.wantedLamports);
            if (copy.kind === 'skip' || quote.kind === 'refused') continue;
            expect(copy.runUpLamports).toBeLessThanOrEqual((state.equityLamports * settings.runUpLimit) / 10_000n);
            // What is really paid above the reference is no more than what was taken from the budget, but for the part of a base unit
            // that every swap loses by rounding: of a smaller swap it is a greater part.
            const worth = copy.amountIn * (quote.amountOut + 1n) * reference.numerator;
            const paid = copy.amountIn * quote.amountIn * reference.denominator;
            expect(paid - worth).toBeLessThanOrEqual(copy.runUpLamports * quote.amountIn * reference.denominator);
          }
        },
      ),
    );
  });

  it('does not depend on the order of the followers', () => {
    fc.assert(
      fc.property(fc.array(follower, { maxLength: 6 }), (followers) => {
        const named = followers.map((one, index) => ({ ...one, followId: String(index) }));
        const forwards = planBuyRound(aRound({ followers: named }));
        const backwards = planBuyRound(aRound({ followers: [...named].reverse() }));
        expect([...backwards].reverse()).toEqual(forwards);
      }),
    );
  });
});

describe('what is decided at the edge of a limit', () => {
  it('names no limit that leaves a copy as it wants to be', () => {
    const settings = { ...aFollower().settings, capPerTradeLamports: sol(1) };
    expect(plan({ followers: [aFollower({ settings, spendableLamports: sol(1) })] })).toMatchObject({
      amountIn: sol(1),
      limitedBy: null,
    });
  });

  it('spends no more than it has where the creator spends more than he is worth', () => {
    const creator = { spendLamports: sol(2), freeLamports: sol(1), equityLamports: sol(1) };
    const settings = { ...aFollower().settings, coinCap: null };
    expect(plan({ creator, followers: [aFollower({ settings })] })).toMatchObject({ wantedLamports: sol(10) });
  });

  it('says that a copy is too small where it wanted too little, and which limit made it so where it did not', () => {
    const wanting = (lamportsWanted: bigint) =>
      plan({
        creator: { spendLamports: lamports(lamportsWanted), freeLamports: sol(20), equityLamports: sol(20) },
        followers: [aFollower({ mode: 'position', spendableLamports: lamports(10n) })],
      });
    expect(wanting(999_999n)).toMatchObject({ kind: 'skip', reason: 'below-minimum' });
    expect(wanting(1_000_000n)).toMatchObject({ kind: 'skip', reason: 'insufficient-balance' });
  });

  it('expects the price of everybody who takes part, those decided elsewhere included', () => {
    const shallow = { ...pool, solReserve: sol(20_000), tokenReserve: baseUnits(10n ** 13n) };
    const runUp = (othersLamports: BuyRound['othersLamports']) => {
      const planned = plan({
        pool: shallow,
        reference: spotPrice(shallow),
        ...(othersLamports === undefined ? {} : { othersLamports }),
      });
      return planned.kind === 'copy' ? planned.runUpLamports : null;
    };
    expect(runUp(sol(10))!).toBeGreaterThan(runUp(undefined)! * 3n);
  });
});
