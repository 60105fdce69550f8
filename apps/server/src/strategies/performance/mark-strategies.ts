import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { addFollowSums, followSumsOf, type FollowSums } from '@hunter/domain/record/creator-score';
import { medianFollowerReturn } from '@hunter/domain/record/follower-return';
import { decideCreatorBuy } from '@hunter/domain/market/notice';
import { printRatePercent, type Rate } from '@hunter/domain/numbers/rate';
import type { Address } from '@hunter/solana/address';
import { countRoundTrips, loadUnsoldTrips, type TripCount } from '../../ledger/positions.ts';
import type { Sql } from '../../platform/postgres.ts';
import { columnsOf } from '../../platform/columns-of.ts';
import { loadOpenOrders } from '../../trading/open-orders.ts';
import { equityOf, isEmpty, loadHoldings, mintsOf, type Holdings, type Pools } from '../book-holdings.ts';
import { countAtLoss } from './count-at-loss.ts';
import type { Tier } from '@hunter/domain/record/ranking';
import type { Strategies } from '../strategies.ts';
import type { StrategyStatus } from '../strategy-store.ts';
import { savePoolMarks } from '../simulator/pool-marks.ts';
import { weightsOf } from './coin-weights.ts';
import { lamportMsOf, loadFollows, type Follows, type OpenFollow } from './follow-results.ts';
import { performanceAfter, performanceOf, yieldOf, type Performance, type PerformanceRow } from './performance.ts';
import { insertEvents, type NewEvent } from './record-events.ts';
import type { LastMark } from './strategy-marks.ts';

const CHUNK = 200;
const TREND_POINTS = 48;

/** A fill or a flow always becomes a point of the chart; between them one point a minute is enough. */
type Occasion = 'event' | 'routine';

type StrategyRow = PerformanceRow & { id: string; bookId: string; status: StrategyStatus; tier: Tier };

type Mark = {
  id: string;
  performance: Performance;
  equity: Lamports;
  trips: TripCount | undefined;
  unsoldAtLoss: number;
  followers: number;
  copyFunds: bigint;
  followerReturn: Rate | null;
  followerSample: number;
  followSums: FollowSums;
  coins: { mint: Address; weight: string }[];
};

/** An order that takes longer hangs somewhere, and its strategy is valued all the same. */
const TRADING_MS = 10_000;

/**
 * Values strategies at this moment and writes what the lists and charts show, for many strategies in a handful of statements. It
 * also takes fills into the public record. A strategy keeps its last mark where its coins cannot all be priced, while its capital is
 * on its way, and while it trades: pools and books would be of different moments then. It is marked with one of the next passes.
 */
export async function markStrategies(
  deps: Strategies,
  ids: readonly string[],
  occasion: Occasion = 'event',
): Promise<void> {
  for (let start = 0; start < ids.length; start += CHUNK) {
    await markChunk(deps, ids.slice(start, start + CHUNK), occasion);
  }
}

async function markChunk(deps: Strategies, ids: readonly string[], occasion: Occasion): Promise<void> {
  const { database, clock } = deps;
  const books = await database.query<{ bookId: string }>(
    `select book_id as "bookId" from strategy where id = any($1::uuid[])
     union all select book_id from follow where strategy_id = any($1::uuid[]) and status <> 'closed'`,
    [ids],
  );
  const before = await loadHoldings(
    database,
    books.map((row) => row.bookId),
  );
  // Asked outside of the transaction: nobody waits for a lock while the venue answers.
  const pools = await deps.pools.load(mintsOf(before.values()));
  const seen = new Map<string, LastMark>();
  const bought = await database.transaction(async (sql) => {
    const strategies = await lockStats(sql, ids);
    const now = new Date(clock.nowMs());
    const follows = await loadFollows(sql, ids, now, (id) => deps.marks.followsOf(id, now.getTime()));
    const open = [...follows.values()].flatMap((own) => own.open);
    const holdings = await loadHoldings(
      sql,
      [...strategies, ...open].map((row) => row.bookId),
    );
    const bookIds = strategies.map(({ bookId }) => bookId);
    const trading = await loadTrading(sql, bookIds, clock.nowMs());
    const trips = await countRoundTrips(sql, bookIds);
    const unsold = Map.groupBy(await loadUnsoldTrips(sql, bookIds), ({ bookId }) => bookId);
    const marks = strategies.flatMap((strategy) => {
      if (trading.has(strategy.bookId) || !holdsTheSame(before, holdings, strategy.bookId)) {
        // Whichever process looks after its lane: an order that ends without a fill would tell nobody to mark it again.
        deps.due.add(strategy.id);
        return [];
      }
      const mark = markOf(strategy, follows.get(strategy.id)!, holdings, trips, pools, now.getTime());
      return mark === null ? [] : { ...mark, unsoldAtLoss: countAtLoss(unsold.get(strategy.bookId) ?? [], pools) };
    });
    const isMarked = new Set(marks.map(({ id }) => id));
    for (const { id, bookId } of strategies) {
      const own = follows.get(id)!;
      const books = [bookId, ...own.open.map((follow) => follow.bookId)].map((each) => holdings.get(each)!);
      const mints = new Set(mintsOf(books));
      seen.set(id, { atMs: now.getTime(), follows: own, mints, isSkipped: !isMarked.has(id) });
    }
    await saveMarks(sql, marks, now, occasion);
    await savePoolMarks(sql, pools, now);
    const navs = new Map(marks.map((mark) => [mark.id, mark.performance.nav.nav]));
    const fresh = (await deps.loadUnrecorded(sql, [...navs.keys()])).map((event) => ({
      ...event,
      nav: navs.get(event.strategyId)!,
    }));
    await insertEvents(sql, fresh);
    // A record that is still short could be made up to sell a coin to those who read notices.
    const ranked = new Set(strategies.filter(({ tier }) => tier === 'ranked').map(({ id }) => id));
    return fresh.filter(({ strategyId, side, tokens }) => ranked.has(strategyId) && side === 'buy' && tokens !== null);
  });
  for (const [id, mark] of seen) deps.marks.marked(id, mark);
  await tellCreatorBuys(deps, bought);
}

function markOf(
  strategy: StrategyRow,
  { open, closed }: Follows,
  holdings: ReadonlyMap<string, Holdings>,
  trips: ReadonlyMap<string, TripCount>,
  pools: Pools,
  nowMs: number,
): Omit<Mark, 'unsoldAtLoss'> | null {
  const book = holdings.get(strategy.bookId)!;
  const equity = equityOf(book, pools);
  // Before its capital has arrived it is worth nothing, which is no loss.
  if (equity === null || (strategy.status === 'publishing' && isEmpty(book))) return null;
  let copyFunds = 0n;
  const outcomes = open.flatMap((follow) => {
    const own = holdings.get(follow.bookId)!;
    const left = equityOf(own, pools);
    if (left === null || (follow.status === 'opening' && isEmpty(own))) return [];
    if (isCopying(follow)) copyFunds += left;
    return [
      {
        depositedLamports: follow.amount,
        valueLamports: lamports(left + (follow.returned ?? 0n)),
        startedAtMs: follow.openedAt.getTime(),
        untilMs: nowMs,
        lamportMs: lamportMsOf(follow, nowMs),
      },
    ];
  });
  const { median, count } = medianFollowerReturn(outcomes, closed.returns);
  return {
    id: strategy.id,
    performance: performanceAfter(performanceOf(strategy), { kind: 'mark', equityLamports: equity }),
    equity,
    trips: trips.get(strategy.bookId),
    followers: open.filter(isCopying).length,
    copyFunds,
    followerReturn: median,
    followerSample: count,
    followSums: addFollowSums(closed.sums, followSumsOf(outcomes)),
    coins: weightsOf(book, pools, equity),
  };
}

function isCopying({ status }: OpenFollow): boolean {
  return status !== 'closing';
}

async function loadTrading(sql: Sql, bookIds: readonly string[], nowMs: number): Promise<Set<string>> {
  const orders = await loadOpenOrders(sql, bookIds);
  const recent = orders.filter(({ createdAt }) => createdAt.getTime() > nowMs - TRADING_MS);
  return new Set(recent.map(({ bookId }) => bookId));
}

type AllHoldings = ReadonlyMap<string, Holdings>;

function holdsTheSame(before: AllHoldings, after: AllHoldings, bookId: string): boolean {
  const [was, is] = [before.get(bookId)?.tokens, after.get(bookId)?.tokens];
  return was !== undefined && is?.size === was.size && [...is].every(([mint, tokens]) => was.get(mint) === tokens);
}

async function lockStats(sql: Sql, ids: readonly string[]): Promise<StrategyRow[]> {
  return sql.query<StrategyRow>(
    `select s.id, s.book_id as "bookId", s.status, t.tier, t.units, t.nav, t.peak, t.worst_peak as "worstPeak", t.worst_low as "worstLow"
     from strategy s join strategy_stats t on t.strategy_id = s.id
     where s.id = any($1::uuid[]) order by s.id for update of t`,
    [ids],
  );
}

async function saveMarks(sql: Sql, marks: readonly Mark[], now: Date, occasion: Occasion): Promise<void> {
  if (marks.length === 0) return;
  await sql.write(
    `with v as (
       select * from unnest($1::uuid[], $2::numeric[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[],
         $7::int[], $8::int[], $9::int[], $10::numeric[], $11::numeric[], $12::jsonb[], $13::real[],
         $16::int[], $17::float8[], $18::float8[], $19::float8[], $20::float8[], $21::int[])
         v (id, nav, peak, worst_peak, worst_low, equity, closed, won, followers, funds, follower_return, coins, yield,
            sample, weight, weight_squares, weighted, weighted_squares, unsold)
     ), points as (
       insert into nav_point (strategy_id, at, nav, equity_lamports, follower_return)
       select v.id, $14, v.nav, v.equity, v.follower_return from v join strategy_stats t on t.strategy_id = v.id
       -- The same fill may be told twice; a point that says what the last one said is left out within a minute.
       left join lateral (
         select at, nav from nav_point where strategy_id = v.id order by at desc, id desc limit 1
       ) last on true
       where t.units > 0
         and (last.at is null or last.at < $14::timestamptz - interval '50 seconds' or ($15 and last.nav <> v.nav))
       returning strategy_id
     ), w as (
       select v.*, p.strategy_id is not null as pointed from v left join points p on p.strategy_id = v.id
     )
     update strategy_stats t set nav = v.nav,
       -- Only what the chart shows counts as a high or a low, so that the drawdown can be computed again from the points.
       peak = case when v.pointed then v.peak else t.peak end,
       worst_peak = case when v.pointed then v.worst_peak else t.worst_peak end,
       worst_low = case when v.pointed then v.worst_low else t.worst_low end,
       closed_trips = v.closed, won_trips = v.won, follower_return = v.follower_return, follower_sample = v.sample,
       follow_weight = v.weight, follow_weight_squares = v.weight_squares, follow_weighted = v.weighted,
       follow_weighted_squares = v.weighted_squares,
       unsold_at_loss = case when s.status = 'ended' then t.unsold_at_loss else v.unsold end,
       -- What a strategy had before it was sold out and its followers left stays as its figures after the end.
       equity_lamports = case when s.status = 'ended' then t.equity_lamports else v.equity end,
       lowest_equity_lamports = case when s.status in ('publishing', 'running') then least(t.lowest_equity_lamports, v.equity)
         else t.lowest_equity_lamports end,
       followers = case when s.status in ('publishing', 'running') then v.followers else t.followers end,
       copy_funds_lamports = case when s.status in ('publishing', 'running') then v.funds else t.copy_funds_lamports end,
       coins = case when s.status in ('publishing', 'running') then v.coins else t.coins end,
       -- The line on the card has the chart's last points and ends at the figure beside it.
       trend = case when v.pointed or cardinality(t.trend) < 2
         then (t.trend || v.yield)[greatest(1, cardinality(t.trend) + 2 - ${TREND_POINTS}):]
         else t.trend[:cardinality(t.trend) - 1] || v.yield end,
       marked_at = $14
     from w v join strategy s on s.id = v.id where t.strategy_id = v.id`,
    [
      marks.map((mark) => mark.id),
      marks.map((mark) => mark.performance.nav.nav),
      marks.map((mark) => mark.performance.drawdown.peak),
      marks.map((mark) => mark.performance.drawdown.worstPeak),
      marks.map((mark) => mark.performance.drawdown.worstLow),
      marks.map((mark) => mark.equity),
      marks.map((mark) => mark.trips?.closed ?? 0),
      marks.map((mark) => mark.trips?.won ?? 0),
      ...columnsOf(marks, 'followers', 'copyFunds', 'followerReturn'),
      marks.map((mark) => JSON.stringify(mark.coins)),
      marks.map((mark) => printRatePercent(yieldOf(mark.performance.nav.nav))),
      now,
      occasion === 'event',
      marks.map((mark) => mark.followerSample),
      marks.map((mark) => mark.followSums.weight),
      marks.map((mark) => mark.followSums.weightSquares),
      marks.map((mark) => mark.followSums.weighted),
      marks.map((mark) => mark.followSums.weightedSquares),
      marks.map((mark) => mark.unsoldAtLoss),
    ],
  );
}

async function tellCreatorBuys(deps: Strategies, bought: readonly (NewEvent & { nav: bigint })[]): Promise<void> {
  for (const { mint, lamports, nav } of bought) {
    const notice = decideCreatorBuy({ yieldRate: yieldOf(nav), spendLamports: lamports });
    if (notice === null || mint === null) continue;
    await deps
      .creatorBought(mint, `yield ${printRatePercent(notice.yieldRate)}%`)
      .catch((error: Error) => deps.log.warn({ error: error.message }, 'a notice could not be raised'));
  }
}
