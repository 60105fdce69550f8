import { expect, it } from 'vitest';
import type { Address } from './address.ts';
import { baseUnits } from './base-units.ts';
import { basisPoints } from './basis-points.ts';
import { lamports } from './lamports.ts';
import { simulateWalletFollow, type SimulatedWalletTrade } from './simulated-wallet-follow.ts';
import { spotPrice, type Pool } from './swap-maths.ts';
import type { WalletFollowSettings } from './wallet-follow.ts';

const SOL = 1_000_000_000n;
const MINT = 'Mint' as Address;
const HOUR_MS = 3_600_000;

/** A thousand SOL deep; `price` in millionths of a lamport per base unit. */
function poolAt(price: bigint): Pool {
  const solReserve = 1_000n * SOL;
  return {
    solReserve: lamports(solReserve),
    tokenReserve: baseUnits((solReserve * 1_000_000n) / price),
    virtualSol: lamports(0n),
    virtualTokens: baseUnits(0n),
    feeBps: 50n,
  };
}

const settings: WalletFollowSettings = {
  size: { kind: 'fixed', lamports: lamports(SOL / 10n) },
  copies: 'both',
  buyMinLamports: null,
  buyMaxLamports: null,
  firstBuyOnly: false,
  excludedMints: [],
  excludedHours: [],
  capPerTokenLamports: null,
  maxGap: basisPoints(300),
  protection: {
    runUpLimit: basisPoints(300),
    coinCap: null,
    capPerTradeLamports: null,
    stopLoss: null,
    takeProfit: null,
  },
};

/** A trade of the wallet at `price`, copied in a pool at `later`. */
function aTrade(side: 'buy' | 'sell', atMs: number, price: bigint, later = price): SimulatedWalletTrade {
  const pool = poolAt(later);
  const tokens = (SOL * 1_000_000n) / price;
  return {
    side,
    mint: MINT,
    lamports: lamports(SOL),
    tokens: baseUnits(tokens),
    atMs,
    heldTokensBefore: baseUnits(side === 'sell' ? tokens : 0n),
    isFirstBuy: side === 'buy',
    market: {
      refusal: null,
      pool,
      reference: spotPrice(pool),
      coin: { ageMs: 30 * 24 * HOUR_MS, poolLamports: pool.solReserve },
    },
  };
}

const start = { atMs: 0, amountLamports: lamports(SOL), settings, networkFeeLamports: lamports(10_000n) };
const simulate = (trades: SimulatedWalletTrade[], marks: Parameters<typeof simulateWalletFollow>[2] = []) =>
  simulateWalletFollow(start, trades, marks);

it('repeats buys and sells in the pool that a copy would have met, fees and impact included', () => {
  const { points, receipts, networkFeesLamports } = simulate([
    aTrade('buy', HOUR_MS, 1_000n),
    aTrade('sell', 2 * HOUR_MS, 2_000n),
  ]);
  expect(receipts).toEqual([
    { atMs: HOUR_MS, copied: true, reason: null },
    { atMs: 2 * HOUR_MS, copied: true, reason: null },
  ]);
  expect(networkFeesLamports).toBe(20_000n);
  const [first, bought, sold] = points.map(({ equityLamports }) => Number(equityLamports));
  expect(first).toBe(Number(SOL));
  // Buying costs the pool's fee twice, there and back; the price then doubles.
  expect(bought! / 1e9).toBeCloseTo(0.999, 3);
  expect(sold! / 1e9).toBeCloseTo(1.098, 3);
});

it('skips a buy whose price had risen beyond the limit by then, and says so', () => {
  const { points, receipts } = simulate([aTrade('buy', HOUR_MS, 1_000n, 1_100n)]);
  expect(receipts).toEqual([{ atMs: HOUR_MS, copied: false, reason: 'price-gap' }]);
  expect(points.at(-1)!.equityLamports).toBe(SOL);
});

it('values what it holds at each mark, and ignores what came before its start', () => {
  const marks = [2, 3].map((hour) => ({
    atMs: hour * HOUR_MS,
    pools: new Map([[MINT, poolAt(hour === 2 ? 500n : 4_000n)]]),
  }));
  const { points, receipts } = simulate([aTrade('buy', -HOUR_MS, 1_000n), aTrade('buy', HOUR_MS, 1_000n)], marks);
  expect(receipts).toHaveLength(1);
  const [, , low, high] = points.map(({ equityLamports }) => Number(equityLamports) / 1e9);
  expect(low).toBeCloseTo(0.949, 2);
  expect(high).toBeCloseTo(1.297, 2);
});

it('spends no more than it has, however often the wallet buys', () => {
  const trades = Array.from({ length: 40 }, (_, index) => aTrade('buy', (1 + index) * 24 * HOUR_MS, 1_000n));
  const { points, receipts } = simulate(trades);
  expect(receipts.filter(({ copied }) => copied).length).toBeLessThanOrEqual(11);
  expect(receipts.at(-1)).toMatchObject({ copied: false });
  for (const { equityLamports } of points) expect(equityLamports).toBeGreaterThan(0n);
});
