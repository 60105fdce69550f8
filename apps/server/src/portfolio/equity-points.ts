import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { changeBetween, type AccountPoint } from '@hunter/domain/record/equity-change';
import { lamports, printSol as sol, type Lamports } from '@hunter/domain/numbers/lamports';
import { printRatePercent } from '@hunter/domain/numbers/rate';
import type { Sql } from '../platform/postgres.ts';
import { columnsOf } from '../platform/columns-of.ts';
import type { Trading } from '../trading/trading.ts';
import { loadAccountValues, loadFirstDeposit, loadFlows } from './account-value.ts';

export const EQUITY_EVERY_MS = 10 * 60_000;
const USERS_PER_READ = 200;
const DAY_MS = 86_400_000;
/** From here on one point an hour is kept, and from there on one a day. */
const HOURLY_AFTER_MS = 2 * DAY_MS;
const DAILY_AFTER_MS = 60 * DAY_MS;
const POINTS_SHOWN = 400;

const RANGE_MS = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS, all: null } as const;

type Point = AccountPoint & { at: Date };
type Deps = Pick<Trading, 'database' | 'pools' | 'clock'>;

const NOTHING: Point = { at: new Date(0), equityLamports: lamports(0n), profitLamports: 0n };

/**
 * Stores what accounts are worth now: of users who hold tokens, and of those whose SOL has changed since their last point. Whoever
 * cannot be priced gets no point. Repeated within the same ten minutes it changes nothing.
 */
export async function recordEquityPoints(deps: Deps): Promise<void> {
  const { database, clock } = deps;
  const at = new Date(clock.nowMs());
  const since = new Date(Math.floor(clock.nowMs() / EQUITY_EVERY_MS) * EQUITY_EVERY_MS);
  const moving = await database.query<{ userId: string }>(
    `select x.user_id as "userId" from (
       select k.user_id, sum(b.amount) as sol_lamports from book k join balance b on b.book_id = k.id and b.asset = 'SOL'
       where k.kind <> 'unclaimed' group by k.user_id) x
     left join lateral (
       select e.at, e.sol_lamports from equity_point e where e.user_id = x.user_id order by e.at desc limit 1) last on true
     where (last.at is null or last.at < $1) and (x.sol_lamports is distinct from last.sol_lamports
       or exists (select 1 from position p where p.user_id = x.user_id and p.quantity + p.uncosted_tokens > 0))
     order by x.user_id`,
    [since],
  );
  for (let start = 0; start < moving.length; start += USERS_PER_READ) {
    const userIds = moving.slice(start, start + USERS_PER_READ).map(({ userId }) => userId);
    await savePoints(deps, userIds, at);
  }
}

async function savePoints(deps: Deps, userIds: readonly string[], at: Date): Promise<void> {
  const values = await loadAccountValues(deps, userIds);
  const rows = [...values].flatMap(([userId, { equity, profit, books }]) => {
    if (equity === null || profit === null) return [];
    const inSol = books.reduce((sum, { cash, held, rent }) => sum + cash + held + rent, 0n);
    return [{ userId, equity, profit, inSol }];
  });
  await deps.database.write(
    `insert into equity_point (user_id, at, equity_lamports, profit_lamports, sol_lamports)
     select v.user_id, $1, v.equity, v.profit, v.sol
     from unnest($2::uuid[], $3::numeric[], $4::numeric[], $5::numeric[]) v (user_id, equity, profit, sol) on conflict do nothing`,
    [at, ...columnsOf(rows, 'userId', 'equity', 'profit', 'inSol')],
  );
}

/**
 * The first point of each hour and, later, of each day stays. Only what has grown old since `thinnedAtMs` is looked at; without it,
 * everything.
 */
export async function thinEquityPoints(sql: Sql, nowMs: number, thinnedAtMs: number | null): Promise<void> {
  const steps = [
    ['hour', HOURLY_AFTER_MS],
    ['day', DAILY_AFTER_MS],
  ] as const;
  for (const [unit, afterMs] of steps) {
    const from = thinnedAtMs === null ? new Date(0) : new Date(thinnedAtMs - afterMs);
    await sql.write(
      `delete from equity_point e where e.at >= $1 and e.at < $2 and exists (
         select 1 from equity_point x where x.user_id = e.user_id and x.at >= date_trunc($3, e.at) and x.at < e.at)`,
      [from, new Date(nowMs - afterMs), unit],
    );
  }
}

export async function loadEquity(
  deps: Deps,
  userId: string,
  { range }: CallParsedRequest<'getMyEquity'>,
): Promise<CallReply<'getMyEquity'>> {
  const nowMs = deps.clock.nowMs();
  const rangeMs = RANGE_MS[range];
  const since = rangeMs === null ? new Date(0) : new Date(nowMs - rangeMs);
  const [stored, values] = await Promise.all([
    loadPoints(deps.database, userId, since),
    loadAccountValues(deps, [userId]),
  ]);
  const { equity, profit } = values.get(userId)!;
  const points = [...stored];
  if (equity !== null && profit !== null)
    points.push({ at: new Date(nowMs), equityLamports: equity, profitLamports: profit });
  const start = points[0] && points[0].at < since ? points[0] : NOTHING;
  if (start === NOTHING) points.unshift(...(await loadBeginning(deps.database, userId, points[0])));
  const [first, last] = [points[0], points.at(-1)];
  const flows = await loadFlows(deps.database, [userId], start.at);
  const deposited = flows.get(userId)?.deposited ?? lamports(0n);
  const change = last && last !== first ? changeBetween(start, last, deposited) : null;
  return {
    range,
    points: thinned(points).map(({ at, equityLamports, profitLamports }) => ({
      t: at.getTime(),
      equity: sol(equityLamports),
      profit: sol(profitLamports),
    })),
    profit: change && sol(change.profitLamports),
    profitRate: printRatePercent(change?.rate ?? null),
  };
}

/**
 * An account that began within the range began with its first deposit, and its first point may lie after its first loss: the line then
 * begins at the deposit. Not where anything else has come or gone before that point: what the account was worth is not known then.
 */
async function loadBeginning(sql: Sql, userId: string, first: Point | undefined): Promise<Point[]> {
  if (first === undefined || first.profitLamports === 0n) return [];
  const deposit = await loadFirstDeposit(sql, userId);
  if (deposit === null || deposit.at >= first.at) return [];
  const isAll = first.equityLamports - first.profitLamports === deposit.lamports;
  return isAll ? [{ at: deposit.at, equityLamports: deposit.lamports, profitLamports: 0n }] : [];
}

/** Those of the range, and the last one before it, which is what the account had when the range began. */
function loadPoints(sql: Sql, userId: string, since: Date): Promise<Point[]> {
  return sql.query<{ at: Date; equityLamports: Lamports; profitLamports: bigint }>(
    `select at, equity_lamports as "equityLamports", profit_lamports as "profitLamports" from equity_point
     where user_id = $1 and at >= coalesce((select max(at) from equity_point where user_id = $1 and at < $2), $2) order by at`,
    [userId, since],
  );
}

/** First and last always stay. */
function thinned(points: readonly Point[]): readonly Point[] {
  const step = Math.ceil(points.length / POINTS_SHOWN);
  return step <= 1 ? points : points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
