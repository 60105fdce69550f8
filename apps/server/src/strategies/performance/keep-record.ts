// The record that ranks strategies. Fills are judged once, ten minutes after they happened: then the market has told what others paid
// around them, and the creator's other books have had their time to trade. Everything is found by what is missing in the database,
// and each step is done once, so it makes no difference when a process dies.

import type { BaseUnits } from '@hunter/domain/base-units';
import { basisPoints } from '@hunter/domain/basis-points';
import { CREATOR_APART_MS } from '@hunter/domain/conflict-of-interest';
import { refuseCoin } from '@hunter/domain/copyable-coin';
import { lamports, type Lamports } from '@hunter/domain/lamports';
import { offMarketReason, worseLamports } from '@hunter/domain/off-market';
import { countTrip, OPEN_COUNTS_MS, recordTripAfter, type RecordFill } from '@hunter/domain/record-trip';
import { divFloor, larger, smaller } from '@hunter/domain/rounding';
import type { Pool, Side } from '@hunter/domain/swap-maths';
import { loadOtherTradeAt } from '../../ledger/other-trades.ts';
import type { PastPrices } from '../../market/reference-prices.ts';
import { holdingValue, type Pools } from '../book-holdings.ts';
import { loadCopyableCoin } from '../copying/load-copyable-coin.ts';
import type { Strategies } from '../strategies.ts';
import { loadTripsToMark, lockOpenTrip, saveMark, saveTrip, type StoredTrip } from './record-trips.ts';
import { loadStaleCreators, scoreCreators } from './score-creators.ts';

export type RecordDeps = Pick<Strategies, 'database' | 'pools' | 'coinFacts' | 'clock'> & {
  /** Null while the market does not know the minutes after that moment yet. */
  pricesAt: (mint: string, linked: ReadonlySet<string>, atMs: number) => Promise<PastPrices | null>;
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
  const changed = new Set([...(await judgeFills(deps, nowMs)), ...(await markOpenTrips(deps, nowMs))]);
  const stale = await loadStaleCreators(deps.database, new Date(nowMs - SCORE_EVERY_MS), BATCH);
  await scoreCreators(deps.database, [...new Set([...changed, ...stale])], nowMs);
}

type EventRow = {
  id: bigint;
  strategyId: string;
  userId: string;
  bookId: string;
  kind: 'trade' | 'flow';
  side: Side | 'in' | 'out';
  mint: string;
  tokens: BaseUnits | null;
  lamports: Lamports;
  feeLamports: Lamports;
  at: Date;
  equityBefore: Lamports;
};

async function judgeFills(deps: RecordDeps, nowMs: number): Promise<string[]> {
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
  const changed: string[] = [];
  for (const event of events) {
    const fill = await judge(deps, event, pools.get(event.mint));
    // The market is behind, for this fill and for all later ones.
    if (fill === null) break;
    await take(deps, event, fill, nowMs);
    changed.push(event.userId);
  }
  return changed;
}

async function judge(deps: RecordDeps, event: EventRow, pool: Pool | undefined): Promise<RecordFill | null> {
  const { strategyId, userId, bookId, mint, at } = event;
  const atMs = at.getTime();
  let prices: PastPrices | null = null;
  const coinFacts: Strategies['coinFacts'] = async (asked, linked) => {
    const [facts, past] = await Promise.all([deps.coinFacts(asked, linked), deps.pricesAt(asked, linked, atMs)]);
    prices = past;
    return { ...facts, reference: past?.reference ?? null };
  };
  const coin = await loadCopyableCoin({ database: deps.database, coinFacts }, strategyId, mint, pool);
  const known = prices as PastPrices | null;
  if (known === null) return null;
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

/** Takes a judged fill into its trip, once. */
async function take(deps: RecordDeps, event: EventRow, fill: RecordFill, nowMs: number): Promise<void> {
  const { strategyId, userId, mint } = event;
  await deps.database.transaction(async (sql) => {
    const first = await sql.query(
      `update strategy_event set judged_at = $2 where id = $1 and judged_at is null returning 1 as one`,
      [event.id, new Date(nowMs)],
    );
    if (first.length === 0) return;
    const open = await lockOpenTrip(sql, strategyId, mint);
    const trip = recordTripAfter(open?.trip ?? null, fill);
    if (trip === null) return;
    // An open one begins to count with its mark.
    const counted = trip.closedAtMs === null ? null : countTrip(trip, null, nowMs);
    await saveTrip(sql, { id: open?.id ?? null, strategyId, userId, mint, trip }, counted);
  });
}

async function markOpenTrips(deps: RecordDeps, nowMs: number): Promise<string[]> {
  const { database } = deps;
  const [openedBefore, markedBefore] = [new Date(nowMs - OPEN_COUNTS_MS), new Date(nowMs - MARK_EVERY_MS)];
  const trips = await loadTripsToMark(database, openedBefore, markedBefore, BATCH);
  const pools = await deps.pools.load(trips.map(({ mint }) => mint));
  for (const stored of trips) {
    const value = await markOf(deps, stored, pools);
    const mark = value === null ? null : { lamports: value, counted: countTrip(stored.trip, value, nowMs) };
    await saveMark(database, stored.id, mark, new Date(nowMs));
  }
  return trips.map(({ userId }) => userId);
}

/** The lower of liquidation and reference value; null where one of them is unknown. */
async function markOf(
  deps: RecordDeps,
  { strategyId, mint, trip }: StoredTrip,
  pools: Pools,
): Promise<Lamports | null> {
  const liquidation = holdingValue(pools, mint, trip.heldTokens);
  if (liquidation === null) return null;
  const { reference } = await loadCopyableCoin(deps, strategyId, mint, pools.get(mint));
  if (reference === null) return null;
  return smaller(liquidation, lamports(divFloor(trip.heldTokens * reference.numerator, reference.denominator)));
}
