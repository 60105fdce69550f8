// The record that ranks strategies. Fills are judged once, ten minutes after they happened: then the market has told what others paid
// around them, and the creator's other books have had their time to trade. Everything is found by what is missing in the database,
// and each step is done once, so it makes no difference when a process dies.

import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import { basisPoints } from '@hunter/domain/numbers/basis-points';
import { CREATOR_APART_MS } from '@hunter/domain/copying/conflict-of-interest';
import { refuseCoin } from '@hunter/domain/copying/copyable-coin';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { offMarketReason, worseLamports } from '@hunter/domain/record/off-market';
import {
  countTrip,
  OPEN_COUNTS_MS,
  recordTripAfter,
  type RecordFill,
  type RecordTrip,
} from '@hunter/domain/record/record-trip';
import { larger, smaller } from '@hunter/domain/numbers/rounding';
import { worthAt, type Pool, type Side } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import { loadOtherTradeAt } from '../../ledger/other-trades.ts';
import type { PastPrices } from '../../market/reference-prices.ts';
import { loadOnce } from '../../platform/load-once.ts';
import { holdingValue, type Pools } from '../book-holdings.ts';
import { inPool, loadLinkedWallets } from '../copying/load-copyable-coin.ts';
import type { CoinFacts, Strategies } from '../strategies.ts';
import { loadTripsToMark, lockOpenTrips, saveMarks, saveTrip, type StoredTrip, type TripMark } from './record-trips.ts';
import { loadStaleCreators, scoreCreators } from './score-creators.ts';

export type RecordDeps = Pick<Strategies, 'database' | 'pools' | 'coinFacts' | 'referencePrice' | 'clock'> & {
  /** Null while the market does not know the minutes after that moment yet. */
  pricesAt: (mint: Address, linked: ReadonlySet<string>, atMs: number) => Promise<PastPrices | null>;
};

/** The creator's other books may trade until then, and what others pay is known by then. */
const JUDGED_AFTER_MS = CREATOR_APART_MS;
const MARK_EVERY_MS = 15 * 60_000;
const SCORE_EVERY_MS = 15 * 60_000;
const BATCH = 200;
/** Where the venue does not tell a pool's fee. */
const POOL_FEE_MIN_BPS = 25n;

/** One look at what is due: fills to judge, open trips to mark, creators to score. */
export async function keepRecord(deps: RecordDeps): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const pass = new Pass(deps);
  const changed = new Set([...(await judgeFills(pass, nowMs)), ...(await markOpenTrips(pass, nowMs))]);
  const stale = await loadStaleCreators(deps.database, new Date(nowMs - SCORE_EVERY_MS), BATCH);
  await scoreCreators(deps.database, [...new Set([...changed, ...stale])], nowMs);
}

/** What one look at everything asks for again and again is read once. */
class Pass {
  readonly deps: RecordDeps;
  readonly #linked = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #facts = new Map<string, Promise<CoinFacts>>();

  constructor(deps: RecordDeps) {
    this.deps = deps;
  }

  /** Whose trades do not make the reference price of a strategy's coins. */
  linkedOf(strategyId: string): Promise<ReadonlySet<string>> {
    return loadOnce(
      this.#linked,
      strategyId,
      async () => (await loadLinkedWallets(this.deps.database, strategyId)).linked,
    );
  }

  factsOf(mint: Address): Promise<CoinFacts> {
    return loadOnce(this.#facts, mint, () => this.deps.coinFacts(mint));
  }
}

type EventRow = {
  id: bigint;
  strategyId: string;
  userId: string;
  bookId: string;
  kind: 'trade' | 'flow';
  side: Side | 'in' | 'out';
  mint: Address;
  tokens: BaseUnits | null;
  lamports: Lamports;
  feeLamports: Lamports;
  at: Date;
  equityBefore: Lamports;
};

type Judged = { event: EventRow; fill: RecordFill };

async function judgeFills(pass: Pass, nowMs: number): Promise<string[]> {
  const { deps } = pass;
  const events = await deps.database.query<EventRow>(
    `select e.id, e.strategy_id as "strategyId", s.user_id as "userId", s.book_id as "bookId", e.kind, e.side, e.mint,
       e.tokens, e.lamports, e.fee_lamports as "feeLamports", e.at,
       coalesce((select p.equity_lamports from nav_point p where p.strategy_id = e.strategy_id and p.at < e.at
         order by p.at desc, p.id desc limit 1), s.capital_lamports) as "equityBefore"
     from strategy_event e join strategy s on s.id = e.strategy_id
     where e.judged_at is null and e.mint is not null and e.at <= $1 order by e.at, e.id limit ${BATCH}`,
    [new Date(nowMs - JUDGED_AFTER_MS)],
  );
  const pools = await deps.pools.load(events.map(({ mint }) => mint));
  const judged: Judged[] = [];
  for (const event of events) {
    const fill = await judge(pass, event, pools.get(event.mint));
    // The market is behind, for this fill and for all later ones.
    if (fill === null) break;
    judged.push({ event, fill });
  }
  for (const ofStrategy of Map.groupBy(judged, ({ event }) => event.strategyId).values()) {
    await take(deps, ofStrategy, nowMs);
  }
  return judged.map(({ event }) => event.userId);
}

async function judge(pass: Pass, event: EventRow, pool: Pool | undefined): Promise<RecordFill | null> {
  const { deps } = pass;
  const { strategyId, userId, bookId, mint, at } = event;
  const atMs = at.getTime();
  const [facts, known] = await Promise.all([
    pass.factsOf(mint),
    pass.linkedOf(strategyId).then((linked) => deps.pricesAt(mint, linked, atMs)),
  ]);
  if (known === null) return null;
  const coin = { ...facts, reference: known.reference, ...inPool(pool) };
  const otherTrade = await loadOtherTradeAt(deps.database, { userId, bookId, mint, at, withinMs: CREATOR_APART_MS });
  const tokens = event.tokens ?? (0n as BaseUnits);
  const side = event.side === 'buy' ? 'buy' : 'sell';
  const isTrade = event.kind === 'trade' && tokens > 0n;
  return {
    kind: isTrade ? side : event.kind === 'flow' ? 'left-in-kind' : 'failed',
    atMs,
    tokens,
    lamports: worseLamports(side, tokens, event.lamports, known.around),
    feeLamports: event.feeLamports,
    equityBeforeLamports: event.equityBefore,
    poolLamports: pool?.solReserve ?? lamports(0n),
    poolFee: basisPoints(larger(pool?.feeBps ?? 0n, POOL_FEE_MIN_BPS)),
    offMarket: isTrade
      ? offMarketReason({
          side,
          tokens,
          lamports: event.lamports,
          atMs,
          ownTradeAtMs: otherTrade?.getTime() ?? null,
          reference: known.reference,
          isCopyable: refuseCoin(coin) === null,
        })
      : null,
  };
}

/** Takes the judged fills of a strategy into their trips, each once. */
async function take(deps: RecordDeps, judged: readonly Judged[], nowMs: number): Promise<void> {
  const { strategyId, userId } = judged[0]!.event;
  await deps.database.transaction(async (sql) => {
    const first = await sql.write<{ id: bigint }>(
      `update strategy_event set judged_at = $2 where id = any($1::bigint[]) and judged_at is null returning id`,
      [judged.map(({ event }) => event.id), new Date(nowMs)],
    );
    const isFirst = new Set(first.map(({ id }) => id));
    const taken = Map.groupBy(
      judged.filter(({ event }) => isFirst.has(event.id)),
      ({ event }) => event.mint,
    );
    const open = await lockOpenTrips(sql, strategyId, [...taken.keys()]);
    for (const [mint, fills] of taken) {
      let { id = null, trip = null }: { id?: bigint | null; trip?: RecordTrip | null } = open.get(mint) ?? {};
      for (const { fill } of fills) {
        trip = recordTripAfter(trip, fill);
        if (trip === null || trip.closedAtMs === null) continue;
        await saveTrip(sql, { id, strategyId, userId, mint, trip }, countTrip(trip, null, nowMs));
        [id, trip] = [null, null];
      }
      // An open one begins to count with its mark.
      if (trip !== null) await saveTrip(sql, { id, strategyId, userId, mint, trip }, null);
    }
  });
}

async function markOpenTrips(pass: Pass, nowMs: number): Promise<string[]> {
  const { database, pools: source } = pass.deps;
  const [openedBefore, markedBefore] = [new Date(nowMs - OPEN_COUNTS_MS), new Date(nowMs - MARK_EVERY_MS)];
  const trips = await loadTripsToMark(database, openedBefore, markedBefore, BATCH);
  const pools = await source.load(trips.map(({ mint }) => mint));
  const marks: TripMark[] = [];
  for (const stored of trips) {
    const value = await markOf(pass, stored, pools);
    const mark = value === null ? null : { lamports: value, counted: countTrip(stored.trip, value, nowMs) };
    marks.push({ id: stored.id, mark });
  }
  await saveMarks(database, marks, new Date(nowMs));
  return trips.map(({ userId }) => userId);
}

/** The lower of liquidation and reference value; null where one of them is unknown. */
async function markOf(pass: Pass, { strategyId, mint, trip }: StoredTrip, pools: Pools): Promise<Lamports | null> {
  const liquidation = holdingValue(pools, mint, trip.heldTokens);
  if (liquidation === null) return null;
  const reference = await pass.deps.referencePrice(mint, await pass.linkedOf(strategyId));
  if (reference === null) return null;
  return smaller(liquidation, worthAt(trip.heldTokens, reference));
}
