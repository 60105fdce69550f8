import type { Address } from '../address.ts';
import { followerFeeMax } from './allocation.ts';
import { baseUnits, type BaseUnits } from '../numbers/base-units.ts';
import { decideCopySale, type FollowMode } from './copying.ts';
import type { CopySkipReason } from './copy-skip.ts';
import { decideGuard, type GuardDecision, type GuardReason } from './follow-guard.ts';
import { runUpOfClosedPurchase, saleCost, type ClosedPurchase, type FollowSettings } from './follow-protection.ts';
import { lamports, type Lamports } from '../numbers/lamports.ts';
import { planBuyRound, type PlannedBuy } from './round-plan.ts';
import { divFloor, smaller } from '../numbers/rounding.ts';
import {
  liquidationValue,
  quotePool,
  spotPrice,
  unitsIn,
  type AmountIn,
  type AmountOut,
  type Pool,
  type Ratio,
  type Side,
} from '../market/swap-maths.ts';

// What a follow would have become, replayed over rounds that really took place. Every round is decided by the rules that decide
// for real follows; it fills at the real price, made worse by what the replayed part would have added to the swap.

export type SimulatedStart = {
  readonly atMs: number;
  readonly mode: FollowMode;
  readonly multiplierBps: bigint;
  readonly amountLamports: Lamports;
  readonly settings: FollowSettings;
  /** The first purchases, by SOL count only. */
  readonly purchases: readonly { readonly mint: Address; readonly spendLamports: Lamports }[];
  readonly networkFeeLamports: Lamports;
};

/** A round of the creator as it was planned and filled. */
export type SimulatedRound = {
  readonly atMs: number;
  readonly mint: Address;
  readonly side: Side;
  readonly creator: {
    readonly amountIn: AmountIn;
    /** Of what he paid with: his free SOL of a buy, his tokens of a sale. */
    readonly before: AmountIn;
    readonly equityLamports: Lamports;
  };
  /** Of everybody who took part. */
  readonly swapIn: AmountIn;
  readonly swapOut: AmountOut;
  readonly feeLamports: Lamports;
  readonly stakeFactor: bigint;
  /** As it was planned with; null where nobody knew it. */
  readonly pool: Pool | null;
  readonly reference: Ratio | null;
  readonly coinAgeMs: number;
  /** What all books held of the coin before. */
  readonly heldTokens: BaseUnits;
  /** Why no follower could buy it then. */
  readonly refusal: CopySkipReason | null;
};

/** The pools of the strategy's coins at one moment. */
export type PoolMark = { readonly atMs: number; readonly pools: ReadonlyMap<Address, Pool> };

export type SimulatedReceipt = {
  readonly atMs: number;
  readonly mint: Address;
  readonly side: Side;
  readonly amountIn: AmountIn;
  readonly amountOut: AmountOut;
  /** Of a copy the limit that made it smaller, of a skip why there was none. */
  readonly reason: CopySkipReason | null;
};

export type SimulatedFollow = {
  readonly points: readonly { readonly atMs: number; readonly equityLamports: Lamports }[];
  readonly receipts: readonly SimulatedReceipt[];
  readonly endedBy: { readonly reason: GuardReason; readonly atMs: number } | null;
  readonly freeLamports: Lamports;
  readonly tokens: ReadonlyMap<Address, BaseUnits>;
  /** Its part of the network's fees; the venue's are in the prices. */
  readonly networkFeesLamports: Lamports;
};

/** From the first purchase of a coin until all of it is sold. */
type Trip = { readonly openedAtMs: number; isClosed: boolean };
type BudgetUse = Omit<ClosedPurchase, 'soldTokens' | 'soldLamports'> & {
  readonly atMs: number;
  readonly mint: Address;
  readonly trip: Trip;
  readonly cost: Lamports;
  soldTokens: bigint;
  soldLamports: bigint;
};

type State = {
  cash: Lamports;
  fees: Lamports;
  readonly tokens: Map<Address, BaseUnits>;
  readonly pools: Map<Address, Pool>;
  readonly trips: Map<Address, Trip>;
  used: BudgetUse[];
  reached: { reason: GuardReason; sinceMs: number } | null;
};

const NOTHING = lamports(0n);
const NO_TOKENS = baseUnits(0n);
const NOT_BOUGHT = { runUpLamports: 0n, paidLamports: 0n, boughtTokens: 0n };
const NOT_SOLD = { soldTokens: 0n, soldLamports: 0n };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Rounds and marks each in the order of their time. A mark before the start gives the pools of the first purchases. */
export function simulateFollow(
  start: SimulatedStart,
  rounds: readonly SimulatedRound[],
  marks: readonly PoolMark[],
): SimulatedFollow {
  const state: State = {
    cash: start.amountLamports,
    fees: NOTHING,
    tokens: new Map(),
    pools: new Map(),
    trips: new Map(),
    used: [],
    reached: null,
  };
  const receipts: SimulatedReceipt[] = [];
  const points: { atMs: number; equityLamports: Lamports }[] = [];
  let endedBy: SimulatedFollow['endedBy'] = null;
  const first = marks.findLastIndex(({ atMs }) => atMs <= start.atMs);
  for (const [mint, pool] of marks[Math.max(0, first)]?.pools ?? []) state.pools.set(mint, pool);
  for (const { mint, spendLamports } of start.purchases) join(state, start, mint, spendLamports);
  points.push({ atMs: start.atMs, equityLamports: equityOf(state) });
  let next = rounds.findIndex(({ atMs }) => atMs > start.atMs);
  if (next < 0) next = rounds.length;
  for (const mark of marks) {
    if (mark.atMs <= start.atMs) continue;
    const due = endedBy === null ? rounds.slice(next).filter(({ atMs }) => atMs <= mark.atMs) : [];
    for (const round of due) receipts.push(copyRound(state, start, round));
    next += due.length;
    for (const [mint, pool] of mark.pools) state.pools.set(mint, pool);
    const equityLamports = equityOf(state);
    points.push({ atMs: mark.atMs, equityLamports });
    if (endedBy !== null) continue;
    const decision = guard(state, start, equityLamports, mark.atMs);
    if (decision.kind === 'close') {
      endedBy = { reason: decision.reason, atMs: mark.atMs };
      state.cash = equityLamports;
      state.tokens.clear();
    }
  }
  return {
    points,
    receipts,
    endedBy,
    freeLamports: state.cash,
    tokens: state.tokens,
    networkFeesLamports: state.fees,
  };
}

function join(state: State, start: SimulatedStart, mint: Address, spend: Lamports): void {
  const pool = state.pools.get(mint);
  if (pool === undefined || spend + start.networkFeeLamports > state.cash) return;
  const quote = quotePool(pool, 'buy', spend);
  if (quote.kind === 'refused') return;
  state.cash = lamports(state.cash - spend - start.networkFeeLamports);
  state.fees = lamports(state.fees + start.networkFeeLamports);
  state.tokens.set(mint, quote.amountOut);
  tripOf(state, mint, start.atMs);
}

function tripOf({ trips }: State, mint: Address, atMs: number): Trip {
  const trip = trips.get(mint) ?? { openedAtMs: atMs, isClosed: false };
  trips.set(mint, trip);
  return trip;
}

function guard(state: State, { settings, amountLamports }: SimulatedStart, equity: Lamports, nowMs: number) {
  const decision: GuardDecision = decideGuard(
    {
      stopLoss: settings.stopLoss,
      takeProfit: settings.takeProfit,
      investedLamports: amountLamports,
      returnedLamports: NOTHING,
      liquidationLamports: equity,
      referenceLamports: equity,
      reached: state.reached,
    },
    nowMs,
  );
  state.reached = decision.kind === 'waiting' ? { reason: decision.reason, sinceMs: decision.sinceMs } : null;
  return decision;
}

function copyRound(state: State, start: SimulatedStart, round: SimulatedRound): SimulatedReceipt {
  if (round.pool !== null) state.pools.set(round.mint, round.pool);
  return round.side === 'buy' ? copyBuy(state, start, round) : copySale(state, start, round);
}

function copyBuy(state: State, start: SimulatedStart, round: SimulatedRound): SimulatedReceipt {
  const { atMs, mint, side } = round;
  const skip = (reason: CopySkipReason) => ({ atMs, mint, side, amountIn: NOTHING, amountOut: NO_TOKENS, reason });
  if (round.refusal !== null) return skip(round.refusal);
  if (round.pool === null || round.reference === null) return skip('no-reference-price');
  const buy = planBuy(state, start, round, round.pool, round.reference);
  if (buy.kind === 'skip') return skip(buy.reason);
  const { amountIn } = buy;
  const amountOut = baseUnits(outOf(round, round.pool, amountIn));
  const fee = feeOf(round, amountIn, amountIn);
  state.cash = lamports(state.cash - amountIn - fee);
  state.fees = lamports(state.fees + fee);
  state.tokens.set(mint, baseUnits((state.tokens.get(mint) ?? 0n) + amountOut));
  state.used.push({
    atMs,
    mint,
    trip: tripOf(state, mint, atMs),
    cost: buy.costLamports,
    runUpLamports: buy.runUpLamports,
    paidLamports: amountIn,
    boughtTokens: amountOut,
    ...NOT_SOLD,
  });
  return { atMs, mint, side, amountIn, amountOut, reason: buy.limitedBy };
}

function planBuy(state: State, start: SimulatedStart, round: SimulatedRound, pool: Pool, reference: Ratio): PlannedBuy {
  const { atMs, mint, creator } = round;
  state.used = state.used.filter((use) => use.atMs > atMs - DAY_MS);
  const sum = (pick: (use: BudgetUse) => bigint) => lamports(state.used.reduce((total, use) => total + pick(use), 0n));
  const held = state.tokens.get(mint) ?? baseUnits(0n);
  const [planned] = planBuyRound({
    creator: {
      spendLamports: lamports(creator.amountIn),
      freeLamports: lamports(creator.before),
      equityLamports: creator.equityLamports,
    },
    othersLamports: lamports(round.swapIn - creator.amountIn),
    stakeFactor: round.stakeFactor,
    coin: { ageMs: round.coinAgeMs, poolLamports: pool.solReserve },
    pool,
    reference,
    heldTokens: baseUnits(round.heldTokens + held),
    networkFeeLamports: start.networkFeeLamports,
    followers: [
      {
        followId: 'simulated',
        mode: start.mode,
        multiplierBps: start.multiplierBps,
        freeLamports: state.cash,
        spendableLamports: lamports(state.cash - followerFeeMax(state.cash)),
        settings: start.settings,
        state: {
          equityLamports: equityOf(state),
          coinLamports: liquidationValue(pool, held),
          runUpUsedLamports: runUpOf(
            state.used.filter((use) => use.mint === mint),
            atMs,
          ),
          runUpUsedTotalLamports: runUpOf(state.used, atMs),
          costHourLamports: sum((use) => (use.atMs > atMs - HOUR_MS ? use.cost : 0n)),
          costDayLamports: sum((use) => use.cost),
        },
      },
    ],
  });
  return planned!;
}

/** As it is loaded for real follows: of trips that began within the day and closed, purchases count with what they lost. */
function runUpOf(uses: readonly BudgetUse[], nowMs: number): Lamports {
  let counted = 0n;
  for (const use of uses) {
    const { isClosed, openedAtMs } = use.trip;
    counted += isClosed && openedAtMs > nowMs - DAY_MS ? runUpOfClosedPurchase(use) : use.runUpLamports;
  }
  return lamports(counted);
}

function copySale(state: State, start: SimulatedStart, round: SimulatedRound): SimulatedReceipt {
  const { atMs, mint, side, creator } = round;
  const held = state.tokens.get(mint) ?? baseUnits(0n);
  const sale = decideCopySale({
    ownHeldTokens: held,
    creatorSoldTokens: baseUnits(creator.amountIn),
    creatorHeldTokensBefore: baseUnits(creator.before),
  });
  if (sale.kind === 'skip') return { atMs, mint, side, amountIn: NO_TOKENS, amountOut: NOTHING, reason: sale.reason };
  const { amountIn } = sale;
  const amountOut = lamports(outOf(round, round.pool, amountIn));
  const fee = feeOf(round, amountIn, amountOut);
  state.cash = lamports(state.cash + amountOut - fee);
  state.fees = lamports(state.fees + fee);
  const trip = tripOf(state, mint, atMs);
  for (const use of state.used) {
    if (use.trip !== trip) continue;
    use.soldTokens += amountIn;
    use.soldLamports += amountOut;
  }
  if (amountIn === held) {
    trip.isClosed = true;
    state.tokens.delete(mint);
    state.trips.delete(mint);
  } else state.tokens.set(mint, baseUnits(held - amountIn));
  if (round.pool !== null) {
    const cost = saleCost(amountIn, round.pool, start.networkFeeLamports);
    state.used.push({ atMs, mint, trip, cost, ...NOT_BOUGHT, ...NOT_SOLD });
  }
  return { atMs, mint, side, amountIn, amountOut, reason: null };
}

/** The part of the swap that it would have got, had it been put in beside the others: all prices fall by what it adds. */
function outOf(round: SimulatedRound, pool: Pool | null, amountIn: AmountIn): bigint {
  const { side, swapIn, swapOut } = round;
  const atPrice = divFloor(amountIn * swapOut, swapIn);
  if (pool === null) return atPrice;
  const without = quotePool(pool, side, swapIn);
  const together = quotePool(pool, side, unitsIn(side, swapIn + amountIn));
  if (without.kind === 'refused' || together.kind === 'refused') return atPrice;
  const worse = divFloor(atPrice * together.amountOut * swapIn, without.amountOut * (swapIn + amountIn));
  return smaller(atPrice, worse);
}

/** Network costs are shared by what each puts in, up to a bound of what a follower moves. */
function feeOf({ feeLamports, swapIn }: SimulatedRound, amountIn: AmountIn, moved: Lamports): Lamports {
  return smaller(lamports(divFloor(feeLamports * amountIn, swapIn + amountIn)), followerFeeMax(moved));
}

function equityOf({ cash, tokens, pools }: State): Lamports {
  let equity: bigint = cash;
  // Nothing is bought without a pool, so every holding has one.
  for (const [mint, amount] of tokens) equity += liquidationValue(pools.get(mint)!, amount);
  return lamports(equity);
}

/** For the strategy's weights at a past moment: what each holding was worth in the pools of then. */
export function valuedHoldings(
  tokens: ReadonlyMap<Address, BaseUnits>,
  pools: ReadonlyMap<Address, Pool>,
): { mint: Address; liquidationLamports: Lamports; spot: Ratio }[] {
  return [...tokens].flatMap(([mint, amount]) => {
    const pool = pools.get(mint);
    if (pool === undefined || amount === 0n) return [];
    return [{ mint, liquidationLamports: liquidationValue(pool, amount), spot: spotPrice(pool) }];
  });
}
