// Asks triggers after every change that moves what their order would get. A stored trade only says that a token changed: what is asked
// is the pool that the order itself would use, for the order's own size. So a dust trade, or one in another pool, fires nothing, however
// it was priced. Liquidity, supply and the price of SOL change without a trade; whoever indexes them says so here, and now and then all
// tokens with triggers are looked at, for what nobody said.

import { unitsIn, type Ratio } from '@hunter/domain/market/swap-maths';
import type { TriggerDecision } from '@hunter/domain/triggers/decide-trigger';
import type { WatchedTrigger } from '@hunter/domain/triggers/token-watch';
import { isStop } from '@hunter/domain/triggers/trigger';
import { ownPrice } from '@hunter/domain/triggers/trigger-price';
import type { Address } from '@hunter/solana/address';
import type { StoredTrade } from '../market/stored-trade.ts';
import { LeaseLostError } from '../platform/leases.ts';
import { Loop } from '../platform/loop.ts';
import { isDatabaseUnavailable, isLockTimeout } from '../platform/postgres.ts';
import { loadTradedSince } from '../trading/open-orders.ts';
import type { Order } from '../trading/order.ts';
import { fireTriggers, type FiringCall } from './fire-triggers.ts';
import { followPositions } from './settle-firing.ts';
import { reopenDropped, reopenRecent } from './reopen-triggers.ts';
import { settleTriggers } from './settle-triggers.ts';
import { indexTriggers } from './tell-triggers.ts';
import type { Trigger } from './trigger.ts';
import { loadDue, loadOfOrders, loadOpen, loadTriggers, loadUnderWay } from './trigger-store.ts';
import { scaleOf, type PricedPool, type Triggers } from './triggers.ts';

const TICK_MS = 1_000;
/** Stops wait while the venue or the database is away: they are asked again soon after it is back. */
const RETRY_MS = { first: TICK_MS, max: 2_000 };
/** A change that nobody told of is seen after about so long. All tokens are looked at in turn, some in every pass. */
const LOOK_ALL_MS = 30_000;
const LOOK_MAX = 100;
const SETTLE_MS = 2_000;
/** Other engines trade in the same books, and their clocks may be behind. */
const CLOCKS_APART_MS = 5_000;
/** Positions that became flat without a trade, by a withdrawal or from outside, are looked for this often. */
const SWEEP_MS = 5 * 60_000;
const PAGE = 5_000;
const DUE_MAX = 500;
/** Fired in one transaction, so that the first of many orders leave while the others are being written. */
const FIRE_MAX = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** One that was found to fire and then did not is left alone for so long: quotes and transactions are not free. */
const ASK_AGAIN_MS = 5_000;
/** As long for one that is due and does not sell in need, such as a purchase of a token that nobody prices any more. */
const DUE_AGAIN_MS = 30_000;

export class TriggerLoop {
  readonly #deps: Triggers;
  readonly #watching: Loop;
  /** By itself: on a busy database settling what has fired takes many times as long as firing, and nobody's stop waits for that. */
  readonly #settling: Loop;
  readonly #changed = new Set<Address>();
  /** When creators of tokens with triggers sold, until those were asked about it. */
  readonly #sold = new Map<Address, number>();
  /** Creators may have sold without anybody telling of it. */
  #isBehind = false;
  #salesReadAtMs = -Infinity;
  readonly #settled: Order[] = [];
  readonly #notBefore = new Map<string, number>();
  /** Tokens that changed and whose pool could not be read then: nobody may tell of them again. */
  readonly #unread = new Map<Address, { sinceMs: number; againMs: number }>();
  #lookedAtAllMs: number;
  #unlooked: Address[] = [];
  #settledAtMs = 0;
  #sweptAtMs: number;

  constructor(deps: Triggers) {
    this.#deps = deps;
    this.#sweptAtMs = this.#lookedAtAllMs = deps.trading.clock.nowMs();
    const rhythm = { everyMs: TICK_MS, retryMs: RETRY_MS, clock: deps.trading.clock, log: deps.log };
    this.#watching = new Loop({ ...rhythm, name: 'trigger pass', work: () => this.watch() });
    this.#settling = new Loop({ ...rhythm, name: 'settling of triggers', work: () => this.settle() });
  }

  /** Reads all triggers that can fire; whatever happened meanwhile is seen by the first pass. */
  async start(): Promise<void> {
    await this.load();
    this.#watching.start();
    this.#settling.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#watching.stop(), this.#settling.stop()]);
  }

  async load(): Promise<void> {
    for await (const triggers of this.#pages(['open'])) {
      await indexTriggers(this.#deps, this.#deps.trading.database, triggers);
    }
    await this.#readSales();
    await reopenRecent(this.#deps);
    for (const mint of this.#deps.index.mints()) this.#changed.add(mint);
  }

  async #readSales(): Promise<void> {
    const { index, market } = this.#deps;
    for (const mint of index.mintsWaitingForCreators()) {
      const creator = market.token(mint)?.creator;
      const soldAt = creator ? await market.lastSale(mint, creator) : null;
      if (soldAt === null) continue;
      // One may have been told of while this was read.
      this.#sold.set(mint, Math.max(soldAt.getTime(), this.#sold.get(mint) ?? 0));
      this.#changed.add(mint);
    }
  }

  async *#pages(states: readonly Trigger['state'][]): AsyncGenerator<Trigger[]> {
    let after = FIRST_ID;
    for (;;) {
      const triggers = await loadOpen(this.#deps.trading.database, states, after, PAGE);
      yield triggers;
      if (triggers.length < PAGE) return;
      after = triggers.at(-1)!.id;
    }
  }

  /** Called for every stored trade, so it does as good as nothing. */
  tradesStored(trades: readonly StoredTrade[]): void {
    const { index, market } = this.#deps;
    let isNews = false;
    for (const trade of trades) {
      if (!index.has(trade.mint)) continue;
      isNews = true;
      this.#changed.add(trade.mint);
      if (!trade.isBuy && trade.wallet === market.token(trade.mint)?.creator) this.#sold.set(trade.mint, trade.atMs);
    }
    if (isNews) this.#watching.wake();
  }

  /** Trades were stored that nobody told of. Their prices are seen when all tokens are looked at, a sale of the creator is not. */
  marketReset(): void {
    this.#isBehind = true;
    this.#watching.wake();
  }

  /** What an order of these tokens would get has changed without a trade: liquidity, or the supply. */
  tokensChanged(mints: Iterable<Address>): void {
    let isNews = false;
    for (const mint of mints) {
      if (!this.#deps.index.has(mint)) continue;
      isNews = true;
      this.#changed.add(mint);
    }
    if (isNews) this.#watching.wake();
  }

  /** SOL has another price in dollars. */
  solPriceChanged(): void {
    this.tokensChanged(this.#deps.index.mintsInDollars());
  }

  ordersSettled(orders: readonly Order[]): void {
    this.#settled.push(...orders);
    this.#settling.wake();
  }

  /** A trigger was placed or changed: it may be past its level already. */
  look(mint: Address): void {
    this.#changed.add(mint);
    this.#watching.wake();
  }

  /** Both, one after the other. */
  async pass(): Promise<void> {
    await this.watch();
    await this.settle();
  }

  /** What may fire comes first: nobody waits for the rest. */
  async watch(): Promise<void> {
    const nowMs = this.#deps.trading.clock.nowMs();
    for (const [mint, { againMs }] of this.#unread) if (againMs <= nowMs) this.#changed.add(mint);
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const [id, untilMs] of this.#notBefore) if (untilMs <= nowMs) this.#notBefore.delete(id);
    try {
      this.#askAgain(changed, await this.#ask(changed, [], nowMs), nowMs);
    } catch (error) {
      for (const mint of changed) this.#changed.add(mint);
      throw error;
    }
    if (this.#isBehind && nowMs - this.#salesReadAtMs >= ASK_AGAIN_MS) {
      this.#isBehind = false;
      this.#salesReadAtMs = nowMs;
      await this.#readSales().catch((error: unknown) => {
        this.#isBehind = true;
        throw error;
      });
    }
    // Without those that were asked a moment ago: however many they are, they stand in nobody's way.
    const due = await loadDue(this.#deps.trading.database, new Date(nowMs), DUE_MAX, [...this.#notBefore.keys()]);
    await this.#ask(this.#nextToLookAt(nowMs), due, nowMs);
  }

  async settle(): Promise<void> {
    await this.#settle();
    await this.#sweep();
  }

  #nextToLookAt(nowMs: number): Address[] {
    if (this.#unlooked.length === 0 && nowMs - this.#lookedAtAllMs >= LOOK_ALL_MS) {
      this.#unlooked = this.#deps.index.mints();
      this.#lookedAtAllMs = nowMs;
    }
    return this.#unlooked.splice(-LOOK_MAX);
  }

  /** In a few seconds, and no longer than until all tokens are looked at: many are not priced by anybody. */
  #askAgain(changed: readonly Address[], read: ReadonlySet<Address>, nowMs: number): void {
    for (const mint of changed) {
      const sinceMs = this.#unread.get(mint)?.sinceMs ?? nowMs;
      const isOver = read.has(mint) || !this.#deps.index.has(mint) || nowMs - sinceMs >= LOOK_ALL_MS;
      if (isOver) this.#unread.delete(mint);
      else this.#unread.set(mint, { sinceMs, againMs: nowMs + ASK_AGAIN_MS });
    }
  }

  /** Answers the tokens whose pool could be read. */
  async #ask(mints: readonly Address[], dueNow: readonly Trigger[], nowMs: number): Promise<ReadonlySet<Address>> {
    const { trading, index, market } = this.#deps;
    const due = Map.groupBy(dueNow, ({ mint }) => mint);
    const asked = [...new Set([...mints, ...due.keys()])];
    if (asked.length === 0) return new Set();
    const [pools, facts] = await Promise.all([this.#deps.loadPools(asked), trading.tokens.load(asked)]);
    const calls = new Map<string, FiringCall>();
    const sales: [Address, number][] = [];
    for (const { mint, decimals } of facts.values()) {
      const priced = pools.get(mint);
      const scale = scaleOf(this.#deps, mint, decimals);
      const creatorSoldAtMs = this.#sold.get(mint) ?? null;
      if (priced && creatorSoldAtMs !== null) sales.push([mint, creatorSoldAtMs]);
      const hasGraduated = market.hasGraduated(mint) === true;
      const common = { scale, creatorSoldAtMs, hasGraduated };
      const moment = { nowMs, scale, creatorSold: creatorSoldAtMs !== null, hasGraduated };
      const found = priced ? (index.of(mint)?.look({ ...moment, pool: priced.pool }) ?? []) : [];
      for (const { trigger, decision } of found) {
        // A sale of the creator is asked about once, so it must not fall into the pause after an earlier one.
        if (trigger.rule.kind !== 'creator-sells' && this.#notBefore.has(trigger.id)) continue;
        const priceOf = await this.#priceOf(trigger, decision, priced!, mint);
        if (priceOf !== 'unknown') calls.set(trigger.id, { id: trigger.id, priceOf, ...common });
      }
      for (const trigger of due.get(mint) ?? []) {
        const priceOf = priced ? (size: bigint) => ownPrice(priced.pool, trigger.rule.side, size) : null;
        calls.set(trigger.id, { id: trigger.id, priceOf, ...common });
      }
    }
    const patient = new Set(dueNow.flatMap(({ id, rule }) => (isStop(rule.kind) ? [] : id)));
    await this.#fire([...calls.values()], patient, nowMs);
    for (const [mint, atMs] of sales) if (this.#sold.get(mint) === atMs) this.#sold.delete(mint);
    return new Set(pools.keys());
  }

  /** Where the pool is a guess, what decides is a quote for the order itself. */
  async #priceOf(
    { rule, size }: WatchedTrigger,
    decision: TriggerDecision,
    { pool, isGuess }: PricedPool,
    mint: Address,
  ): Promise<FiringCall['priceOf'] | 'unknown'> {
    const { venue } = this.#deps.trading;
    const isByPrice = rule.level !== null || rule.trailing !== null;
    if (!isGuess || !isByPrice || decision.kind !== 'fire') return (each) => ownPrice(pool, rule.side, each);
    const quote = await venue
      .quote({ mint, side: rule.side, amount: unitsIn(rule.side, size), slippageBps: 100, urgent: true })
      .catch(() => null);
    if (quote === null) return 'unknown';
    const price: Ratio =
      rule.side === 'sell'
        ? { numerator: quote.outAmount, denominator: quote.inAmount }
        : { numerator: quote.inAmount, denominator: quote.outAmount };
    return () => price;
  }

  async #fire(calls: readonly FiringCall[], patient: ReadonlySet<string>, nowMs: number): Promise<void> {
    const changed = new Set<string>();
    for (let start = 0; start < calls.length; start += FIRE_MAX) {
      for (const { id } of await this.#fireApart(calls.slice(start, start + FIRE_MAX))) changed.add(id);
    }
    const left = calls.filter(({ id }) => !changed.has(id)).map(({ id }) => id);
    if (left.length === 0) return;
    for (const id of left) this.#notBefore.set(id, nowMs + (patient.has(id) ? DUE_AGAIN_MS : ASK_AGAIN_MS));
    const { database } = this.#deps.trading;
    await indexTriggers(this.#deps, database, await loadTriggers(database, left));
  }

  /** Fired together, one that cannot be fired would keep everybody else's stops from firing. */
  async #fireApart(calls: readonly FiringCall[]): Promise<readonly Trigger[]> {
    try {
      return await fireTriggers(this.#deps, calls);
    } catch (error) {
      if (error instanceof LeaseLostError || isDatabaseUnavailable(error) || isLockTimeout(error)) throw error;
      const [first] = calls;
      if (calls.length === 1) {
        this.#deps.log.error({ triggerId: first!.id, err: error }, 'firing a trigger failed; retrying in 5 s');
        return [];
      }
      const half = Math.ceil(calls.length / 2);
      return [...(await this.#fireApart(calls.slice(0, half))), ...(await this.#fireApart(calls.slice(half)))];
    }
  }

  async #sweep(): Promise<void> {
    const nowMs = this.#deps.trading.clock.nowMs();
    if (nowMs - this.#sweptAtMs < SWEEP_MS) return;
    this.#sweptAtMs = nowMs;
    for await (const triggers of this.#pages(['open', 'paused'])) await followPositions(this.#deps, triggers);
    await reopenRecent(this.#deps);
  }

  /** What became of orders; all that are open are looked at now and then, for those nobody told of. */
  async #settle(): Promise<void> {
    const { database, clock } = this.#deps.trading;
    const orders = this.#settled.splice(0);
    try {
      const nowMs = clock.nowMs();
      let known: Trigger[] = [];
      if (orders.length > 0) {
        known = await loadOfOrders(
          database,
          orders.map(({ id }) => id),
        );
      }
      let elsewhere: { bookId: string; mint: Address }[] = [];
      if (nowMs - this.#settledAtMs >= SETTLE_MS) {
        known = await loadUnderWay(database, PAGE);
        elsewhere = await loadTradedSince(database, new Date(this.#settledAtMs - CLOCKS_APART_MS));
        this.#settledAtMs = nowMs;
      }
      if (known.length > 0) await settleTriggers(this.#deps, known);
      await reopenDropped(this.#deps, orders);
      const filled = [...elsewhere, ...orders.filter(({ filledOut }) => filledOut !== null)];
      if (filled.length > 0) await followPositions(this.#deps, filled);
    } catch (error) {
      this.#settled.unshift(...orders);
      throw error;
    }
  }
}
