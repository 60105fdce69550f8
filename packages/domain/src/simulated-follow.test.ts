import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from './address.ts';
import { baseUnits } from './base-units.ts';
import { basisPoints } from './basis-points.ts';
import { lamports } from './lamports.ts';
import { simulateFollow, type PoolMark, type SimulatedRound, type SimulatedStart } from './simulated-follow.ts';
import { liquidationValue, quotePool, spotPrice, type Pool } from './swap-maths.ts';

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
    creator: { amountIn: spend, before, equityLamports: lamports(before) },
    swapIn: spend,
    swapOut: quote.amountOut,
    feeLamports: 10_000n,
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
  const creator = { amountIn: tokens, before, equityLamports: lamports(0n) };
  return { ...aBuy(SOL, SOL), atMs, side: 'sell', creator, swapIn: tokens, swapOut: quote.amountOut, pool };
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
    const crowded = aBuy(2n * SOL, 10n * SOL, { swapIn: 22n * SOL, swapOut: aBuy(22n * SOL, 99n * SOL).swapOut });
    const { receipts } = simulateFollow(start, [crowded], [markAt(2 * MINUTE)]);
    expect(receipts[0]).toMatchObject({ reason: 'creator-stake' });
    expect(receipts[0]!.amountIn).toBeLessThan(SOL / 5n);
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
