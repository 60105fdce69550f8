import type { Address } from '@hunter/domain/address';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import type { CopyableCoin } from '@hunter/domain/copying/copyable-coin';
import { lamports } from '@hunter/domain/numbers/lamports';
import { referencePrice, referenceToBuy, type PricePoint } from '@hunter/domain/market/reference-price';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { quotePool, spotPrice, type Pool, type Ratio, type Side } from '@hunter/domain/market/swap-maths';

export const SOL = 1_000_000_000n;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
const STEP_MS = 10_000;

export type Book = { sol: bigint; readonly tokens: Map<Address, bigint> };
export const aBook = (sol: bigint): Book => ({ sol, tokens: new Map() });

export type Coin = {
  readonly mint: Address;
  pool: Pool;
  readonly bornMs: number;
  facts: Pick<CopyableCoin, 'badges' | 'mintAuthority'>;
  /** Without noise nobody but those of the attack trades it: what a pump lifted stays lifted. */
  readonly isLively: boolean;
  readonly points: { atMs: number; price: Ratio; by: string }[];
};

export type CoinPlan = { poolSol: bigint; ageMs?: number; isLively?: boolean; feeBps?: bigint; supply?: bigint };

/** Pools, the clock and everybody who trades without the strategy. */
export class AttackMarket {
  nowMs = 1_000 * HOUR_MS;
  readonly coins = new Map<Address, Coin>();
  readonly wallets = new Map<string, Book>();
  /** What the named wallets bought. */
  readonly purchases: { atMs: number; mint: Address; by: string; solIn: bigint }[] = [];
  readonly #random: SeededRandom;

  constructor(seed: string) {
    this.#random = new SeededRandom(`creator attacks ${seed}`);
  }

  addCoin(name: string, plan: CoinPlan): Coin {
    const mint = name as Address;
    const bornMs = this.nowMs - (plan.ageMs ?? 30 * 24 * HOUR_MS);
    const pool: Pool = {
      solReserve: lamports(plan.poolSol * SOL),
      tokenReserve: baseUnits(plan.supply ?? 10n ** 15n),
      virtualSol: lamports(0n),
      virtualTokens: baseUnits(0n),
      feeBps: plan.feeBps ?? 50n,
    };
    const coin: Coin = {
      mint,
      pool,
      bornMs,
      facts: { badges: ['ok'], mintAuthority: 'given-up' },
      isLively: plan.isLively ?? false,
      points: [{ atMs: bornMs, price: spotPrice(pool), by: 'stranger' }],
    };
    this.coins.set(mint, coin);
    return coin;
  }

  wallet(name: string): Book {
    const known = this.wallets.get(name);
    if (known) return known;
    const made = aBook(0n);
    this.wallets.set(name, made);
    return made;
  }

  /** Strangers trade small amounts to and fro, so that a lively coin has samples and no direction. */
  advance(ms: number): void {
    const untilMs = this.nowMs + ms;
    while (this.nowMs < untilMs) {
      this.nowMs = Math.min(untilMs, this.nowMs + STEP_MS);
      for (const coin of this.coins.values()) if (coin.isLively && this.#random.chance(0.5)) this.#noiseTrade(coin);
    }
  }

  /** Bought and sold back at once: strangers move the reference along and have nothing that could be taken from them. */
  #noiseTrade(coin: Coin): void {
    const amount = (coin.pool.solReserve * BigInt(1 + this.#random.whole(10))) / 100_000n;
    const out = this.swap(coin, 'stranger', 'buy', amount);
    if (out !== null) this.swap(coin, 'stranger', 'sell', out);
  }

  /** A swap in the pool, whoever pays for it; null where the pool refuses. */
  swap(coin: Coin, by: string, side: Side, amountIn: bigint, minOut = 0n): bigint | null {
    if (amountIn === 0n) return null;
    const quote =
      side === 'buy'
        ? quotePool(coin.pool, 'buy', lamports(amountIn))
        : quotePool(coin.pool, 'sell', baseUnits(amountIn));
    if (quote.kind === 'refused' || quote.amountOut < minOut) return null;
    coin.pool = quote.poolAfter;
    coin.points.push({ atMs: this.nowMs, price: spotPrice(coin.pool), by });
    return quote.amountOut;
  }

  /** A wallet of its own trades; null where it cannot. */
  trade(name: string, side: Side, mint: Address, amount: bigint): bigint | null {
    const wallet = this.wallet(name);
    const held = wallet.tokens.get(mint) ?? 0n;
    const amountIn = side === 'buy' ? (amount < wallet.sol ? amount : wallet.sol) : amount < held ? amount : held;
    const out = this.swap(this.coins.get(mint)!, name, side, amountIn);
    if (out === null) return null;
    if (side === 'buy') this.purchases.push({ atMs: this.nowMs, mint, by: name, solIn: amountIn });
    wallet.sol += side === 'buy' ? -amountIn : out;
    wallet.tokens.set(mint, side === 'buy' ? held + out : held - amountIn);
    return out;
  }

  /** Takes all SOL out of a pool that belongs to the attacker, less what he put in himself. */
  drain(name: string, mint: Address, ownLamports: bigint): void {
    const coin = this.coins.get(mint)!;
    this.wallet(name).sol += coin.pool.solReserve - ownLamports;
    coin.pool = { ...coin.pool, solReserve: lamports(1n) };
    coin.points.push({ atMs: this.nowMs, price: spotPrice(coin.pool), by: name });
  }

  /** What lifts the price of a pool by so many percent. */
  solToLift(mint: Address, percent: number): bigint {
    const { solReserve, virtualSol } = this.coins.get(mint)!.pool;
    return BigInt(Math.floor(Number(solReserve + virtualSol) * (Math.sqrt(1 + percent / 100) - 1) * 1.005));
  }

  reference(mint: Address, linked: ReadonlySet<string>, decide = referencePrice): Ratio | null {
    const coin = this.coins.get(mint)!;
    const from = coin.points.findLastIndex(({ atMs, by }) => atMs < this.nowMs - HOUR_MS && !linked.has(by));
    const points = coin.points
      .slice(Math.max(0, from))
      .map(({ atMs, price, by }): PricePoint => ({ atMs, price, isLinked: linked.has(by) }));
    return decide(points, { fromMs: coin.bornMs, untilMs: this.nowMs }, this.nowMs);
  }

  referenceToBuy(mint: Address, linked: ReadonlySet<string>): Ratio | null {
    return this.reference(mint, linked, referenceToBuy);
  }

  pools(): ReadonlyMap<Address, Pool> {
    return new Map([...this.coins].map(([mint, { pool }]) => [mint, pool]));
  }
}
