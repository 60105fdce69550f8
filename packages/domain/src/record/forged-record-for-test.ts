import { baseUnits } from '../numbers/base-units.ts';
import { creatorScore, followSumsOf, NO_FOLLOWS, type ScoredTrip } from './creator-score.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { offMarketReason, worseLamports } from './off-market.ts';
import type { Plain } from '../plain-for-test.ts';
import { countTrip, recordTripAfter, type RecordFill, type RecordTrip } from './record-trip.ts';
import { quotePool, spotPrice, type Pool, type Ratio } from '../market/swap-maths.ts';

// What an attacker can do to his record, played through the rules that the product runs.

export const SOL = 1_000_000_000n;
const HOUR_MS = 3_600_000;

const fillOfHalf = {
  kind: 'buy',
  atMs: 0,
  tokens: 1_000n,
  lamports: SOL / 2n,
  feeLamports: 0n,
  offMarket: null,
} as const;

/** A buy of 1,000 tokens for 0.5 SOL out of an equity of 1 SOL, in a pool deep enough for any win to count. */
export function aRecordFill(overrides: Partial<Plain<RecordFill>> = {}): RecordFill {
  const deep = { equityBeforeLamports: SOL, poolLamports: 100_000n * SOL, poolFee: 50n };
  return { ...fillOfHalf, ...deep, ...overrides } as RecordFill;
}

export function scored(index: number, fills: readonly RecordFill[], mint = `coin-${index % 5}`): ScoredTrip[] {
  const trip = fills.reduce<RecordTrip | null>(recordTripAfter, null)!;
  const counted = countTrip(trip, null, trip.openedAtMs + 100 * HOUR_MS);
  return counted === null ? [] : [{ mint, openedAtMs: 2 * index, closedAtMs: 2 * index + 1, x: counted.x }];
}

export const win = (index: number, mint?: string) =>
  scored(index, [aRecordFill(), aRecordFill({ kind: 'sell', lamports: (55n * SOL) / 100n })], mint);
export const loss = (index: number, overrides: Parameters<typeof aRecordFill>[0] = {}) =>
  scored(index, [aRecordFill(overrides), aRecordFill({ kind: 'sell', lamports: (45n * SOL) / 100n, ...overrides })]);
export const many = (count: number, trip: (index: number) => ScoredTrip[]) =>
  Array.from({ length: count }, (_, i) => trip(i)).flat();
export const scoreOf = (trips: readonly ScoredTrip[]) => creatorScore(trips, NO_FOLLOWS);

/** A swap and the pool after it, as the chain would do it. */
function swap(pool: Pool, side: 'buy' | 'sell', amount: bigint): { out: bigint; pool: Pool } {
  const quote = quotePool(
    pool,
    side,
    (side === 'buy' ? lamports(amount) : baseUnits(amount)) as Lamports & ReturnType<typeof baseUnits>,
  );
  if (quote.kind === 'refused') throw new Error(quote.reason);
  return { out: quote.amountOut, pool: quote.poolAfter };
}

export function aPool(solReserve: bigint): Pool {
  return {
    solReserve: lamports(solReserve),
    tokenReserve: baseUnits(10n ** 15n),
    virtualSol: lamports(0n),
    virtualTokens: baseUnits(0n),
    feeBps: 50n,
  };
}

export function judged(side: 'buy' | 'sell', tokens: bigint, paid: bigint, market: Ratio, pool: Pool): RecordFill {
  const reason = offMarketReason({
    side,
    tokens: baseUnits(tokens),
    lamports: lamports(paid),
    atMs: 0,
    ownTradeAtMs: null,
    reference: market,
    isCopyable: true,
  });
  return aRecordFill({
    kind: side,
    tokens,
    lamports: worseLamports(side, baseUnits(tokens), lamports(paid), market),
    poolLamports: pool.solReserve,
    poolFee: pool.feeBps,
    offMarket: reason,
  });
}

// A modest first rank: 60 trips with a mean of 2 % and a spread of 4 %, and 20 followers with 1 SOL for a week who got 1 % a day.
export const firstRank = creatorScore(
  many(60, (index) => [
    { mint: `coin-${index % 12}`, openedAtMs: 2 * index, closedAtMs: 2 * index + 1, x: index % 2 === 0 ? 0.06 : -0.02 },
  ]),
  followSumsOf(
    Array.from({ length: 20 }, () => ({
      depositedLamports: lamports(SOL),
      valueLamports: lamports((107n * SOL) / 100n),
      startedAtMs: 0,
      untilMs: 7 * 24 * HOUR_MS,
      lamportMs: SOL * BigInt(7 * 24 * HOUR_MS),
    })),
  ),
);

/** Followers of his own, who gain as much as counts. What that costs beside the pumps themselves is left out. */
export const puppets = followSumsOf(
  Array.from({ length: 20 }, () => ({
    depositedLamports: lamports(10n * SOL),
    valueLamports: lamports(60n * SOL),
    startedAtMs: 0,
    untilMs: 7 * 24 * HOUR_MS,
    lamportMs: 10n * SOL * BigInt(7 * 24 * HOUR_MS),
  })),
);

export type Pump = { readonly poolSol: bigint; readonly pumpPercent: bigint; readonly stakePercent: bigint };

/**
 * The cheapest attack that the rules leave: a patient wallet that nobody can link lifts the price of a quiet pool and holds it for an
 * hour, so that reference and others' median follow; the creator buys before and sells into it; then the wallet sells. What both
 * together lose is the cost.
 */
export function pump(
  { poolSol, pumpPercent, stakePercent }: Pump,
  index: number,
): { costLamports: bigint; trips: ScoredTrip[] } {
  const start = aPool(poolSol * SOL);
  const stake = (SOL * stakePercent) / 100n;
  const entry = swap(start, 'buy', stake);
  const before = spotPrice(start);
  const spent = (start.solReserve * pumpPercent) / 100n;
  const lifted = swap(entry.pool, 'buy', spent);
  const exit = swap(lifted.pool, 'sell', entry.out);
  const fell = swap(exit.pool, 'sell', lifted.out);
  const trips = scored(index, [
    judged('buy', entry.out, stake, before, start),
    judged('sell', entry.out, exit.out, spotPrice(lifted.pool), lifted.pool),
  ]);
  return { costLamports: stake + spent - exit.out - fell.out, trips };
}
