import type { Address } from '@hunter/domain/address';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import type { CopySkipReason } from '@hunter/domain/copying/copy-skip';
import { lamports } from '@hunter/domain/numbers/lamports';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { spotPrice } from '@hunter/domain/market/swap-maths';
import { decideMove, favouritesOf, type MarketCoin } from '../../../apps/localnet/src/people/decide-move.ts';
import { STRATEGY_PLANS, type StrategyPlan } from '../../../apps/localnet/src/people/strategy-plans.ts';
import { firstLogOf, genesisTokens, PAST_SECONDS, planOf } from '../../../apps/localnet/src/traders/market-tokens.ts';
import { activityAt, targetLog, type PricePlan } from '../../../apps/localnet/src/traders/price-plan.ts';
import { AttackMarket, HOUR_MS, MINUTE_MS, SOL, type Coin } from './attack-market.ts';
import { AttackedStrategy, type Receipt } from './attacked-strategy.ts';

// The other side of protection: creators who only trade. The coins, their pools and the way their prices go are those of the local
// market; creators and their habits are its simulated people.

const STEP_MS = 10_000;
const POOL_MIN = 50n * SOL;
/** Both sides of the pool, as the hot list counts liquidity. */
const USD_PER_POOL_SOL = 300;
/** One creator of fourteen moves every half minute. */
const MOVE_EVERY_MS = 7 * MINUTE_MS;
const GENESIS_SECONDS = 3_600_000;

type Planned = { plan: PricePlan; firstLog: number };

class LocalMarket extends AttackMarket {
  readonly #plans = new Map<Address, Planned>();
  readonly #random: SeededRandom;
  readonly #startMs: number;

  constructor(seed: string) {
    super(seed);
    this.#random = new SeededRandom(`${seed}:local market`);
    this.#startMs = this.nowMs;
    for (const { listing, poolLamports, poolTokens } of genesisTokens(seed, GENESIS_SECONDS)) {
      const coin = this.addCoin(listing.mint, { poolSol: 1n, ageMs: PAST_SECONDS * 1000 });
      const isSafe =
        listing.mintAuthority === null &&
        listing.freezeAuthority === null &&
        Object.keys(listing.extensions).length === 0;
      if (!isSafe) coin.facts = { badges: ['danger'], mintAuthority: 'kept' };
      coin.pool = {
        solReserve: lamports(poolLamports),
        tokenReserve: baseUnits(poolTokens),
        virtualSol: lamports(listing.virtualLamports),
        virtualTokens: baseUnits(listing.virtualTokens),
        feeBps: 50n,
      };
      this.#plans.set(coin.mint, { plan: planOf(seed, listing, GENESIS_SECONDS), firstLog: firstLogOf(listing) });
      this.#pull(coin, 1);
    }
    this.advance(HOUR_MS + MINUTE_MS);
  }

  override advance(ms: number): void {
    const untilMs = this.nowMs + ms;
    while (this.nowMs < untilMs) {
      this.nowMs = Math.min(untilMs, this.nowMs + STEP_MS);
      for (const coin of this.coins.values()) {
        const { plan } = this.#plans.get(coin.mint)!;
        // About a trade every ten seconds in a lively coin, as the market has them.
        if (this.#random.chance(Math.min(0.95, 0.5 * activityAt(plan, this.#seconds)))) this.#pull(coin, 0.15);
      }
    }
  }

  get #seconds(): number {
    return (this.nowMs - this.#startMs) / 1000 - HOUR_MS / 1000;
  }

  /** Somebody trades the price a part of the way to where the plan wants it. */
  #pull(coin: Coin, part: number): void {
    const { plan, firstLog } = this.#plans.get(coin.mint)!;
    const { numerator, denominator } = spotPrice(coin.pool);
    const gap = firstLog + targetLog(plan, this.#seconds) - Math.log(Number(numerator) / Number(denominator));
    const move = part === 1 ? gap : gap * part + this.#random.normal() * 0.001;
    const [reserve, side] =
      move > 0
        ? ([coin.pool.solReserve + coin.pool.virtualSol, 'buy'] as const)
        : ([coin.pool.tokenReserve + coin.pool.virtualTokens, 'sell'] as const);
    this.swap(coin, 'stranger', side, BigInt(Math.floor(Number(reserve) * Math.expm1(Math.abs(move) / 2))));
  }

  /** What a creator sees: coins that are safe and deep enough, with their change over the hour. */
  list(): MarketCoin[] {
    return [...this.coins.values()]
      .filter(({ pool, facts }) => pool.solReserve >= POOL_MIN && facts.badges.every((badge) => badge === 'ok'))
      .map((coin) => ({
        mint: coin.mint,
        change1h: this.#changeOf(coin, HOUR_MS),
        change24h: this.#changeOf(coin, 24 * HOUR_MS),
        liquidityUsd: (Number(coin.pool.solReserve) / Number(SOL)) * USD_PER_POOL_SOL,
      }));
  }

  #changeOf({ points, pool }: Coin, spanMs: number): number {
    const before = points.findLast(({ atMs }) => atMs <= this.nowMs - spanMs)?.price ?? points[0]!.price;
    const now = spotPrice(pool);
    const ratio = Number(now.numerator * before.denominator) / Number(now.denominator * before.numerator);
    return (ratio - 1) * 100;
  }
}

class HonestCreator {
  readonly strategy: AttackedStrategy;
  readonly #market: LocalMarket;
  readonly #plan: StrategyPlan;
  readonly #random: SeededRandom;
  readonly #cost = new Map<Address, bigint>();
  #nextMs = 0;

  constructor(market: LocalMarket, plan: StrategyPlan, seed: string) {
    this.#market = market;
    this.#plan = plan;
    this.#random = new SeededRandom(`${seed}:${plan.name}`);
    this.strategy = new AttackedStrategy(market, BigInt(Math.round(plan.capitalSol * 1e9)));
    this.#publish();
    const followers = Math.max(2, plan.followers);
    for (let index = 0; index < followers; index += 1) {
      // As the simulated followers do, and one with as much as the creator.
      const sol = index === 0 ? plan.capitalSol : this.#random.between(0.3, 1.2);
      this.strategy.follow(`follow ${index}`, BigInt(Math.round(sol * 1e9)));
    }
  }

  #publish(): void {
    const coins = favouritesOf(this.#plan.style, this.#market.list());
    const chosen = this.#random.shuffled(coins).slice(0, this.#plan.coins);
    const spend = (this.strategy.spendable() * BigInt(this.#plan.invested)) / 100n / BigInt(Math.max(1, chosen.length));
    for (const { mint } of chosen) this.#buy(mint as Address, spend);
  }

  #buy(mint: Address, spend: bigint): void {
    if (spend < SOL / 50n) return;
    const before = this.strategy.creator.sol;
    this.strategy.buy(mint, spend, { slippageBps: 500 });
    this.#cost.set(mint, (this.#cost.get(mint) ?? 0n) + before - this.strategy.creator.sol);
  }

  moveIfDue(): void {
    if (this.#market.nowMs < this.#nextMs) return;
    this.#nextMs = this.#market.nowMs + this.#random.exponential(MOVE_EVERY_MS);
    const { creator } = this.strategy;
    const held = [...creator.tokens].filter(([, tokens]) => tokens > 0n);
    const move = decideMove(
      this.#plan.style,
      this.#market.list(),
      held.map(([mint, tokens]) => ({ mint, tokens: String(tokens), profitPercent: this.#profit(mint, tokens) })),
      this.#random,
    );
    if (move.kind === 'wait') return;
    const mint = move.mint as Address;
    const part = BigInt(Math.floor((move.kind === 'buy' ? move.shareOfFree : move.share) * 1_000));
    if (move.kind === 'buy') return this.#buy(mint, (this.strategy.spendable() * part) / 1_000n);
    if (this.strategy.sell(mint, part / 10n, { slippageBps: 500 }))
      this.#cost.set(mint, ((this.#cost.get(mint) ?? 0n) * (1_000n - part)) / 1_000n);
  }

  #profit(mint: Address, tokens: bigint): number {
    const cost = Number(this.#cost.get(mint) ?? 0n);
    const value = Number(this.strategy.equity({ sol: 0n, tokens: new Map([[mint, tokens]]) }));
    return cost === 0 ? 0 : (value / cost - 1) * 100;
  }
}

export type HonestFigures = {
  copies: number;
  /** Of the copied buys, how many took part, and of the SOL that was wanted how much was spent. */
  takingPart: number;
  ofWantedSol: number;
  reasons: Record<string, { limited: number; skipped: number }>;
};

export function playHonestCreators(seed: string, hours: number, count: number = STRATEGY_PLANS.length): HonestFigures {
  const market = new LocalMarket(seed);
  const creators = STRATEGY_PLANS.slice(0, count).map((plan) => new HonestCreator(market, plan, seed));
  const endMs = market.nowMs + hours * HOUR_MS;
  while (market.nowMs < endMs) {
    market.advance(MINUTE_MS);
    for (const creator of creators) creator.moveIfDue();
  }
  return figuresOf(creators.flatMap(({ strategy }) => strategy.receipts));
}

function figuresOf(receipts: readonly Receipt[]): HonestFigures {
  const buys = receipts.filter(({ side }) => side === 'buy');
  // What a follow has nothing left for is no copy that a protection took away.
  const asked = buys.filter(({ reason, amountIn }) => !(amountIn === 0n && isOwnChoice(reason)));
  const reasons: HonestFigures['reasons'] = {};
  for (const { reason, amountIn } of asked) {
    if (reason === null) continue;
    const count = (reasons[reason] ??= { limited: 0, skipped: 0 });
    if (amountIn > 0n) count.limited += 1;
    else count.skipped += 1;
  }
  const sum = (pick: (receipt: Receipt) => bigint): number =>
    asked.reduce((total, receipt) => total + Number(pick(receipt)), 0);
  return {
    copies: asked.length,
    takingPart: asked.filter(({ amountIn }) => amountIn > 0n).length / asked.length,
    ofWantedSol: sum(({ amountIn }) => amountIn) / sum(({ wanted }) => wanted),
    reasons,
  };
}

function isOwnChoice(reason: CopySkipReason | null): boolean {
  return reason === 'below-minimum' || reason === 'insufficient-balance';
}
