import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../address.ts';
import { followerFeeMax } from './allocation.ts';
import { baseUnits } from '../numbers/base-units.ts';
import { basisPoints } from '../numbers/basis-points.ts';
import { lamports } from '../numbers/lamports.ts';
import {
  simulateFollow,
  valuedHoldings,
  type PoolMark,
  type SimulatedRound,
  type SimulatedStart,
} from './simulated-follow.ts';
import { liquidationValue, quotePool, spotPrice, type Pool } from '../market/swap-maths.ts';

const SOL = 1_000_000_000n;
const MINUTE = 60_000;
const mint = 'coin' as Address;
const aPool: Pool = {
  solReserve: lamports(2_000n * SOL),
  tokenReserve: baseUnits(1_000_000_000_000n),
  virtualSol: lamports(0n),
  virtualTokens: baseUnits(0n),
  feeBps: 50n,
};
const start: SimulatedStart = {
  atMs: 0,
  mode: 'sol',
  multiplierBps: 10_000n,
  amountLamports: lamports(SOL),
  settings: {
    runUpLimit: basisPoints(300),
    coinCap: basisPoints(5_000),
    capPerTradeLamports: null,
    stopLoss: basisPoints(4_000),
    takeProfit: null,
  },
  purchases: [],
  networkFeeLamports: lamports(10_000n),
};

function aBuy(spend: bigint, before: bigint, overrides: Partial<SimulatedRound> = {}): SimulatedRound {
  const quote = quotePool(aPool, 'buy', lamports(spend));
  if (quote.kind === 'refused') throw new Error('refused');
  return {
    atMs: MINUTE,
    mint,
    side: 'buy',
    creator: { amountIn: lamports(spend), before: lamports(before), equityLamports: lamports(before) },
    swapIn: lamports(spend),
    swapOut: quote.amountOut,
    feeLamports: lamports(10_000n),
    stakeFactor: 10n,
    pool: aPool,
    reference: spotPrice(aPool),
    coinAgeMs: 30 * 86_400_000,
    heldTokens: baseUnits(0n),
    refusal: null,
    ...overrides,
  };
}

function aSale(tokens: bigint, before: bigint, pool: Pool, atMs: number): SimulatedRound {
  const quote = quotePool(pool, 'sell', baseUnits(tokens));
  if (quote.kind === 'refused') throw new Error('refused');
  const creator = { amountIn: baseUnits(tokens), before: baseUnits(before), equityLamports: lamports(0n) };
  return { ...aBuy(SOL, SOL), atMs, side: 'sell', creator, swapIn: baseUnits(tokens), swapOut: quote.amountOut, pool };
}

function boughtFor(spend: bigint, pool: Pool): bigint {
  const quote = quotePool(pool, 'buy', lamports(spend));
  if (quote.kind === 'refused') throw new Error('refused');
  return quote.amountOut;
}

const markAt = (atMs: number, pool: Pool = aPool): PoolMark => ({ atMs, pools: new Map([[mint, pool]]) });

describe('a simulated follow', () => {
  it('does by SOL count the fraction that the creator does, and pays its part of the fee', () => {
    const { receipts, freeLamports, tokens, networkFeesLamports } = simulateFollow(
      start,
      [aBuy(2n * SOL, 10n * SOL)],
      [markAt(2 * MINUTE)],
    );
    expect(receipts).toMatchObject([{ side: 'buy', amountIn: SOL / 5n, reason: null }]);
    expect(freeLamports).toBe(SOL - SOL / 5n - networkFeesLamports);
    expect(networkFeesLamports).toBe(909n);
    expect(tokens.get(mint)).toBe(receipts[0]!.amountOut);
  });

  it('gets no better price than the round had, and a worse one the larger it is', () => {
    const round = aBuy(2n * SOL, 10n * SOL);
    const priceOf = (amount: bigint) => {
      const { receipts } = simulateFollow(
        { ...start, amountLamports: lamports(amount) },
        [round],
        [markAt(2 * MINUTE)],
      );
      return Number(receipts[0]!.amountIn) / Number(receipts[0]!.amountOut);
    };
    const had = Number(round.swapIn) / Number(round.swapOut);
    expect(priceOf(SOL)).toBeGreaterThanOrEqual(had);
    expect(priceOf(20n * SOL)).toBeGreaterThan(priceOf(SOL));
  });

  it('names the limit that made a copy smaller and the reason of a skip', () => {
    const all = simulateFollow(start, [aBuy(10n * SOL, 10n * SOL)], [markAt(2 * MINUTE)]);
    expect(all.receipts[0]).toMatchObject({ amountIn: SOL / 2n, reason: 'coin-cap' });
    const young = simulateFollow(
      start,
      [aBuy(2n * SOL, 10n * SOL, { refusal: 'pool-too-young' })],
      [markAt(2 * MINUTE)],
    );
    expect(young.receipts[0]).toMatchObject({ amountIn: 0n, reason: 'pool-too-young' });
    const blind = simulateFollow(start, [aBuy(2n * SOL, 10n * SOL, { reference: null })], [markAt(2 * MINUTE)]);
    expect(blind.receipts[0]).toMatchObject({ amountIn: 0n, reason: 'no-reference-price' });
  });

  it('leaves to others what they spent of the stake of the creator', () => {
    const crowded = aBuy(2n * SOL, 10n * SOL, {
      swapIn: lamports(22n * SOL),
      swapOut: aBuy(22n * SOL, 99n * SOL).swapOut,
    });
    const { receipts } = simulateFollow(start, [crowded], [markAt(2 * MINUTE)]);
    expect(receipts[0]).toMatchObject({ reason: 'creator-stake' });
    expect(receipts[0]!.amountIn).toBeLessThan(SOL / 5n);
  });

  it('has of its budget of run-up what a trip that has closed did not lose', () => {
    const { numerator, denominator } = spotPrice(aPool);
    // Half of what is paid lies above this, so that six percent of the follow use the budget up.
    const reference = { numerator, denominator: denominator * 2n };
    const bought = boughtFor(SOL, aPool);
    const fallen = { ...aPool, solReserve: lamports(aPool.solReserve / 2n) };
    const secondAfter = (sold: Pool) => {
      const rounds = [
        aBuy(SOL, 10n * SOL, { reference }),
        aSale(bought, bought, sold, 2 * MINUTE),
        { ...aBuy(SOL, 10n * SOL, { reference }), atMs: 3 * MINUTE },
      ];
      return simulateFollow(start, rounds, [markAt(4 * MINUTE)]).receipts[2]!;
    };
    expect(secondAfter(aPool)).toMatchObject({ reason: 'run-up' });
    expect(secondAfter(aPool).amountIn).toBeGreaterThan((SOL * 5n) / 100n);
    expect(secondAfter(fallen)).toMatchObject({ amountIn: 0n, reason: 'run-up' });
  });

  it('uses up its budget of run-up over a day, and has it again after', () => {
    const reference = { numerator: spotPrice(aPool).numerator * 8n, denominator: spotPrice(aPool).denominator * 10n };
    const buys = [1, 2, 3, 1_500].map((minute) => aBuy(2n * SOL, 10n * SOL, { reference, atMs: minute * MINUTE }));
    const { receipts } = simulateFollow(start, buys, [markAt(2_000 * MINUTE)]);
    expect(receipts[0]).toMatchObject({ reason: 'run-up' });
    expect(receipts[1]!.amountIn).toBeLessThan(receipts[0]!.amountIn / 10n);
    expect(receipts[3]!.amountIn).toBeGreaterThan(receipts[0]!.amountIn / 2n);
  });

  it('sells the fraction that the creator sells, everything when he sells all, and keeps the SOL', () => {
    const bought = aBuy(2n * SOL, 10n * SOL);
    const half = aSale(bought.swapOut / 2n, bought.swapOut, aPool, 2 * MINUTE);
    const rest = aSale(bought.swapOut / 2n, bought.swapOut / 2n, aPool, 3 * MINUTE);
    const { receipts, tokens, freeLamports, points } = simulateFollow(
      start,
      [bought, half, rest],
      [markAt(4 * MINUTE)],
    );
    expect(receipts[1]!.amountIn).toBe(receipts[0]!.amountOut / 2n);
    expect(receipts[2]!.amountIn).toBe(receipts[0]!.amountOut - receipts[1]!.amountIn);
    expect(tokens.size).toBe(0);
    expect(points.at(-1)!.equityLamports).toBe(freeLamports);
    expect(freeLamports).toBeLessThan(SOL);
    expect(freeLamports).toBeGreaterThan((SOL * 99n) / 100n);
  });

  it('ends once its stop loss was reached for a minute, at the value of that moment', () => {
    const fallen: Pool = { ...aPool, solReserve: lamports(400n * SOL), tokenReserve: baseUnits(5_000_000_000_000n) };
    const wide = { ...start, settings: { ...start.settings, coinCap: null, stopLoss: basisPoints(500) } };
    const { endedBy, tokens, freeLamports, points } = simulateFollow(
      wide,
      [aBuy(10n * SOL, 10n * SOL)],
      [
        markAt(2 * MINUTE),
        markAt(3 * MINUTE, fallen),
        markAt(4 * MINUTE, fallen),
        markAt(5 * MINUTE),
        markAt(9 * MINUTE),
      ],
    );
    expect(endedBy).toEqual({ reason: 'stop-loss', atMs: 4 * MINUTE });
    expect(tokens.size).toBe(0);
    expect(points.at(-1)!.equityLamports).toBe(freeLamports);
    const gained = simulateFollow(wide, [aBuy(10n * SOL, 10n * SOL)], [markAt(2 * MINUTE), markAt(9 * MINUTE)]);
    expect(gained.endedBy).toBeNull();
  });

  it('buys the first coins in the pools of the moment it began, and only those', () => {
    const purchases = [{ mint, spendLamports: lamports(SOL / 4n) }];
    const { tokens, points } = simulateFollow({ ...start, atMs: 5, purchases }, [], [markAt(0), markAt(MINUTE)]);
    const quote = quotePool(aPool, 'buy', lamports(SOL / 4n));
    expect(tokens.get(mint)).toBe(quote.kind === 'quote' ? quote.amountOut : null);
    const free = SOL - SOL / 4n - 10_000n;
    expect(points[0]!.equityLamports).toBe(free + liquidationValue(aPool, tokens.get(mint)!));
  });

  it('begins with the pools of the last mark before or at its start, or of the first mark where there is none', () => {
    const dearer: Pool = { ...aPool, solReserve: lamports(4_000n * SOL) };
    const purchases = [{ mint, spendLamports: lamports(SOL / 4n) }];
    const heldAfter = (marks: PoolMark[]) =>
      simulateFollow({ ...start, atMs: MINUTE, purchases }, [], marks).tokens.get(mint);
    expect(heldAfter([markAt(0), markAt(MINUTE, dearer), markAt(2 * MINUTE)])).toBe(boughtFor(SOL / 4n, dearer));
    expect(heldAfter([markAt(0), markAt(MINUTE + 1, dearer)])).toBe(boughtFor(SOL / 4n, aPool));
    expect(heldAfter([markAt(2 * MINUTE, dearer), markAt(3 * MINUTE)])).toBe(boughtFor(SOL / 4n, dearer));
  });

  it('makes a first purchase that it can just pay for, and none beyond or without a pool', () => {
    const joined = (spend: bigint, coin = mint) =>
      simulateFollow({ ...start, purchases: [{ mint: coin, spendLamports: lamports(spend) }] }, [], [markAt(0)]);
    expect(joined(SOL - 10_000n)).toMatchObject({ freeLamports: 0n, networkFeesLamports: 10_000n });
    for (const none of [joined(SOL - 9_999n), joined(SOL / 4n, 'other' as Address), joined(0n)]) {
      expect(none).toMatchObject({ freeLamports: SOL, networkFeesLamports: 0n });
      expect(none.tokens.size).toBe(0);
    }
  });

  it('copies every round after its start once, up to and with the moment of each mark', () => {
    const buy = (minute: number) => aBuy(SOL / 2n, 10n * SOL, { atMs: minute * MINUTE });
    const rounds = [0, 1, 2, 3, 5].map(buy);
    const { receipts, points } = simulateFollow(
      start,
      rounds,
      [0, 2, 4].map((minute) => markAt(minute * MINUTE)),
    );
    expect(receipts.map(({ atMs }) => atMs / MINUTE)).toEqual([1, 2, 3]);
    expect(points.map(({ atMs }) => atMs / MINUTE)).toEqual([0, 2, 4]);
    expect(simulateFollow({ ...start, atMs: 9 * MINUTE }, rounds, [markAt(20 * MINUTE)]).receipts).toEqual([]);
  });

  it('fills at the share of what everybody together would have got, and at the price of the round without a pool', () => {
    const round = aBuy(2n * SOL, 10n * SOL);
    const { receipts } = simulateFollow({ ...start, amountLamports: lamports(20n * SOL) }, [round], [markAt(MINUTE)]);
    const { amountIn, amountOut } = receipts[0]!;
    const together = boughtFor(round.swapIn + amountIn, aPool);
    const share = (together * amountIn) / (round.swapIn + amountIn);
    expect(amountOut - share).toBeLessThanOrEqual(0n);
    expect(share - amountOut).toBeLessThan(3n);

    const sale = { ...aSale(round.swapOut, round.swapOut, aPool, 2 * MINUTE), pool: null };
    const sold = simulateFollow(start, [round, sale], [markAt(3 * MINUTE)]);
    expect(sold.receipts[1]!.amountOut).toBe((sold.receipts[1]!.amountIn * sale.swapOut) / sale.swapIn);
    expect(sold.tokens.size).toBe(0);
  });

  it('sells at the price of the round where the pool of today could not pay for it', () => {
    const round = aBuy(2n * SOL, 10n * SOL);
    const drained: Pool = { ...aPool, solReserve: lamports(10_000n), virtualSol: lamports(2_000n * SOL) };
    const { swapOut } = aSale(round.swapOut, round.swapOut, aPool, 2 * MINUTE);
    const sale = { ...aSale(1_000n, round.swapOut, aPool, 2 * MINUTE), swapIn: round.swapOut, swapOut, pool: drained };
    const { receipts } = simulateFollow(
      start,
      [round, { ...sale, creator: { ...sale.creator, amountIn: round.swapOut } }],
      [markAt(3 * MINUTE)],
    );
    expect(receipts[1]!.amountOut).toBe((receipts[1]!.amountIn * swapOut) / round.swapOut);
  });

  it('bears no more of the network’s costs than a follower may, of what it moves', () => {
    const round = aBuy(2n * SOL, 10n * SOL, { feeLamports: lamports(SOL) });
    const sale = { ...aSale(round.swapOut, round.swapOut, aPool, 2 * MINUTE), feeLamports: lamports(SOL) };
    const { receipts, networkFeesLamports, freeLamports } = simulateFollow(start, [round, sale], [markAt(3 * MINUTE)]);
    const [bought, sold] = receipts;
    expect(networkFeesLamports).toBe(followerFeeMax(bought!.amountIn) + followerFeeMax(sold!.amountOut));
    expect(freeLamports).toBe(SOL - bought!.amountIn + sold!.amountOut - networkFeesLamports);
  });

  it('counts what it holds at the price of each round when it decides how much more fits', () => {
    const doubled: Pool = { ...aPool, solReserve: lamports(4_000n * SOL) };
    const first = aBuy(3n * SOL, 10n * SOL);
    const second = { ...aBuy(10n * SOL, 10n * SOL), atMs: 2 * MINUTE, pool: doubled, reference: spotPrice(doubled) };
    const { receipts } = simulateFollow(start, [first, second], [markAt(3 * MINUTE)]);
    const worth = liquidationValue(doubled, baseUnits(receipts[0]!.amountOut));
    // A fee of 10 000 lamports, shared by eleven parts of which one is the follower's.
    const equity = SOL - receipts[0]!.amountIn - 909n + worth;
    expect(receipts[1]).toMatchObject({ reason: 'coin-cap', amountIn: equity / 2n - worth });
  });

  it('caps a young coin lower, and has nothing to sell of one that it never bought', () => {
    const young = simulateFollow(start, [aBuy(10n * SOL, 10n * SOL, { coinAgeMs: 0 })], [markAt(2 * MINUTE)]);
    expect(young.receipts[0]).toMatchObject({ amountIn: SOL / 4n, reason: 'coin-cap' });
    const sale = aSale(1_000n, 1_000n, aPool, MINUTE);
    expect(simulateFollow(start, [sale], [markAt(2 * MINUTE)]).receipts).toEqual([
      { atMs: MINUTE, mint, side: 'sell', amountIn: 0n, amountOut: 0n, reason: 'nothing-to-sell' },
    ]);
  });

  it('is its amount where there is nothing to replay', () => {
    expect(simulateFollow(start, [], [])).toMatchObject({
      points: [{ atMs: 0, equityLamports: SOL }],
      freeLamports: SOL,
    });
  });

  it('sells at the price of the round where the pool could pay for the others only', () => {
    const round = aBuy(2n * SOL, 10n * SOL);
    const sale = aSale(round.swapOut, round.swapOut, aPool, 2 * MINUTE);
    // What the round brought is all that the pool has to pay out.
    const virtualSol = lamports(aPool.solReserve - sale.swapOut);
    const pool: Pool = { ...aPool, solReserve: lamports(sale.swapOut), virtualSol };
    const { receipts } = simulateFollow(start, [round, { ...sale, pool }], [markAt(3 * MINUTE)]);
    expect(receipts[1]!.amountOut).toBe((receipts[1]!.amountIn * sale.swapOut) / sale.swapIn);
  });

  it('says why it could not copy a buy in a pool that nobody knew', () => {
    const { receipts } = simulateFollow(start, [aBuy(2n * SOL, 10n * SOL, { pool: null })], [markAt(2 * MINUTE)]);
    expect(receipts[0]).toMatchObject({ amountIn: 0n, amountOut: 0n, reason: 'no-reference-price' });
  });

  it('forgets that it reached its stop loss when the value recovers within the minute', () => {
    const fallen: Pool = { ...aPool, solReserve: lamports(400n * SOL), tokenReserve: baseUnits(5_000_000_000_000n) };
    const wide = { ...start, settings: { ...start.settings, coinCap: null, stopLoss: basisPoints(500) } };
    const marks = [
      markAt(2 * MINUTE),
      markAt(3 * MINUTE, fallen),
      markAt(3.5 * MINUTE),
      markAt(3.6 * MINUTE, fallen),
      markAt(4.5 * MINUTE, fallen),
    ];
    const rounds = [aBuy(10n * SOL, 10n * SOL)];
    expect(simulateFollow(wide, rounds, marks).endedBy).toBeNull();
    const later = { ...aBuy(5n * SOL, 10n * SOL), atMs: 5 * MINUTE };
    const ended = simulateFollow(
      wide,
      [...rounds, later],
      [...marks, markAt(4.6 * MINUTE, fallen), markAt(6 * MINUTE)],
    );
    expect(ended.endedBy).toEqual({ reason: 'stop-loss', atMs: 4.6 * MINUTE });
    // It has ended: what the creator buys later is not copied.
    expect(ended.receipts).toHaveLength(1);
  });

  it('has the budgets of an hour and of a day again when they are over, to the millisecond', () => {
    const HOUR = 60 * MINUTE;
    const DAY = 24 * HOUR;
    const reference = { numerator: spotPrice(aPool).numerator * 8n, denominator: spotPrice(aPool).denominator * 10n };
    const pumped = (atMs: number, coin = mint) => aBuy(SOL, 10n * SOL, { reference, atMs, mint: coin });
    const reasonsOf = (rounds: SimulatedRound[], began = start) =>
      simulateFollow(began, rounds, [markAt(rounds.at(-1)!.atMs)]).receipts.map(({ reason }) => reason);
    expect(reasonsOf([pumped(HOUR), pumped(HOUR + DAY - 1)])).toEqual([null, 'run-up']);
    expect(reasonsOf([pumped(HOUR), pumped(HOUR + DAY)])).toEqual([null, null]);
    // Of each coin by itself.
    expect(reasonsOf([pumped(HOUR), pumped(2 * HOUR, 'other' as Address)])).toEqual([null, null]);
    const costly = (atMs: number) => aBuy(2n * SOL, 10n * SOL, { atMs, pool: { ...aPool, feeBps: 600n } });
    const tolerant = { ...start, settings: { ...start.settings, runUpLimit: basisPoints(10_000), coinCap: null } };
    expect(reasonsOf([costly(1), costly(HOUR)], tolerant)).toEqual([null, 'cost-limit']);
    expect(reasonsOf([costly(1), costly(HOUR + 1)], tolerant)).toEqual([null, null]);
  });

  it('counts what a sale costs towards the same budgets', () => {
    const dear: Pool = { ...aPool, feeBps: 900n };
    const round = aBuy(2n * SOL, 10n * SOL);
    const sale = aSale(round.swapOut, round.swapOut, dear, 2 * MINUTE);
    const again = { ...aBuy(2n * SOL, 10n * SOL, { pool: dear }), atMs: 3 * MINUTE };
    const tolerant = { ...start, settings: { ...start.settings, runUpLimit: basisPoints(10_000), coinCap: null } };
    const reasonsOf = (rounds: SimulatedRound[]) =>
      simulateFollow(tolerant, rounds, [markAt(4 * MINUTE)]).receipts.map(({ reason }) => reason);
    expect(reasonsOf([round, again])).toEqual([null, null]);
    expect(reasonsOf([round, sale, again])).toEqual([null, null, 'cost-limit']);
  });

  it('never spends what it has not, and never gains by trading back and forth in a pool that stands still', () => {
    const move = fc.record({ share: fc.integer({ min: 1, max: 100 }), isSale: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(move, { maxLength: 25 }),
        fc.bigInt({ min: 1_000_000n, max: 50n * SOL }),
        (moves, amount) => {
          let [cash, held] = [10n * SOL, 0n];
          const rounds = moves.flatMap(({ share, isSale }, index): SimulatedRound[] => {
            const atMs = (index + 1) * MINUTE;
            const part = ((isSale ? held : cash) * BigInt(share)) / 100n;
            if (part < 1_000n) return [];
            const round = isSale ? aSale(part, held, aPool, atMs) : { ...aBuy(part, cash), atMs };
            cash += isSale ? round.swapOut : -part;
            held += isSale ? -part : round.swapOut;
            return [round];
          });
          const { points, freeLamports } = simulateFollow({ ...start, amountLamports: lamports(amount) }, rounds, [
            markAt(100 * MINUTE),
          ]);
          expect(freeLamports).toBeGreaterThanOrEqual(0n);
          for (const { equityLamports } of points) expect(equityLamports).toBeLessThanOrEqual(amount);
        },
      ),
    );
  });
});

it('values holdings in the pools of a moment, without those that are empty or have none', () => {
  const [tokens, other, empty] = [baseUnits(10n ** 9n), 'other' as Address, 'empty' as Address];
  const holdings = new Map([
    [mint, tokens],
    [other, tokens],
    [empty, baseUnits(0n)],
  ]);
  const pools = new Map([
    [mint, aPool],
    [empty, aPool],
  ]);
  expect(valuedHoldings(holdings, pools)).toEqual([
    { mint, liquidationLamports: liquidationValue(aPool, tokens), spot: spotPrice(aPool) },
  ]);
});
