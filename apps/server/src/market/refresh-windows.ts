import { type Clock, systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/postgres.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';

const REFRESH_MS = 3_000;
/** Of the time, at most one part in this many goes into refreshing, however large the market. */
const REST_FACTOR = 4;
const TREND_POINTS = 24;
/** Of a token that began to trade later the trend shows minutes: with two or three hours it could fall where the token rose. */
const YOUNG_HOURS = 6;

/**
 * Keeps the moving windows (volume, change, counts, trend) of tokens that traded within a day. They change by time
 * alone, so they cannot be kept by the trades; a token that falls silent is refreshed until its last window is empty.
 */
export function windowRefresher(
  {
    database,
    lagMs,
    clock,
    log,
  }: {
    database: Database;
    /** How old what is stored of the market is; null before any of it was. */
    lagMs: () => number | null;
    clock: Clock;
    log: Log;
  },
  onRefreshed: (tokenIds: readonly number[]) => Promise<void>,
): Loop {
  return new Loop({
    name: 'refresh of the market windows',
    work: async () => {
      const nowMs = clock.nowMs();
      const knownUntil = new Date(nowMs - (lagMs() ?? nowMs));
      return onRefreshed(await refreshWindows(database, new Date(nowMs), knownUntil));
    },
    everyMs: REFRESH_MS,
    firstAfterMs: REFRESH_MS,
    restFactor: REST_FACTOR,
    clock,
    log,
  });
}

/**
 * Answers whose windows were written. While the market is read only up to before a window begins, its two prices would be the same
 * one: how it has changed since is not known.
 */
export async function refreshWindows(
  database: Database,
  now = new Date(systemClock.nowMs()),
  knownUntil = now,
): Promise<number[]> {
  const rows = await database.write<{ id: number }>(
    `with active as (
       select token_id from token_stats where last_trade_at > $2::timestamptz - interval '25 hours' or volume_24h > 0
     ), minutes as (
       select k.token_id,
         coalesce(sum(v_usd) filter (where start > $2::timestamptz - interval '5 minutes'), 0) as volume_5m,
         coalesce(sum(v_usd) filter (where start > $2::timestamptz - interval '1 hour'), 0) as volume_1h,
         coalesce(sum(v_usd) filter (where start > $2::timestamptz - interval '4 hours'), 0) as volume_4h,
         coalesce(sum(v_usd), 0) as volume_24h, coalesce(sum(buys), 0) as buys, coalesce(sum(sells), 0) as sells,
         coalesce(sum(buys) filter (where start > $2::timestamptz - interval '5 minutes'), 0) as buys_5m,
         coalesce(sum(sells) filter (where start > $2::timestamptz - interval '5 minutes'), 0) as sells_5m,
         coalesce(sum(buys) filter (where start > $2::timestamptz - interval '1 hour'), 0) as buys_1h,
         coalesce(sum(sells) filter (where start > $2::timestamptz - interval '1 hour'), 0) as sells_1h,
         coalesce(sum(buys) filter (where start > $2::timestamptz - interval '4 hours'), 0) as buys_4h,
         coalesce(sum(sells) filter (where start > $2::timestamptz - interval '4 hours'), 0) as sells_4h
       from active a cross join lateral (
         select * from candle_1m where token_id = a.token_id and start > $2::timestamptz - interval '24 hours') k
       group by k.token_id
     ), fresh as (
       select a.token_id, s.price_usd,
         coalesce(m.volume_5m, 0) as volume_5m, coalesce(m.volume_1h, 0) as volume_1h,
         coalesce(m.volume_4h, 0) as volume_4h, coalesce(m.volume_24h, 0) as volume_24h,
         coalesce(m.buys, 0) as buys, coalesce(m.sells, 0) as sells,
         coalesce(m.buys_5m, 0) as buys_5m, coalesce(m.sells_5m, 0) as sells_5m, coalesce(m.buys_1h, 0) as buys_1h,
         coalesce(m.sells_1h, 0) as sells_1h, coalesce(m.buys_4h, 0) as buys_4h, coalesce(m.sells_4h, 0) as sells_4h,
         p5.c as c5, p60.c as c60, p240.c as c240, p1440.c as c1440, trend.points
       from active a join token_stats s using (token_id) left join minutes m using (token_id)
       left join lateral (select c from candle_1m where token_id = a.token_id and start <= $2::timestamptz - interval '5 minutes'
                          order by start desc limit 1) p5 on true
       left join lateral (select c from candle_1m where token_id = a.token_id and start <= $2::timestamptz - interval '1 hour'
                          order by start desc limit 1) p60 on true
       left join lateral (select c from candle_1m where token_id = a.token_id and start <= $2::timestamptz - interval '4 hours'
                          order by start desc limit 1) p240 on true
       left join lateral (select c from candle_1m where token_id = a.token_id and start <= $2::timestamptz - interval '24 hours'
                          order by start desc limit 1) p1440 on true
       left join lateral (select min(start) as since, array_agg(c order by start) as closes, (array_agg(o order by start))[1] as o
                          from (select o, c, start from candle_hour where token_id = a.token_id
                                  and start > $2::timestamptz - interval '24 hours' order by start desc limit $1) t
                         ) hour on true
       left join lateral (select array_agg(c order by start) filter (where age % ceil(count / $1::numeric) = 0) as closes,
                            (array_agg(o order by start))[1] as o
                          from (select o, c, start, row_number() over (order by start desc) - 1 as age, count(*) over () as count
                                from candle_1m where token_id = a.token_id and start >= hour.since
                                  and hour.since > $2::timestamptz - make_interval(hours => $3)) t
                         ) minute on true
       -- From the price a day ago, as the change of 24 hours, or from the first one: what a token gained with its first candle is
       -- part of its line.
       left join lateral (select array_agg((c / 1e12)::real order by place) as points
                          from unnest(case when minute.closes is null then coalesce(p1440.c, hour.o) || hour.closes
                                           else coalesce(p1440.c, minute.o) || minute.closes end)
                            with ordinality as p (c, place)
                         ) trend on true
     )
     update token_stats s set
       volume_5m = f.volume_5m, volume_1h = f.volume_1h, volume_4h = f.volume_4h, volume_24h = f.volume_24h,
       buys_24h = f.buys, sells_24h = f.sells, buys_5m = f.buys_5m, sells_5m = f.sells_5m, buys_1h = f.buys_1h,
       sells_1h = f.sells_1h, buys_4h = f.buys_4h, sells_4h = f.sells_4h,
       change_5m = case when f.c5 > 0 and $4::timestamptz > $2::timestamptz - interval '5 minutes' then (f.price_usd / f.c5 - 1) * 100 end,
       change_1h = case when f.c60 > 0 and $4::timestamptz > $2::timestamptz - interval '1 hour' then (f.price_usd / f.c60 - 1) * 100 end,
       change_4h = case when f.c240 > 0 and $4::timestamptz > $2::timestamptz - interval '4 hours' then (f.price_usd / f.c240 - 1) * 100 end,
       change_24h = case when f.c1440 > 0 and $4::timestamptz > $2::timestamptz - interval '24 hours' then (f.price_usd / f.c1440 - 1) * 100 end,
       trend = coalesce(f.points, '{}'),
       -- Money that moves now counts most; a change only counts together with volume behind it.
       score = ln(1 + f.volume_1h / 1e6) * 2 + ln(1 + f.volume_24h / 1e6)
         + least(3, greatest(-3, coalesce((f.price_usd / nullif(f.c60, 0) - 1) * 10, 0))),
       refreshed_at = $2::timestamptz
     from fresh f where s.token_id = f.token_id
       -- A quiet token's row is left as it is; most of them are quiet.
       and (s.volume_24h > 0 or f.volume_24h > 0 or s.score <> 0)
     returning s.token_id as id`,
    [TREND_POINTS, now, YOUNG_HOURS, knownUntil],
  );
  return rows.map(({ id }) => id);
}
