import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import { printSol as sol, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Fill } from '@hunter/domain/record/position';
import { realizedByDay } from '@hunter/domain/record/realized-days';
import type { Sql } from '../platform/postgres.ts';

type FillRow = {
  position: string;
  kind: Fill['kind'];
  tokens: BaseUnits;
  lamports: Lamports;
  feeLamports: Lamports;
  costLamports: Lamports;
  uncostedTokens: BaseUnits;
  at: Date;
};

/** Realized profit by day, from the fills alone. */
export async function loadRealized(
  sql: Sql,
  userId: string,
  { month, timeZone }: CallParsedRequest<'getMyRealized'>,
): Promise<CallReply<'getMyRealized'>> {
  const dayOf = dayIn(timeZone);
  const rows = await sql.query<FillRow>(
    `select book_id || ' ' || mint as position, kind, tokens, lamports, fee_lamports as "feeLamports",
       cost_lamports as "costLamports", uncosted_tokens as "uncostedTokens", at
     from standing_fill where user_id = $1 order by place, id`,
    [userId],
  );
  // The rows have every column; each kind of fill reads its own.
  const fills = rows.map((row) => ({ position: row.position, fill: row, atMs: row.at.getTime() }));
  const days = realizedByDay(fills, dayOf);
  const shown = [...days].filter(([day]) => day.startsWith(month)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const firstMs = rows.reduce((least, { at }) => Math.min(least, at.getTime()), Number.POSITIVE_INFINITY);
  return {
    month,
    days: shown.map(([day, { lamports, sales }]) => ({ day, realized: sol(lamports), sales })),
    realized: sol(shown.reduce((sum, [, { lamports }]) => sum + lamports, 0n)),
    sales: shown.reduce((sum, [, { sales }]) => sum + sales, 0),
    firstMonth: rows.length === 0 ? null : dayOf(firstMs).slice(0, 7),
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
