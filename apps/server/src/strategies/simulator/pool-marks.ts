import type { Address } from '@hunter/domain/address';
import { PAPER_FOLLOW_DAYS } from '@hunter/domain/copying/paper-follow';
import type { PoolMark } from '@hunter/domain/copying/simulated-follow';
import type { Pool } from '@hunter/domain/market/swap-maths';
import type { Sql } from '../../platform/postgres.ts';
import { columnsOf } from '../../platform/columns-of.ts';
import type { Pools } from '../book-holdings.ts';
import { POOL_COLUMNS, poolOf, type PoolRow } from './pool-columns.ts';

/** The past is kept this long, a day more than a paper follow lasts; nobody simulates a follow from before it. */
export const KEPT_DAYS = PAPER_FOLLOW_DAYS + 1;
const POINTS_MAX = 600;
const MINUTE_MS = 60_000;

/** The first look of each minute is kept. */
export async function savePoolMarks(sql: Sql, pools: Pools, now: Date): Promise<void> {
  if (pools.size === 0) return;
  const [mints, all] = [[...pools.keys()], [...pools.values()]];
  await sql.write(
    `insert into pool_mark (at, mint, sol_reserve, token_reserve, virtual_sol, virtual_tokens, fee_bps)
     select date_trunc('minute', $1::timestamptz), * from unnest($2::text[], $3::numeric[], $4::numeric[], $5::numeric[],
       $6::numeric[], $7::int[]) order by 2 on conflict do nothing`,
    [now, mints, ...columnsOf(all, 'solReserve', 'tokenReserve', 'virtualSol', 'virtualTokens', 'feeBps')],
  );
}

/** What is older than the past that is kept. */
export async function dropOldPoolMarks(sql: Sql, now: Date): Promise<void> {
  await sql.write(`delete from pool_mark where at < $1::timestamptz - make_interval(days => $2)`, [now, KEPT_DAYS]);
}

/**
 * Pools of these coins over a span, in order: as they last were at its beginning, then of each step the first that was kept. A step
 * is a minute, more over a long span. A server that was stopped has kept few, so none of them has to be at a certain minute.
 */
export async function loadPoolMarks(
  sql: Sql,
  mints: readonly Address[],
  fromMs: number,
  untilMs: number,
): Promise<PoolMark[]> {
  const stepMinutes = Math.max(1, Math.ceil((untilMs - fromMs) / MINUTE_MS / POINTS_MAX));
  const rows = await sql.query<PoolRow & { mint: Address; at: Date }>(
    `select m.mint, m.at, ${POOL_COLUMNS} from unnest($1::text[]) c (mint) cross join lateral (
       (select * from pool_mark where mint = c.mint and at <= $2 order by at desc limit 1)
       union all
       select k.* from generate_series($2::timestamptz, $3::timestamptz, make_interval(mins => $4)) s (start)
         cross join lateral (
           select * from pool_mark where mint = c.mint and at > s.start
             and at <= least(s.start + make_interval(mins => $4), $3) order by at limit 1) k
     ) m order by m.at, m.mint`,
    [mints, new Date(fromMs), new Date(untilMs), stepMinutes],
  );
  const marks: { atMs: number; pools: Map<Address, Pool> }[] = [];
  for (const row of rows) {
    const atMs = Math.max(fromMs, row.at.getTime());
    if (marks.at(-1)?.atMs !== atMs) marks.push({ atMs, pools: new Map() });
    marks.at(-1)!.pools.set(row.mint, poolOf(row));
  }
  return marks;
}
