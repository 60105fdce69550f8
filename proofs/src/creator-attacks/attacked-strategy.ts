import type { Address } from '@hunter/domain/address';
import { allocateRound } from '@hunter/domain/copying/allocation';
import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { basisPoints, minimumAfterSlippage } from '@hunter/domain/numbers/basis-points';
import { BOUGHT_LATELY_MS, creatorWaitMs, mayFollowersBuy } from '@hunter/domain/copying/conflict-of-interest';
import type { CopySkipReason } from '@hunter/domain/copying/copy-skip';
import { refuseCoin, type CopyableCoin } from '@hunter/domain/copying/copyable-coin';
import { runUpOfClosedPurchase } from '@hunter/domain/copying/follow-protection';
import { decideGuard, type GuardReason } from '@hunter/domain/copying/follow-guard';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { joinLeft, planJoinRound, type PlannedBuy } from '@hunter/domain/copying/round-plan';
import { quotePool, spotPrice, type Ratio, type Side } from '@hunter/domain/market/swap-maths';
import { knownEquity, type Holdings } from '../../../apps/server/src/strategies/book-holdings.ts';
import { NETWORK_FEE_LAMPORTS } from '../../../apps/server/src/strategies/costs.ts';
import { spendableBesideFloat } from '../../../apps/server/src/strategies/copying/creator-float.ts';
import {
  followerOf,
  planBuys,
  type BuyCandidate,
  type BuyDecision,
} from '../../../apps/server/src/strategies/copying/plan-buys.ts';
import { costOfSale, decideSale } from '../../../apps/server/src/strategies/copying/plan-sales.ts';
import { DEFAULT_SETTINGS, settingsOf, type SettingsRow } from '../../../apps/server/src/strategies/follow-settings.ts';
import { aBook, HOUR_MS, type AttackMarket, type Book, type Coin } from './attack-market.ts';

/** Of a purchase in which followers take part, as `place-strategy-round.ts` has it. */
const COPY_SLIPPAGE_BPS_MAX = 200;
const DAY_MS = 24 * HOUR_MS;
const NOTHING_MOVED = { runUpLamports: 0n, paidLamports: 0n, boughtTokens: 0n, soldTokens: 0n, soldLamports: 0n };

export type Join = { atMs: number; mint: Address; amountIn: bigint };
type JoinPlan = Parameters<typeof joinLeft>[0];
/** From the first purchase of a coin until all of it is sold. */
type Trip = { isClosed: boolean };
type Use = {
  atMs: number;
  mint: Address;
  trip: Trip;
  cost: bigint;
  runUpLamports: bigint;
  paidLamports: bigint;
  boughtTokens: bigint;
  soldTokens: bigint;
  soldLamports: bigint;
};

export type AttackedFollow = SettingsRow & {
  readonly id: string;
  readonly book: Book;
  invested: bigint;
  status: 'active' | 'closed';
  used: Use[];
  readonly trips: Map<Address, Trip>;
  guard: { reason: GuardReason; sinceMs: number } | null;
};

export type Receipt = { side: Side; wanted: bigint; amountIn: bigint; reason: CopySkipReason | null };

export type RoundOptions = {
  slippageBps?: number;
  /** What somebody does between the plan and the swap. */
  between?: () => void;
  networkFee?: bigint;
};

/**
 * A strategy's wallet with its creator and followers, run by the rules and plans of the product: what may be bought, how much
 * each book takes part with, at which limit price, and how the fill is shared out.
 */
export class AttackedStrategy {
  readonly market: AttackMarket;
  readonly creator: Book;
  readonly follows: AttackedFollow[] = [];
  readonly receipts: Receipt[] = [];
  /** Pool fees and network costs that those beside the creator paid. */
  followersFees = 0n;
  readonly tier: 'new' | 'ranked' = 'new';
  /** Names of wallets one transfer away from the creator's, beside his own. */
  readonly linked = new Set<string>();
  /** Of all strategies of its creator. */
  readonly #joins: Join[];
  readonly #boughtAt = new Map<Address, number>();

  constructor(market: AttackMarket, capital: bigint, { joins = [] }: { joins?: Join[] } = {}) {
    this.market = market;
    this.creator = aBook(capital);
    this.#joins = joins;
  }

  follow(id: string, sol: bigint, settings: Partial<SettingsRow> = {}): AttackedFollow {
    const chosen = { ...DEFAULT_SETTINGS, ...settings };
    const follow: AttackedFollow = {
      id,
      book: aBook(sol),
      invested: sol,
      status: 'active',
      used: [],
      trips: new Map(),
      guard: null,
      ...chosen,
    };
    this.follows.push(follow);
    return follow;
  }

  /** The strategy itself, the creator's own wallet and those linked to it: their trades do not make the reference. */
  get #nearby(): ReadonlySet<string> {
    return new Set(['strategy', 'personal', ...this.linked]);
  }

  coin(mint: Address): CopyableCoin {
    const { market } = this;
    const { facts, bornMs, pool } = market.coins.get(mint)!;
    return {
      ...facts,
      ageMs: market.nowMs - bornMs,
      poolLamports: pool.solReserve,
      spot: spotPrice(pool),
      reference: market.referenceToBuy(mint, this.#nearby),
    };
  }

  /** The creator's own book, which may not sell into what his strategy has just bought. */
  personal(side: Side, mint: Address, amount: bigint): bigint | null {
    const waitMs = creatorWaitMs(this.#boughtAt.get(mint) ?? null, this.market.nowMs);
    return side === 'sell' && waitMs > 0 ? null : this.market.trade('personal', side, mint, amount);
  }

  buy(mint: Address, spend: bigint, options: RoundOptions = {}): boolean {
    const { market } = this;
    const coin = market.coins.get(mint)!;
    const decisions = this.planBuy(mint, spend);
    const parts = decisions.map((decision): bigint => (decision.kind === 'copy' ? decision.amountIn : 0n));
    const isCopied = parts.some((part) => part > 0n);
    const total = spend + parts.reduce((sum, part) => sum + part, 0n);
    const chosen = options.slippageBps ?? 5_000;
    const out = this.#swap(coin, 'buy', total, isCopied ? Math.min(chosen, COPY_SLIPPAGE_BPS_MAX) : chosen, options);
    if (out === null) {
      for (const [index, decision] of decisions.entries())
        this.#note('buy', this.#wanted(index, decision, spend), 0n, 'price-moved');
      const alone = isCopied ? market.swap(coin, 'strategy', 'buy', spend) : null;
      if (alone !== null) this.#settle(mint, 'buy', spend, alone, [{ book: this.creator, amountIn: spend }], options);
      return false;
    }
    const books = [{ book: this.creator, amountIn: spend }];
    for (const [index, decision] of decisions.entries()) {
      const follow = this.#open[index]!;
      if (decision.kind === 'copy') {
        books.push({ book: follow.book, amountIn: decision.amountIn });
        follow.used.push({
          atMs: market.nowMs,
          mint,
          trip: tripOf(follow, mint),
          cost: decision.costLamports,
          ...NOTHING_MOVED,
          runUpLamports: decision.runUpLamports,
        });
        this.#note('buy', decision.wantedLamports, decision.amountIn, decision.limitedBy);
      } else this.#note('buy', this.#wanted(index, decision, spend), 0n, decision.reason);
    }
    this.#settle(mint, 'buy', total, out, books, options);
    this.#boughtAt.set(mint, market.nowMs);
    return true;
  }

  planBuy(mint: Address, spend: bigint): BuyDecision[] {
    const { market } = this;
    const coin = this.coin(mint);
    const refusal = this.#whyNotCopied(mint, coin);
    return planBuys({
      candidates: this.#open.map((follow) => this.#candidate(follow, mint)),
      creator: {
        bookId: 'creator',
        tier: this.tier,
        spendLamports: lamports(spend),
        freeLamports: this.spendable(),
      },
      mint,
      coin,
      refusal,
      holdings: new Map<string, Holdings>([
        ['creator', holdingsOf(this.creator)],
        ...this.#open.map(({ id, book }): [string, Holdings] => [id, holdingsOf(book)]),
      ]),
      pools: market.pools(),
    });
  }

  /** As `why-not-copied.ts` asks books and chain. */
  #whyNotCopied(mint: Address, coin: CopyableCoin): CopySkipReason | null {
    const { market } = this;
    const purchases = market.purchases.filter((purchase) => purchase.mint === mint);
    const lately = purchases.filter(({ atMs, by }) => atMs > market.nowMs - BOUGHT_LATELY_MS && this.linked.has(by));
    const facts = {
      boughtAtMs: purchases.findLast(({ by }) => by === 'personal')?.atMs ?? null,
      nearbyLamports: lamports(lately.reduce((sum, { solIn }) => sum + solIn, 0n)),
    };
    return refuseCoin(coin) ?? (mayFollowersBuy(facts, market.nowMs) ? null : 'creator-traded');
  }

  spendable(): ReturnType<typeof spendableBesideFloat> {
    return spendableBesideFloat(holdingsOf(this.creator), 0n);
  }

  /** The creator sells so many percent of what he has, and everybody sells along. */
  sell(mint: Address, percent: bigint, options: RoundOptions = {}): boolean {
    const { market } = this;
    const coin = market.coins.get(mint)!;
    const held = this.creator.tokens.get(mint) ?? 0n;
    const sold = (held * percent) / 100n;
    if (sold === 0n) return false;
    const books = [{ book: this.creator, amountIn: sold }];
    const uses: (() => void)[] = [];
    for (const follow of this.#open) {
      const freeTokens = baseUnits(follow.book.tokens.get(mint) ?? 0n);
      const decision = decideSale(
        { followId: follow.id, userId: follow.id, bookId: follow.id, status: 'active', freeTokens },
        { soldTokens: baseUnits(sold), heldTokensBefore: baseUnits(held) },
      );
      if (decision.kind === 'skip') continue;
      const { amountIn } = decision;
      books.push({ book: follow.book, amountIn });
      const cost = costOfSale(amountIn, coin.pool);
      const trip = tripOf(follow, mint);
      uses.push(() => follow.used.push({ atMs: market.nowMs, mint, trip, cost, ...NOTHING_MOVED }));
    }
    const total = books.reduce((sum, { amountIn }) => sum + amountIn, 0n);
    const out = this.#swap(coin, 'sell', total, options.slippageBps ?? 5_000, options);
    if (out === null) return false;
    for (const use of uses) use();
    this.#settle(mint, 'sell', total, out, books, options);
    return true;
  }

  /** What following by SOL count plans for a coin. */
  joinPlan(follow: AttackedFollow, mint: Address): JoinPlan {
    const equity = this.equity(this.creator);
    return {
      plannedLamports: lamports((follow.invested * (equity - this.creator.sol)) / equity),
      heldTokens: baseUnits(this.creator.tokens.get(mint) ?? 0n),
    };
  }

  /** One try of a follow to buy a coin that the creator holds, up to what it still wants of it. */
  join(follow: AttackedFollow, mint: Address, plan: JoinPlan, spentLamports: bigint): bigint {
    const { market } = this;
    const coin = this.coin(mint);
    const source = market.coins.get(mint)!;
    const left = joinLeft(plan, lamports(spentLamports), baseUnits(this.creator.tokens.get(mint) ?? 0n));
    if (this.#whyNotCopied(mint, coin) !== null || left === null) return 0n;
    const follower = followerOf(this.#candidate(follow, mint), holdingsOf(follow.book), mint, market.pools());
    const spendable = follower.spendableLamports - NETWORK_FEE_LAMPORTS;
    const [planned] = planJoinRound({
      coin: { ageMs: coin.ageMs, poolLamports: source.pool.solReserve },
      pool: source.pool,
      reference: coin.reference!,
      heldTokens: baseUnits(this.#heldTokens(mint)),
      joinedLamports: lamports(this.#joinedLately(mint)),
      networkFeeLamports: NETWORK_FEE_LAMPORTS,
      followers: [
        {
          ...follower,
          spendableLamports: lamports(spendable > 0n ? spendable : 0n),
          ...left,
        },
      ],
    });
    if (planned!.kind === 'skip') return 0n;
    const { amountIn, runUpLamports, costLamports: cost } = planned as Extract<PlannedBuy, { kind: 'copy' }>;
    const out = this.#swap(source, 'buy', amountIn, COPY_SLIPPAGE_BPS_MAX, {});
    if (out === null) return 0n;
    follow.used.push({ atMs: market.nowMs, mint, trip: tripOf(follow, mint), cost, ...NOTHING_MOVED, runUpLamports });
    this.#joins.push({ atMs: market.nowMs, mint, amountIn });
    this.#settle(mint, 'buy', amountIn, out, [{ book: follow.book, amountIn }], {}, 'joins');
    return amountIn;
  }

  /** A follow leaves: everything it holds is sold for it alone. */
  leave(follow: AttackedFollow): void {
    for (const [mint, amountIn] of follow.book.tokens) {
      const coin = this.market.coins.get(mint)!;
      const out = amountIn === 0n ? null : this.market.swap(coin, 'strategy', 'sell', amountIn);
      if (out !== null) this.#settle(mint, 'sell', amountIn, out, [{ book: follow.book, amountIn }], {}, 'joins');
    }
    follow.status = 'closed';
  }

  /** Stop losses, asked every minute of the time that passes. */
  advance(ms: number): void {
    const { market } = this;
    for (let left = ms; left > 0; left -= 60_000) {
      market.advance(Math.min(left, 60_000));
      const holders = this.#open.filter(({ book }) => [...book.tokens.values()].some((tokens) => tokens > 0n));
      if (holders.length === 0) continue;
      const references = new Map<Address, Ratio | null>();
      for (const mint of market.coins.keys()) references.set(mint, market.reference(mint, this.#nearby));
      for (const follow of holders) if (this.#isStopped(follow, references)) this.leave(follow);
    }
  }

  #isStopped(follow: AttackedFollow, references: ReadonlyMap<Address, Ratio | null>): boolean {
    const { stopLoss, takeProfit } = settingsOf(follow);
    let reference: bigint | null = follow.book.sol;
    for (const [mint, tokens] of follow.book.tokens) {
      const price = references.get(mint)!;
      reference =
        price === null || reference === null ? null : reference + (tokens * price.numerator) / price.denominator;
    }
    const decision = decideGuard(
      {
        stopLoss,
        takeProfit,
        investedLamports: lamports(follow.invested),
        returnedLamports: lamports(0n),
        liquidationLamports: this.equity(follow.book),
        referenceLamports: reference === null ? null : lamports(reference),
        reached: follow.guard,
      },
      this.market.nowMs,
    );
    follow.guard = decision.kind === 'waiting' ? decision : null;
    return decision.kind === 'close';
  }

  equity(book: Book): ReturnType<typeof knownEquity> {
    return knownEquity(holdingsOf(book), this.market.pools());
  }

  /** Everybody sells all together, as at the end of a strategy. */
  end(): void {
    for (const mint of this.market.coins.keys()) {
      const books = [this.creator, ...this.#open.map(({ book }) => book)].flatMap((book) => {
        const amountIn = book.tokens.get(mint) ?? 0n;
        return amountIn === 0n ? [] : [{ book, amountIn }];
      });
      const total = books.reduce((sum, { amountIn }) => sum + amountIn, 0n);
      const out = this.market.swap(this.market.coins.get(mint)!, 'strategy', 'sell', total);
      if (out !== null) this.#settle(mint, 'sell', total, out, books, {}, 'joins');
    }
  }

  get #open(): AttackedFollow[] {
    return this.follows.filter(({ status }) => status === 'active');
  }

  #joinedLately(mint: Address): bigint {
    const isLately = (join: Join): boolean => join.mint === mint && join.atMs > this.market.nowMs - HOUR_MS;
    return this.#joins.reduce((sum, join) => sum + (isLately(join) ? join.amountIn : 0n), 0n);
  }

  #heldTokens(mint: Address): bigint {
    return [this.creator, ...this.#open.map(({ book }) => book)].reduce(
      (sum, book) => sum + (book.tokens.get(mint) ?? 0n),
      0n,
    );
  }

  #candidate(follow: AttackedFollow, mint: Address): BuyCandidate {
    const { nowMs } = this.market;
    follow.used = follow.used.filter(({ atMs }) => atMs > nowMs - DAY_MS);
    const sum = (pick: (use: Use) => bigint): Lamports =>
      lamports(follow.used.reduce((total, use) => total + pick(use), 0n));
    const runUpOf = (use: Use) => (use.trip.isClosed ? runUpOfClosedPurchase(use) : use.runUpLamports);
    const runUp = (counts: (of: Address) => boolean): Lamports => sum((use) => (counts(use.mint) ? runUpOf(use) : 0n));
    return {
      ...follow,
      followId: follow.id,
      userId: follow.id,
      bookId: follow.id,
      mode: 'sol',
      status: 'active',
      paused: false,
      multiplierBps: 10_000,
      runUpUsed: runUp((of) => of === mint),
      runUpUsedTotal: runUp(() => true),
      costHour: sum((use) => (use.atMs > nowMs - HOUR_MS ? use.cost : 0n)),
      costDay: sum(({ cost }) => cost),
    };
  }

  #swap(coin: Coin, side: Side, amountIn: bigint, slippageBps: number, { between }: RoundOptions): bigint | null {
    const quote =
      side === 'buy'
        ? quotePool(coin.pool, 'buy', lamports(amountIn))
        : quotePool(coin.pool, 'sell', baseUnits(amountIn));
    between?.();
    if (quote.kind === 'refused') return null;
    const minOut = minimumAfterSlippage(quote.amountOut, basisPoints(slippageBps));
    return this.market.swap(coin, 'strategy', side, amountIn, minOut);
  }

  /** The creator's part comes first, except where those who join or leave share everything. */
  #settle(
    mint: Address,
    side: Side,
    amountIn: bigint,
    amountOut: bigint,
    books: readonly { book: Book; amountIn: bigint }[],
    { networkFee = NETWORK_FEE_LAMPORTS }: RoundOptions,
    who: 'creator' | 'joins' = 'creator',
  ): void {
    const parts = {
      amountsIn: books.map((part) => part.amountIn),
      creator: who === 'creator' ? 0 : null,
      tieKeys: () => [...books.keys()],
    };
    const shares = allocateRound(parts, {
      side,
      amountIn: lamports(amountIn),
      amountOut: baseUnits(amountOut),
      feeLamports: lamports(networkFee),
    });
    for (const [index, share] of shares.entries()) {
      const { book } = books[index]!;
      const held = book.tokens.get(mint) ?? 0n;
      const gained = (side === 'buy' ? -share.amountIn : share.amountOut) - share.feeLamports;
      const left = side === 'buy' ? held + share.amountOut : held - share.amountIn;
      book.sol += gained;
      book.tokens.set(mint, left);
      const follow = this.follows.find((each) => each.book === book);
      if (follow) settleTrip(follow, mint, side, share, left);
      if (book !== this.creator) {
        const moved = side === 'buy' ? share.amountIn : share.amountOut;
        this.followersFees += share.feeLamports + (moved * this.market.coins.get(mint)!.pool.feeBps) / 10_000n;
      }
      if (book.sol < 0n) throw new Error(`a book of ${books.length} went below zero`);
    }
  }

  /** Where the coin was refused before anybody asked how much: the same part of the whole as the creator spends. */
  #wanted(index: number, { wantedLamports }: BuyDecision, spend: bigint): bigint {
    const equity = this.equity(this.creator);
    return wantedLamports ?? (equity === 0n ? 0n : (this.equity(this.#open[index]!.book) * spend) / equity);
  }

  #note(side: Side, wanted: bigint, amountIn: bigint, reason: CopySkipReason | null): void {
    this.receipts.push({ side, wanted, amountIn, reason });
  }
}

function tripOf({ trips }: AttackedFollow, mint: Address): Trip {
  const trip = trips.get(mint) ?? { isClosed: false };
  trips.set(mint, trip);
  return trip;
}

function settleTrip(
  follow: AttackedFollow,
  mint: Address,
  side: Side,
  { amountIn, amountOut }: { amountIn: bigint; amountOut: bigint },
  left: bigint,
): void {
  const trip = tripOf(follow, mint);
  if (side === 'buy') Object.assign(follow.used.at(-1)!, { paidLamports: amountIn, boughtTokens: amountOut });
  for (const use of side === 'buy' ? [] : follow.used) {
    if (use.trip !== trip) continue;
    use.soldTokens += amountIn;
    use.soldLamports += amountOut;
  }
  if (left > 0n) return;
  trip.isClosed = true;
  follow.trips.delete(mint);
}

function holdingsOf(book: Book): Holdings {
  const free = lamports(book.sol);
  const tokens = new Map<Address, BaseUnits>();
  for (const [mint, amount] of book.tokens) if (amount > 0n) tokens.set(mint, baseUnits(amount));
  return { freeLamports: free, lamports: free, rentLamports: lamports(0n), tokens };
}
