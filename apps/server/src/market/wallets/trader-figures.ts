import type { CallReply } from '@hunter/contract/calls';
import { printSol } from '@hunter/domain/numbers/lamports';
import { printRatePercent } from '@hunter/domain/numbers/rate';
import { winRate } from '@hunter/domain/record/win-rate';
import type { Sql } from '../../platform/postgres.ts';

export type TraderPeriod = '7d' | '30d' | 'all';

const DAY_MS = 86_400_000;
const PERIOD_DAYS: Record<TraderPeriod, number> = { '7d': 7, '30d': 30, all: 36_500 };
const PERIODS: readonly TraderPeriod[] = ['7d', '30d', 'all'];

/** The first day of a period that ends today, as the database reads it. */
export function firstDayOf(period: TraderPeriod, nowMs: number): string {
  return new Date(nowMs - (PERIOD_DAYS[period] - 1) * DAY_MS).toISOString().slice(0, 10);
}

export type FiguresRow = {
  realized: bigint;
  closed: number;
  won: number;
  volume: bigint;
  trades: number;
  tokens: number;
};

export const NO_FIGURES: FiguresRow = { realized: 0n, closed: 0, won: 0, volume: 0n, trades: 0, tokens: 0 };

/** Sums over rows of `trader_day d`. */
export const SUMS = `sum(d.realized_lamports)::bigint as realized, sum(d.round_trips)::int as closed, sum(d.wins)::int as won,
  sum(d.volume_lamports)::bigint as volume, sum(d.trades)::int as trades, min(d.first_seq) as "firstSeq"`;

/** Different tokens traded since a trade; `f` is a row with the sums and a trader's id. */
export const TOKENS_TRADED = `(select count(distinct x.token_id)::int from trade x
  where x.trader_id = f."traderId" and x.seq >= f."firstSeq") as tokens`;

type Figures = CallReply<'getWallet'>['periods']['7d'];

export function printFigures({ realized, closed, won, volume, trades, tokens }: FiguresRow): Figures {
  return {
    realizedProfit: printSol(realized),
    closedTrades: closed,
    wonTrades: won,
    winRate: printRatePercent(winRate({ closed, won })),
    volume: printSol(volume),
    trades,
    tokens,
  };
}

/** What wallets did since a day, by address; those that did nothing are left out. */
export async function loadFigures(
  sql: Sql,
  addresses: readonly string[],
  firstDay: string,
): Promise<Map<string, FiguresRow>> {
  const rows = await sql.query<FiguresRow & { address: string }>(
    `select f.*, ${TOKENS_TRADED} from (
       select r.address, r.id as "traderId", ${SUMS}
       from trader r join trader_day d on d.trader_id = r.id and d.day >= $2::date
       where r.address = any($1) group by r.id
     ) f`,
    [addresses, firstDay],
  );
  return new Map(rows.map((row) => [row.address, row]));
}

/** What one wallet did in each period, its trades read once for all of them. */
export async function loadPeriodFigures(
  sql: Sql,
  address: string,
  nowMs: number,
): Promise<Record<TraderPeriod, FiguresRow>> {
  const rows = await sql.query<FiguresRow & { period: TraderPeriod }>(
    `with last_trade as materialized (
       select x.token_id, max(x.seq) as seq from trade x
       where x.trader_id = (select id from trader where address = $1) group by x.token_id
     )
     select f.*, (select count(*)::int from last_trade l where l.seq >= f."firstSeq") as tokens from (
       select p.period, ${SUMS}
       from trader r join trader_day d on d.trader_id = r.id
         join unnest($2::text[], $3::date[]) p (period, first_day) on d.day >= p.first_day
       where r.address = $1 group by p.period
     ) f`,
    [address, PERIODS, PERIODS.map((period) => firstDayOf(period, nowMs))],
  );
  const found = new Map(rows.map((row) => [row.period, row]));
  const of = (period: TraderPeriod): FiguresRow => found.get(period) ?? NO_FIGURES;
  return { '7d': of('7d'), '30d': of('30d'), all: of('all') };
}

/** Time of the newest trade by address. */
export async function loadLastTrades(sql: Sql, addresses: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql.query<{ address: string; at: Date }>(
    `select r.address, x.at from trader r cross join lateral (
       select at from trade where trader_id = r.id order by seq desc, token_id desc limit 1) x
     where r.address = any($1)`,
    [addresses],
  );
  return new Map(rows.map(({ address, at }) => [address, at.getTime()]));
}
