import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import { printSol as sol, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Fill } from '@hunter/domain/record/position';
import { realizedByDay } from '@hunter/domain/record/realized-days';
import type { Sql } from '../platform/postgres.ts';

/** The first fill of all, where the month has none. */
type Unread = { position: null; firstAt: Date | null };
type FillRow = {
  firstAt: Date;
  position: string;
  kind: Fill['kind'];
  tokens: BaseUnits;
  lamports: Lamports;
  feeLamports: Lamports;
  costLamports: Lamports;
  uncostedTokens: BaseUnits;
  at: Date;
};

/** No time zone is further from UTC. */
const ZONE_MS = 86_400_000;

/**
 * Realized profit by day, from the fills alone. Of positions in which nothing happened in the month none is read, and of the others none
 * after it.
 */
export async function loadRealized(
  sql: Sql,
  userId: string,
  { month, timeZone }: CallParsedRequest<'getMyRealized'>,
): Promise<CallReply<'getMyRealized'>> {
  const dayOf = dayIn(timeZone);
  const [year, monthOfYear] = month.split('-').map(Number) as [number, number];
  const from = new Date(Date.UTC(year, monthOfYear - 1) - ZONE_MS);
  const until = new Date(Date.UTC(year, monthOfYear) + ZONE_MS);
  const found = await sql.query<FillRow | Unread>(
    `with own as materialized (select * from standing_fill where user_id = $1)
     select first.at as "firstAt", f.* from (select min(at) as at from own) first left join (
       select book_id || ' ' || mint as position, kind, tokens, lamports, fee_lamports as "feeLamports",
         cost_lamports as "costLamports", uncosted_tokens as "uncostedTokens", at, place, id
       from own join (select distinct book_id, mint from own where at >= $2 and at < $3) active using (book_id, mint)
       where at < $3
     ) f on true order by f.place, f.id`,
    [userId, from, until],
  );
  const firstAt = found[0]!.firstAt;
  const rows = found.filter((row) => row.position !== null);
  // The rows have every column; each kind of fill reads its own.
  const fills = rows.map((row) => ({ position: row.position, fill: row, atMs: row.at.getTime() }));
  const days = realizedByDay(fills, dayOf);
  const shown = [...days].filter(([day]) => day.startsWith(month)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    month,
    days: shown.map(([day, { lamports, sales }]) => ({ day, realized: sol(lamports), sales })),
    realized: sol(shown.reduce((sum, [, { lamports }]) => sum + lamports, 0n)),
    sales: shown.reduce((sum, [, { sales }]) => sum + sales, 0),
    firstMonth: firstAt === null ? null : dayOf(firstAt.getTime()).slice(0, 7),
  };
}

/** `2026-11-16` in a time zone. */
function dayIn(timeZone: string): (atMs: number) => string {
  try {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    return (atMs) => format.format(atMs);
  } catch {
    throw new AppError('INVALID_INPUT', { field: 'timeZone', reason: 'format' });
  }
}
