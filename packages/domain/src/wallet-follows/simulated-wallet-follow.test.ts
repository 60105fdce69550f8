import { describe, expect, it } from 'vitest';
import type { Address } from '../address.ts';
import { baseUnits } from '../numbers/base-units.ts';
import { basisPoints } from '../numbers/basis-points.ts';
import { lamports } from '../numbers/lamports.ts';
import { simulateWalletFollow, type SimulatedWalletTrade } from './simulated-wallet-follow.ts';
import { liquidationValue, quotePool, spotPrice, type Pool } from '../market/swap-maths.ts';
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
function aTrade(
  side: 'buy' | 'sell',
  atMs: number,
  price: bigint,
  later = price,
  pool = poolAt(later),
): SimulatedWalletTrade {
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
const simulate = (
  trades: SimulatedWalletTrade[],
  marks: Parameters<typeof simulateWalletFollow>[2] = [],
  chosen: Partial<WalletFollowSettings> = {},
) => simulateWalletFollow({ ...start, settings: { ...settings, ...chosen } }, trades, marks);
const reasonsOf = (trades: SimulatedWalletTrade[], chosen: Partial<WalletFollowSettings> = {}) =>
  simulate(trades, [], chosen).receipts.map(({ reason }) => reason);

/** What a buy of this size gets. */
function boughtFor(spend: bigint, pool: Pool): bigint {
  const quote = quotePool(pool, 'buy', lamports(spend));
  if (quote.kind === 'refused') throw new Error('refused');
  return quote.amountOut;
}

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

it('copies a trade of the moment it starts', () => {
  expect(simulate([aTrade('buy', 0, 1_000n)]).receipts).toEqual([{ atMs: 0, copied: true, reason: null }]);
});

it('pays the fee of a sale out of what it brings, and no more than that', () => {
  const whole = { ...start, amountLamports: lamports(SOL / 10n + 10_000n) };
  const sellAt = (price: bigint) =>
    simulateWalletFollow(whole, [aTrade('buy', HOUR_MS, 1_000n), aTrade('sell', 2 * HOUR_MS, price)], []);
  const tokens = baseUnits(boughtFor(SOL / 10n, poolAt(1_000n)));
  const [, bought, sold] = sellAt(2_000n).points;
  expect(bought!.equityLamports).toBe(liquidationValue(poolAt(1_000n), tokens));
  expect(sold!.equityLamports).toBe(liquidationValue(poolAt(2_000n), tokens) - 10_000n);
  const worthless = { ...poolAt(1_000n), solReserve: lamports(1_000n) };
  const nothing = simulateWalletFollow(
    whole,
    [aTrade('buy', HOUR_MS, 1_000n), aTrade('sell', 2 * HOUR_MS, 1_000n, 1_000n, worthless)],
    [],
  );
  expect(nothing.points.at(-1)!.equityLamports).toBe(0n);
});

it('neither buys nor sells in a pool that nobody knows, and values the coin as it last was', () => {
  const blind = (side: 'buy' | 'sell', atMs: number): SimulatedWalletTrade => {
    const trade = aTrade(side, atMs, 1_000n);
    return { ...trade, market: { ...trade.market, pool: null } };
  };
  const { points, receipts } = simulate([
    blind('buy', HOUR_MS),
    aTrade('buy', 2 * HOUR_MS, 1_000n),
    blind('sell', 3 * HOUR_MS),
  ]);
  expect(receipts).toEqual([
    { atMs: HOUR_MS, copied: false, reason: 'no-reference-price' },
    { atMs: 2 * HOUR_MS, copied: true, reason: null },
    { atMs: 3 * HOUR_MS, copied: false, reason: 'no-reference-price' },
  ]);
  expect(points.map(({ equityLamports }) => equityLamports === SOL)).toEqual([true, true, false, false]);
  expect(points[3]!.equityLamports).toBe(points[2]!.equityLamports);
});

it('owes sales of dust and sells them with the next one, as a real follow does', () => {
  const buy = aTrade('buy', HOUR_MS, 1_000n);
  const sale = aTrade('sell', 2 * HOUR_MS, 1_000n);
  const dust = { ...sale, tokens: baseUnits(sale.tokens / 200n) };
  const half = { ...sale, tokens: baseUnits(sale.tokens / 2n) };
  const done = simulate([buy, dust, dust, dust, half]);
  expect(done.receipts.map(({ reason }) => reason)).toEqual([null, 'sold-later', 'sold-later', null, null]);
  expect(done.networkFeesLamports).toBe(30_000n);
});

it('holds a coin to its cap per token, by what the tokens still held did cost', () => {
  const buy = aTrade('buy', HOUR_MS, 1_000n);
  const sale = aTrade('sell', 2 * HOUR_MS, 1_000n);
  const half = { ...sale, heldTokensBefore: baseUnits(sale.tokens * 2n) };
  const again = aTrade('buy', 3 * HOUR_MS, 1_000n);
  const tokens = boughtFor(SOL / 10n, poolAt(1_000n));
  const cost = ((SOL / 10n + 10_000n) * (tokens - tokens / 2n)) / tokens;
  const within = (cap: bigint) => reasonsOf([buy, half, again], { capPerTokenLamports: lamports(cap) }).at(-1);
  expect(within(SOL / 10n + cost)).toBeNull();
  expect(within(SOL / 10n + cost - 1n)).toBe('token-cap');
  expect(reasonsOf([buy, { ...buy, atMs: 2 * HOUR_MS }], { capPerTokenLamports: lamports(SOL / 10n) })).toEqual([
    null,
    'token-cap',
  ]);
});

it('holds a coin to its cap by what it is worth, of all that the follow has', () => {
  const capped = { protection: { ...settings.protection, coinCap: basisPoints(1_500) } };
  const [first, second] = [aTrade('buy', HOUR_MS, 1_000n), aTrade('buy', 2 * HOUR_MS, 1_000n)];
  expect(reasonsOf([first, second], capped)).toEqual([null, 'coin-cap']);
  const other = { ...second, mint: 'Other' as Address };
  expect(reasonsOf([first, other], capped)).toEqual([null, null]);
});

describe('the budgets of a simulated wallet follow', () => {
  const DAY_MS = 24 * HOUR_MS;
  /** A quarter above its reference, so that a buy of 0.1 SOL uses two thirds of the run-up of a coin and a fifth of all. */
  const pumped = (atMs: number, coin = 'Mint'): SimulatedWalletTrade => {
    const trade = aTrade('buy', atMs, 1_000n);
    const { numerator, denominator } = spotPrice(trade.market.pool!);
    const reference = { numerator: numerator * 8n, denominator: denominator * 10n };
    return { ...trade, mint: coin as Address, market: { ...trade.market, reference } };
  };

  it('count the run-up of a coin over a day', () => {
    expect(reasonsOf([pumped(HOUR_MS), pumped(HOUR_MS + DAY_MS - 1)])).toEqual([null, 'run-up']);
    expect(reasonsOf([pumped(HOUR_MS), pumped(HOUR_MS + DAY_MS)])).toEqual([null, null]);
  });

  it('count the run-up of each coin by itself and of all coins together', () => {
    const coins = ['a', 'b', 'c', 'd', 'e'].map((coin, index) => pumped((1 + index) * HOUR_MS, coin));
    expect(reasonsOf(coins)).toEqual([null, null, null, null, 'run-up']);
    const nextDay = coins.with(4, pumped(4 * HOUR_MS + DAY_MS, 'e'));
    expect(reasonsOf(nextDay)).toEqual([null, null, null, null, null]);
  });

  /** Costs a tenth of what is bought. */
  const costly = (atMs: number): SimulatedWalletTrade => {
    const pool = { ...poolAt(1_000n), feeBps: 1_000n };
    return aTrade('buy', atMs, 1_000n, 1_000n, pool);
  };
  const small = { size: { kind: 'fixed', lamports: lamports(SOL / 20n) }, maxGap: basisPoints(2_000) } as const;
  const unpumped = { protection: { ...settings.protection, runUpLimit: basisPoints(10_000) } };

  it('count fees and impact over an hour', () => {
    const three = [1, 2, 3].map((ms) => costly(HOUR_MS + ms));
    const after = (atMs: number) => reasonsOf([...three, costly(atMs)], { ...small, ...unpumped });
    expect(after(2 * HOUR_MS)).toEqual([null, null, null, 'cost-limit']);
    // The oldest of the three no longer counts an hour after it.
    expect(after(2 * HOUR_MS + 1)).toEqual([null, null, null, null]);
  });

  it('count fees and impact over a day', () => {
    const daily = Array.from({ length: 13 }, (_, index) => costly((1 + index) * HOUR_MS));
    const reasons = reasonsOf(daily, { ...small, ...unpumped });
    expect(reasons.indexOf('cost-limit')).toBeGreaterThan(8);
    const spread = daily.map((trade, index) => ({ ...trade, atMs: (1 + index) * 3 * HOUR_MS }));
    expect(reasonsOf(spread, { ...small, ...unpumped })).not.toContain('cost-limit');
  });
});
