import {
  addFollowSums,
  creatorScore,
  NO_FOLLOWS,
  rankedYield,
  type FollowSums,
} from '@hunter/domain/record/creator-score';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { tierOf } from '@hunter/domain/record/ranking';
import type { TripOutcome } from '@hunter/domain/record/record-trip';
import type { Address } from '@hunter/solana/address';
import type { Sql } from '../../platform/postgres.ts';
import { columnsOf } from '../../platform/columns-of.ts';

type TripRow = {
  userId: string;
  strategyId: string;
  mint: Address;
  openedAt: Date;
  closedAt: Date | null;
  outcome: TripOutcome;
  x: number;
};

type StatsRow = {
  userId: string;
  strategyId: string;
  publishedAt: Date;
  endedAt: Date | null;
  lowestEquity: Lamports | null;
} & FollowSums;

/** The record of each strategy of these creators, and their score over all of them. */
export async function scoreCreators(sql: Sql, userIds: readonly string[], nowMs: number): Promise<void> {
  if (userIds.length === 0) return;
  const stats = await loadStats(sql, userIds);
  const tripsOf = Map.groupBy(await loadCounted(sql, userIds), ({ userId }) => userId);
  const scores = [...Map.groupBy(stats, ({ userId }) => userId)].flatMap(([userId, strategies]) => {
    const trips = (tripsOf.get(userId) ?? []).map((row) => ({ ...row, ...timesOf(row) }));
    const follows = strategies.reduce(addFollowSums, NO_FOLLOWS);
    // Of nothing there is no score, and none is not zero.
    const score = trips.length === 0 && follows.weight === 0 ? null : creatorScore(trips, follows);
    return strategies.map((strategy) => {
      const own = trips.filter(({ strategyId }) => strategyId === strategy.strategyId);
      const evidence = own.filter(({ outcome }) => outcome !== 'flat');
      const countedCoins = new Set(evidence.map(({ mint }) => mint)).size;
      const tier = tierOf({
        ageMs: (strategy.endedAt?.getTime() ?? nowMs) - strategy.publishedAt.getTime(),
        lowestEquityLamports: strategy.lowestEquity ?? lamports(0n),
        countedTrips: evidence.length,
        countedCoins,
      });
      const won = evidence.filter(({ outcome }) => outcome === 'won').length;
      return {
        id: strategy.strategyId,
        tier,
        score,
        yield: own.length === 0 ? null : rankedYield(own),
        trips: evidence.length,
        won,
        countedCoins,
      };
    });
  });
  await sql.write(
    `update strategy_stats t set tier = v.tier, score = v.score, ranked_yield = v.yield, counted_trips = v.trips,
       counted_won = v.won, counted_coins = v.coins, scored_at = $8
     from unnest($1::uuid[], $2::text[], $3::float8[], $4::float8[], $5::int[], $6::int[], $7::int[])
       v (id, tier, score, yield, trips, won, coins)
     where t.strategy_id = v.id`,
    [...columnsOf(scores, 'id', 'tier', 'score', 'yield', 'trips', 'won', 'countedCoins'), new Date(nowMs)],
  );
}

function timesOf({ openedAt, closedAt }: TripRow) {
  return { openedAtMs: openedAt.getTime(), closedAtMs: closedAt?.getTime() ?? null };
}

/** Creators with a strategy that runs and was not looked at lately: its age and its followers' results have changed. */
export async function loadStaleCreators(sql: Sql, scoredBefore: Date, limit: number): Promise<string[]> {
  const rows = await sql.query<{ userId: string }>(
    `select s.user_id as "userId" from strategy s join strategy_stats t on t.strategy_id = s.id
     where t.scored_at is null or (t.scored_at <= $1 and s.status <> 'ended')
     group by s.user_id order by min(t.scored_at) nulls first limit $2`,
    [scoredBefore, limit],
  );
  return rows.map(({ userId }) => userId);
}

async function loadCounted(sql: Sql, userIds: readonly string[]): Promise<TripRow[]> {
  return sql.query<TripRow>(
    `select user_id as "userId", strategy_id as "strategyId", mint, opened_at as "openedAt", closed_at as "closedAt", outcome, x
     from record_trip where user_id = any($1::uuid[]) and outcome is not null`,
    [userIds],
  );
}

async function loadStats(sql: Sql, userIds: readonly string[]): Promise<StatsRow[]> {
  return sql.query<StatsRow>(
    `select s.user_id as "userId", s.id as "strategyId", s.published_at as "publishedAt", s.ended_at as "endedAt",
       t.lowest_equity_lamports as "lowestEquity", t.follow_weight as weight, t.follow_weight_squares as "weightSquares",
       t.follow_weighted as weighted, t.follow_weighted_squares as "weightedSquares"
     from strategy s join strategy_stats t on t.strategy_id = s.id where s.user_id = any($1::uuid[])`,
    [userIds],
  );
}
