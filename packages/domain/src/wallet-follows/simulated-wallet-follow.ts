import type { Address } from '../address.ts';
import { baseUnits, type BaseUnits } from '../numbers/base-units.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { larger, mulDiv } from '../numbers/rounding.ts';
import { liquidationValue, type Pool } from '../market/swap-maths.ts';
import {
  decideWalletCopy,
  type CoinMarket,
  type WalletFollowSettings,
  type WalletSkipReason,
  type WatchedTrade,
} from './wallet-follow.ts';

// A wallet follow that never was: the wallet's real trades, each decided by the rules of real follows in the pool that a copy would
// have met a little later.

export type SimulatedWalletTrade = WatchedTrade & { readonly market: CoinMarket };
/** What pools were at a moment, for what is held in between trades. */
export type WalletMark = { readonly atMs: number; readonly pools: ReadonlyMap<Address, Pool> };

export type SimulatedWalletStart = {
  readonly atMs: number;
  readonly amountLamports: Lamports;
  readonly settings: WalletFollowSettings;
  readonly networkFeeLamports: Lamports;
};

export type SimulatedWalletFollow = {
  readonly points: readonly { readonly atMs: number; readonly equityLamports: Lamports }[];
  readonly receipts: readonly {
    readonly atMs: number;
    readonly copied: boolean;
    readonly reason: WalletSkipReason | null;
  }[];
  readonly networkFeesLamports: Lamports;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Held = { tokens: BaseUnits; owedTokens: BaseUnits; costLamports: Lamports };
type Spent = { atMs: number; mint: Address; runUpLamports: Lamports; costLamports: Lamports };

class SimulatedBook {
  freeLamports: Lamports;
  networkFeesLamports = lamports(0n);
  readonly #held = new Map<Address, Held>();
  readonly #pools = new Map<Address, Pool>();
  readonly #spent: Spent[] = [];

  constructor(amount: Lamports) {
    this.freeLamports = amount;
  }

  see(pools: Iterable<readonly [Address, Pool]>): void {
    for (const [mint, pool] of pools) this.#pools.set(mint, pool);
  }

  heldOf(mint: Address): Held {
    return this.#held.get(mint) ?? { tokens: baseUnits(0n), owedTokens: baseUnits(0n), costLamports: lamports(0n) };
  }

  /** A coin whose pool nobody knows counts for nothing. */
  valueOf(mint: Address): Lamports {
    const pool = this.#pools.get(mint);
    return pool ? liquidationValue(pool, this.heldOf(mint).tokens) : lamports(0n);
  }

  equity(): Lamports {
    let sum: bigint = this.freeLamports;
    for (const mint of this.#held.keys()) sum += this.valueOf(mint);
    return lamports(sum);
  }

  used(mint: Address, atMs: number): { runUp: Lamports; runUpTotal: Lamports; hour: Lamports; day: Lamports } {
    const sum = (of: (spent: Spent) => bigint, isIn: (spent: Spent) => boolean): Lamports =>
      lamports(this.#spent.filter(isIn).reduce((total, spent) => total + of(spent), 0n));
    const ofDay = (spent: Spent): boolean => spent.atMs > atMs - DAY_MS;
    return {
      runUp: sum(
        ({ runUpLamports }) => runUpLamports,
        (spent) => ofDay(spent) && spent.mint === mint,
      ),
      runUpTotal: sum(({ runUpLamports }) => runUpLamports, ofDay),
      hour: sum(
        ({ costLamports }) => costLamports,
        (spent) => spent.atMs > atMs - HOUR_MS,
      ),
      day: sum(({ costLamports }) => costLamports, ofDay),
    };
  }

  buy(spent: Spent, amountIn: Lamports, bought: BaseUnits, feeLamports: Lamports): void {
    const { tokens, owedTokens, costLamports } = this.heldOf(spent.mint);
    this.#held.set(spent.mint, {
      owedTokens,
      tokens: baseUnits(tokens + bought),
      costLamports: lamports(costLamports + amountIn + feeLamports),
    });
    this.#spent.push(spent);
    this.#pay(amountIn, feeLamports);
  }

  sell(pool: Pool, mint: Address, amountIn: BaseUnits, feeLamports: Lamports): void {
    const { tokens, costLamports } = this.heldOf(mint);
    const left = baseUnits(tokens - amountIn);
    // What is left keeps its average cost.
    this.#held.set(mint, {
      tokens: left,
      owedTokens: baseUnits(0n),
      costLamports: lamports(mulDiv(costLamports, left, tokens, 'floor')),
    });
    // Out of what the sale brings, as a real one pays it.
    this.freeLamports = lamports(this.freeLamports + liquidationValue(pool, amountIn));
    this.#pay(lamports(0n), feeLamports);
  }

  sellLater(mint: Address, owed: BaseUnits): void {
    const held = this.heldOf(mint);
    this.#held.set(mint, { ...held, owedTokens: baseUnits(held.owedTokens + owed) });
  }

  #pay(amount: Lamports, feeLamports: Lamports): void {
    this.freeLamports = lamports(larger(0n, this.freeLamports - amount - feeLamports));
    this.networkFeesLamports = lamports(this.networkFeesLamports + feeLamports);
  }
}

/** Trades and marks are in order of time. Tokens that the wallet sends away, and copies that wait for a price, are left out. */
export function simulateWalletFollow(
  start: SimulatedWalletStart,
  trades: readonly SimulatedWalletTrade[],
  marks: readonly WalletMark[],
): SimulatedWalletFollow {
  const book = new SimulatedBook(start.amountLamports);
  const points = [{ atMs: start.atMs, equityLamports: start.amountLamports }];
  const receipts: SimulatedWalletFollow['receipts'][number][] = [];
  const steps = [
    ...marks.map((mark) => ({ atMs: mark.atMs, run: () => book.see(mark.pools) })),
    ...trades.map((trade) => ({ atMs: trade.atMs, run: () => receipts.push(copied(book, start, trade)) })),
  ].toSorted((left, right) => left.atMs - right.atMs);
  for (const { atMs, run } of steps) {
    if (atMs < start.atMs) continue;
    run();
    points.push({ atMs, equityLamports: book.equity() });
  }
  return { points, receipts, networkFeesLamports: book.networkFeesLamports };
}

function copied(
  book: SimulatedBook,
  { settings, networkFeeLamports }: SimulatedWalletStart,
  trade: SimulatedWalletTrade,
): SimulatedWalletFollow['receipts'][number] {
  const { mint, atMs, market } = trade;
  const { pool } = market;
  if (pool !== null) book.see([[mint, pool]]);
  const { tokens, owedTokens, costLamports } = book.heldOf(mint);
  const used = book.used(mint, atMs);
  const own = {
    freeLamports: book.freeLamports,
    coinTokens: tokens,
    owedTokens,
    coinCostLamports: costLamports,
    state: {
      equityLamports: book.equity(),
      coinLamports: book.valueOf(mint),
      runUpUsedLamports: used.runUp,
      runUpUsedTotalLamports: used.runUpTotal,
      costHourLamports: used.hour,
      costDayLamports: used.day,
    },
  };
  const copy = decideWalletCopy(settings, trade, own, market, atMs, networkFeeLamports);
  if (copy.kind === 'skip') return { atMs, copied: false, reason: copy.reason };
  if (copy.kind === 'sell-later') {
    book.sellLater(mint, copy.owedTokens);
    return { atMs, copied: false, reason: 'sold-later' };
  }
  if (pool === null) return { atMs, copied: false, reason: 'no-reference-price' };
  if (copy.kind === 'sell') {
    book.sell(pool, mint, copy.amountIn, networkFeeLamports);
    return { atMs, copied: true, reason: null };
  }
  const { runUpLamports, costLamports: cost } = copy;
  book.buy({ atMs, mint, runUpLamports, costLamports: cost }, copy.amountIn, copy.expectedTokens, networkFeeLamports);
  return { atMs, copied: true, reason: copy.limitedBy };
}
