import { address } from '@hunter/solana/address';
import type { BaseUnits } from '@hunter/domain/base-units';
import { AppError } from '@hunter/contract/app-error';
import { lamports, LAMPORTS_PER_SOL } from '@hunter/domain/lamports';
import type { Accounts } from '../../accounts/accounts.ts';
import { loadCash, spendableLamports } from '../../ledger/balances.ts';
import { loadPersonalBook } from '../../ledger/books.ts';
import { SOL } from '../../ledger/journal.ts';
import { holdingValue, loadHoldings } from '../book-holdings.ts';
import { cancelFollow } from '../cancel-follow.ts';
import { placeStrategyRound } from '../copying/place-strategy-round.ts';
import { NETWORK_FEE_LAMPORTS, RENT_LAMPORTS, SELL_RESERVE_LAMPORTS } from '../costs.ts';
import { createStrategy } from '../create-strategy.ts';
import { endStrategy } from '../end-strategy.ts';
import { followStrategy } from '../follow-strategy.ts';
import type { Strategies } from '../strategies.ts';
import { STRATEGY_COLUMNS, type Strategy } from '../strategy-store.ts';
import { decideMove, favouritesOf, type HeldCoin, type MarketCoin } from './decide-move.ts';
import { SeededRandom } from './seeded-random.ts';
import { SIMULATED_PLANS, type SimulatedPlan } from './simulated-plans.ts';
import { ensureSimulatedTrader, type SimulatedTrader } from './simulated-traders.ts';

const FOLLOWERS = 6;
const SLIPPAGE_BPS = 500;
const BUY_MIN_LAMPORTS = 20_000_000n;
/** Between moves once everything has begun. */
const PAUSE_MIN_MS = 20_000;
const PAUSE_MAX_MS = 40_000;
/** While the first records come into being. */
const WARM_UP_PAUSE_MS = 1_000;
/** Two for everybody. */
const WARM_UP_MOVES = 2 * SIMULATED_PLANS.length;
const FUNDING_WAIT_MS = 120_000;
const POLL_MS = 500;

type Creator = SimulatedTrader & { plan: SimulatedPlan };

/**
 * People for a chain that has none: creators and followers who use the same use cases as everybody, with wallets and trades of their
 * own on the local chain. Started in the background and never in a hurry.
 */
export class SimulatedLife {
  readonly #parts: Strategies;
  readonly #accounts: Accounts;
  readonly #seed: string;
  readonly #random: SeededRandom;
  #stopped = false;
  #wake: () => void = () => {};
  #running: Promise<void> = Promise.resolve();

  constructor(parts: Strategies, accounts: Accounts, seed: string) {
    this.#parts = parts;
    this.#accounts = accounts;
    this.#seed = seed;
    this.#random = new SeededRandom(`${seed} life`);
  }

  start(): void {
    this.#running = this.#live().catch((error: Error) =>
      this.#parts.log.error({ error: error.message }, 'the simulated traders have stopped'),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#running;
  }

  async #live(): Promise<void> {
    while (!this.#stopped && (await this.#loadMarket()).length < 10) await this.#pause(2_000);
    const followers: SimulatedTrader[] = [];
    const creators: Creator[] = [];
    for (const [index, plan] of SIMULATED_PLANS.entries()) {
      if (this.#stopped) return;
      creators.push({ ...(await ensureSimulatedTrader(this.#accounts, this.#seed, index)), plan });
      if (index < FOLLOWERS) {
        followers.push(await ensureSimulatedTrader(this.#accounts, this.#seed, SIMULATED_PLANS.length + index));
      }
    }
    for (const creator of creators) await this.#try(() => this.#begin(creator, followers));
    let moves = (await this.#isNew(creators)) ? 0 : WARM_UP_MOVES;
    while (!this.#stopped) {
      const warm = moves < WARM_UP_MOVES;
      await this.#pause(warm ? WARM_UP_PAUSE_MS : this.#random.between(PAUSE_MIN_MS, PAUSE_MAX_MS));
      if (this.#stopped) return;
      const creator = warm ? creators[moves % creators.length]! : this.#random.pick(creators)!;
      await this.#try(() => this.#move(creator, followers, moves));
      moves += 1;
    }
  }

  /** Publishes a creator's strategy and lets its first followers in, once. */
  async #begin({ userId, plan, index }: Creator, followers: readonly SimulatedTrader[]): Promise<void> {
    if (this.#stopped || (await this.#strategiesOf(userId)).length > 0) return;
    const capital = BigInt(plan.capitalSol) * LAMPORTS_PER_SOL;
    if (!(await this.#funded(userId, capital))) return;
    const random = new SeededRandom(`${this.#seed} begin ${index}`);
    const market = (await this.#loadMarket()).slice(0, 25);
    const chosen = new Map<string, number>();
    const favourites = favouritesOf(plan.style, market);
    // Where the style has fewer favourites than the strategy has coins, the rest is taken from the whole market.
    for (const coins of [favourites, market]) {
      while (chosen.size < Math.min(plan.coins, coins.length)) {
        chosen.set(random.pick(coins)!.mint, random.between(0.6, 1.4));
      }
    }
    const sum = [...chosen.values()].reduce((total, share) => total + share, 0);
    const { strategy } = await createStrategy(
      this.#parts,
      userId,
      {
        name: plan.name,
        description: plan.description,
        capital: lamports(capital),
        coins: [...chosen].map(([tokenContractAddress, share]) => ({
          tokenContractAddress,
          weight: ((plan.invested * share) / sum).toFixed(1),
        })),
        duration: plan.minutes === null ? undefined : { days: Math.floor(plan.minutes / 1440), hours: 0, minutes: 0 },
        autoClear: plan.autoClear,
      },
      `simulated ${this.#seed} ${plan.name}`,
    );
    for (let count = 0; count < plan.followers; count += 1) {
      await this.#follow(followers[(index + count) % followers.length]!, strategy, random);
    }
  }

  async #follow({ userId }: SimulatedTrader, strategy: Strategy, random: SeededRandom): Promise<void> {
    const free = await this.#free(userId);
    const amount = BigInt(Math.floor(random.between(0.3, 1.2) * 1000)) * 1_000_000n;
    if (free < amount) return;
    const mode = random.next() < 0.75 ? 'sol' : 'position';
    await followStrategy(
      this.#parts,
      userId,
      { slug: strategy.slug, mode, amount: lamports(amount), multiplier: mode === 'position' ? '0.5' : '1' },
      `simulated ${strategy.slug} ${this.#parts.clock.nowMs()}`,
    );
  }

  async #move({ userId, plan }: Creator, followers: readonly SimulatedTrader[], moves: number): Promise<void> {
    const strategy = (await this.#strategiesOf(userId)).find(({ status }) => status === 'running');
    if (!strategy) return;
    if (plan.endsEarly === true && moves >= SIMULATED_PLANS.length) return endStrategy(this.#parts, strategy.id);
    if (moves > WARM_UP_MOVES && this.#random.next() < 0.08) return this.#comeOrGo(strategy, followers);
    const book = (await loadHoldings(this.#parts.database, [strategy.bookId])).get(strategy.bookId)!;
    const move = decideMove(plan.style, await this.#loadMarket(), await this.#heldBy(strategy.bookId), this.#random);
    if (move.kind === 'wait') return;
    const order = { strategyId: strategy.id, mint: move.mint, slippageBps: SLIPPAGE_BPS, kind: 'trade' as const };
    if (move.kind === 'sell') {
      const tokens = book.tokens.get(address(move.mint)) ?? 0n;
      const part = move.share >= 1 ? tokens : (tokens * BigInt(Math.floor(move.share * 1000))) / 1000n;
      if (part > 0n) await placeStrategyRound(this.#parts, { ...order, side: 'sell', amountIn: part });
      return;
    }
    const spendable = book.freeLamports - NETWORK_FEE_LAMPORTS - RENT_LAMPORTS - SELL_RESERVE_LAMPORTS;
    const spend = (spendable * BigInt(Math.floor(move.shareOfFree * 1000))) / 1000n;
    if (spend >= BUY_MIN_LAMPORTS) await placeStrategyRound(this.#parts, { ...order, side: 'buy', amountIn: spend });
  }

  async #comeOrGo(strategy: Strategy, followers: readonly SimulatedTrader[]): Promise<void> {
    const follower = this.#random.pick(followers)!;
    const following = await this.#parts.database.query(
      `select 1 from follow where user_id = $1 and strategy_id = $2 and status <> 'closed'`,
      [follower.userId, strategy.id],
    );
    if (following.length > 0) await cancelFollow(this.#parts, follower.userId, strategy.slug);
    else await this.#follow(follower, strategy, this.#random);
  }

  async #heldBy(bookId: string): Promise<HeldCoin[]> {
    const rows = await this.#parts.database.query<{ mint: string; tokens: BaseUnits; cost: bigint }>(
      `select mint, quantity as tokens, cost_lamports as cost from position where book_id = $1 and quantity > 0`,
      [bookId],
    );
    const pools = await this.#parts.pools.load(rows.map((row) => row.mint));
    return rows.map(({ mint, tokens, cost }) => {
      const value = holdingValue(pools, mint, tokens) ?? cost;
      return { mint, tokens, profitPercent: cost > 0n ? Number(((value - cost) * 10_000n) / cost) / 100 : 0 };
    });
  }

  /** Coins with a pool that a few SOL do not move, the most traded first. */
  async #loadMarket(): Promise<MarketCoin[]> {
    return this.#parts.database.query<MarketCoin>(
      `select t.mint, coalesce(s.change_1h, 0)::float8 as "change1h", (s.pool_lamports / 1000000000)::float8 as "poolSol"
       from token t join token_stats s on s.token_id = t.id
       where s.pool_lamports > 50000000000 and cardinality(t.name_flags) = 0 order by s.volume_24h desc limit 40`,
    );
  }

  async #strategiesOf(userId: string): Promise<Strategy[]> {
    return this.#parts.database.query<Strategy>(
      `select ${STRATEGY_COLUMNS} from strategy s where s.user_id = $1 order by s.published_at desc`,
      [userId],
    );
  }

  /** Whether there is nothing to look back on yet. */
  async #isNew(creators: readonly Creator[]): Promise<boolean> {
    const rows = await this.#parts.database.query<{ rounds: number }>(
      `select count(*)::int as rounds from copy_round r join strategy s on s.id = r.strategy_id where s.user_id = any($1::uuid[])`,
      [creators.map(({ userId }) => userId)],
    );
    return rows[0]!.rounds < WARM_UP_MOVES / 2;
  }

  async #free(userId: string): Promise<bigint> {
    const book = await loadPersonalBook(this.#parts.database, userId);
    return spendableLamports(await loadCash(this.#parts.database, book.id, SOL), 'personal');
  }

  /** The faucet's deposit arrives like any other: once the chain has made it final. */
  async #funded(userId: string, amount: bigint): Promise<boolean> {
    const untilMs = this.#parts.clock.nowMs() + FUNDING_WAIT_MS;
    while (!this.#stopped && this.#parts.clock.nowMs() < untilMs) {
      if ((await this.#free(userId)) >= amount) return true;
      await this.#pause(POLL_MS);
    }
    return false;
  }

  /** A refusal or a slow chain is part of life; the next move comes. */
  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { log } = this.#parts;
      if (error instanceof AppError) log.debug({ error: error.message }, 'a simulated trader was refused');
      else log.warn({ error: (error as Error).message }, 'a simulated trader failed');
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stopped) return resolve();
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
