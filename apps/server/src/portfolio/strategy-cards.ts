import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { maximumDrawdown } from '@hunter/domain/record/drawdown';
import { isEarlyReturn } from '@hunter/domain/record/creator-score';
import { lamports, SOL_DECIMALS, type Lamports } from '@hunter/domain/numbers/lamports';
import { missingConditions, type Tier } from '@hunter/domain/record/ranking';
import { printRatePercent, rate } from '@hunter/domain/numbers/rate';
import { winRate } from '@hunter/domain/record/win-rate';
import type { Address } from '@hunter/solana/address';
import { performanceOf, yieldOf, type PerformanceRow } from '../strategies/performance/performance.ts';
import type { Strategies } from '../strategies/strategies.ts';
import { STRATEGY_COLUMNS, type Strategy } from '../strategies/strategy-store.ts';
import { coinRef, type Facts } from '../strategies/reads/coin-refs.ts';

export type StrategyCard = CallReply<'getStrategyList'>['lists'][number];

export type CardRow = Strategy &
  PerformanceRow & {
    creatorName: string;
    tier: Tier;
    score: number | null;
    lowestEquity: Lamports | null;
    countedTrips: number;
    countedCoins: number;
    followerReturn: bigint | null;
    followerSample: number;
    followWeight: number;
    followWeightSquares: number;
    closedTrips: number;
    wonTrips: number;
    unsoldAtLoss: number;
    followers: number;
    copyFunds: bigint;
    coins: { mint: Address; weight: string }[];
    trend: number[];
    following: boolean;
  };

/** `$1` is the one who looks, or null. */
export const SELECT_CARD = `select ${STRATEGY_COLUMNS}, u.display_name as "creatorName", t.units, t.nav, t.peak, t.worst_peak as "worstPeak",
  t.worst_low as "worstLow", t.tier, t.score, t.lowest_equity_lamports as "lowestEquity", t.counted_trips as "countedTrips",
  t.counted_coins as "countedCoins", t.follower_return as "followerReturn", t.follower_sample as "followerSample", t.closed_trips as "closedTrips",
  t.follow_weight as "followWeight", t.follow_weight_squares as "followWeightSquares", t.won_trips as "wonTrips", t.unsold_at_loss as "unsoldAtLoss", t.followers,
  t.copy_funds_lamports as "copyFunds", t.coins, t.trend,
  exists (select 1 from follow f where f.strategy_id = s.id and f.user_id = $1::uuid and f.status <> 'closed') as following`;
export const FROM_CARD = `from strategy s join strategy_stats t on t.strategy_id = s.id join users u on u.id = s.user_id`;

type ListRequest = CallParsedRequest<'getStrategyList'>;

const ORDER: Record<NonNullable<ListRequest['sortBy']>, string> = {
  score: `t.tier = 'new', t.score desc nulls last, t.nav desc`,
  yield: 't.nav desc',
  followerReturn: 't.follower_return desc nulls last, t.nav desc',
  funds: 't.copy_funds_lamports desc',
  followers: 't.followers desc',
  newest: 's.published_at desc',
  winRate: '(t.won_trips::numeric / nullif(t.closed_trips, 0)) desc nulls last, t.closed_trips desc',
};

/** Running ones stand before ended ones: only those can be followed. Within each the order is the one asked for. */
export async function loadStrategyList(
  deps: Strategies,
  request: ListRequest,
  userId: string | null,
): Promise<CallReply<'getStrategyList'>> {
  const { scope, status, tier, keyword, pageNo, pageSize } = request;
  const sortBy = request.sortBy ?? (tier === 'ranked' ? 'score' : 'yield');
  if (scope !== 'all' && userId === null) throw new AppError('UNAUTHENTICATED');
  const where = `where case $2 when 'created' then s.user_id = $1::uuid
      when 'followed' then exists (select 1 from follow f where f.strategy_id = s.id and f.user_id = $1::uuid and f.status <> 'closed')
      else true end
    and case $3 when 'running' then s.status in ('publishing', 'running') when 'ended' then s.status in ('ending', 'ended') else true end
    and ($4 = '' or lower(s.name) like '%' || $4 || '%' or lower(u.display_name) like '%' || $4 || '%'
      or exists (select 1 from jsonb_array_elements(t.coins) c join token k on k.mint = c ->> 'mint'
                 where lower(k.symbol) like $4 || '%' or lower(k.mint) = $4))
    and ($5 = 'all' or t.tier = $5)`;
  const pattern = keyword.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
  const values = [userId, scope, status, pattern, tier];
  const [rows, counted] = await Promise.all([
    deps.database.query<CardRow>(
      `${SELECT_CARD} ${FROM_CARD} ${where} order by (s.status in ('ending', 'ended')), ${ORDER[sortBy]}, s.id limit $6 offset $7`,
      [...values, pageSize, (pageNo - 1) * pageSize],
    ),
    deps.database.query<{ total: number }>(`select count(*)::int as total ${FROM_CARD} ${where}`, values),
  ]);
  const facts = await deps.tokens.load(rows.flatMap((row) => coinsOf(row).map(({ mint }) => mint)));
  return {
    lists: rows.map((row) => printCard(row, facts, userId, deps.clock.nowMs())),
    total: counted[0]!.total,
    pageNo,
    pageSize,
  };
}

/** Before the first mark a strategy shows what it set out to buy. */
export function coinsOf(row: CardRow): { mint: Address; weight: string }[] {
  if (row.coins.length > 0 || row.status !== 'publishing') return row.coins;
  return row.plan.map(({ mint, lamports }) => ({
    mint,
    weight: printDecimal((BigInt(lamports) * 10_000n) / row.capitalLamports, 2),
  }));
}

export function printCard(row: CardRow, facts: Facts, userId: string | null, nowMs: number): StrategyCard {
  const wins = winRate({ closed: row.closedTrips, won: row.wonTrips });
  const ageMs = (row.endedAt?.getTime() ?? nowMs) - row.publishedAt.getTime();
  return {
    slug: row.slug,
    name: row.name,
    creator: { name: row.creatorName },
    yieldRate: printRatePercent(yieldOf(row.nav)),
    tier: row.tier,
    missing: row.tier === 'ranked' ? [] : printMissing(row, ageMs),
    score: printShare(row.score),
    maxDrawdown: printRatePercent(maximumDrawdown(performanceOf(row).drawdown)),
    followerSample: row.followerSample,
    followerReturnEarly: isEarlyReturn({ weight: row.followWeight, weightSquares: row.followWeightSquares }, ageMs),
    followerReturn: printRatePercent(row.followerReturn === null ? null : rate(row.followerReturn)),
    winRate: printRatePercent(wins),
    closedTrades: row.closedTrips,
    unsoldAtLoss: row.unsoldAtLoss,
    followers: row.followers,
    copyTradeFunds: printDecimal(row.copyFunds, SOL_DECIMALS),
    capitalAmount: printDecimal(row.capitalLamports, SOL_DECIMALS),
    publishTime: row.publishedAt.getTime(),
    endTime: (row.endedAt ?? row.endsAt)?.getTime() ?? null,
    duration: row.durationMinutes === null ? null : splitMinutes(row.durationMinutes),
    autoClear: row.autoClear,
    coins: coinsOf(row).map((coin) => coinRef(facts, coin)),
    trend: row.trend,
    status: row.status,
    following: row.following,
    mine: row.userId === userId,
  };
}

function printMissing(row: CardRow, ageMs: number): StrategyCard['missing'] {
  const { countedTrips, countedCoins, lowestEquity } = row;
  const record = { ageMs, countedTrips, countedCoins, lowestEquityLamports: lowestEquity ?? lamports(0n) };
  return missingConditions(record).map((missing) => ({ count: null, ...missing }));
}

/** A statistic in percent points; money never comes this way. */
export function printShare(share: number | null): string | null {
  return share === null ? null : String(Number((share * 100).toFixed(4)));
}

function splitMinutes(total: number): { days: number; hours: number; minutes: number } {
  return { days: Math.floor(total / 1440), hours: Math.floor((total % 1440) / 60), minutes: total % 60 };
}
