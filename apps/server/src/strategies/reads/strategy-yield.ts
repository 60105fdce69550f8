import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printRatePercent, rate } from '@hunter/domain/numbers/rate';
import { yieldOf } from '../performance/performance.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategy } from '../strategy-store.ts';

const POINTS_MAX = 400;
const RANGE_MS = { '24h': 86_400_000, '7d': 7 * 86_400_000, '30d': 30 * 86_400_000, all: null } as const;

/** The last point of each of at most 400 equal spans of time, the very first and the very last among them. */
export async function loadStrategyYield(
  deps: Strategies,
  { slug, range }: CallParsedRequest<'getStrategyYield'>,
): Promise<CallReply<'getStrategyYield'>> {
  const strategy = await loadStrategy(deps.database, slug);
  const untilMs = strategy.endedAt?.getTime() ?? deps.clock.nowMs();
  const startMs = strategy.publishedAt.getTime();
  const spanMs = RANGE_MS[range];
  const fromMs = spanMs === null ? startMs : Math.max(startMs, untilMs - spanMs);
  const stepSeconds = Math.max(0.001, (untilMs - fromMs) / 1000 / POINTS_MAX);
  const rows = await deps.database.query<{ at: Date; nav: bigint; followerReturn: bigint | null }>(
    `select distinct on (floor(extract(epoch from at - $2::timestamptz) / $3)) at, nav, follower_return as "followerReturn"
     from nav_point where strategy_id = $1 and at >= $2
     order by floor(extract(epoch from at - $2::timestamptz) / $3), at desc, id desc`,
    [strategy.id, new Date(fromMs), stepSeconds],
  );
  const first = await deps.database.query<{ at: Date; nav: bigint }>(
    `select at, nav from nav_point where strategy_id = $1 and at >= $2 order by at, id limit 1`,
    [strategy.id, new Date(fromMs)],
  );
  const points = rows.map((row) => ({ t: row.at.getTime(), yieldRate: printRatePercent(yieldOf(row.nav))! }));
  const start = first[0];
  if (start && points[0] && start.at.getTime() < points[0].t) {
    points.unshift({ t: start.at.getTime(), yieldRate: printRatePercent(yieldOf(start.nav))! });
  }
  return {
    lists: points,
    followers: rows.flatMap((row) =>
      row.followerReturn === null
        ? []
        : [{ t: row.at.getTime(), yieldRate: printRatePercent(rate(row.followerReturn))! }],
    ),
  };
}
