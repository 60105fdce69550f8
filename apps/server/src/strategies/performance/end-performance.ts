import { lamports } from '@hunter/domain/numbers/lamports';
import { printRatePercent } from '@hunter/domain/numbers/rate';
import { isAtLoss } from '@hunter/domain/record/win-rate';
import { countRoundTrips, type UnsoldTrip } from '../../ledger/positions.ts';
import type { Sql } from '../../platform/postgres.ts';
import type { Emptied } from '../empty-book.ts';
import { performanceAfter, performanceOf, yieldOf, type PerformanceRow } from './performance.ts';
import { insertEvents, type NewEvent } from './record-events.ts';

/**
 * The last mark, what is still missing in the record, and the money that leaves. Its units are gone; what they were worth in all, and
 * each, stays as the record. `unsold` are the trips of what leaves as tokens: they count with what these count.
 */
export async function endPerformance(
  sql: Sql,
  { strategyId, bookId }: { strategyId: string; bookId: string },
  { emptied, unsold }: { emptied: Emptied; unsold: readonly UnsoldTrip[] },
  now: Date,
  unrecorded: readonly NewEvent[] = [],
): Promise<void> {
  const rows = await sql.query<PerformanceRow>(
    `select units, nav, peak, worst_peak as "worstPeak", worst_low as "worstLow"
     from strategy_stats where strategy_id = $1 for update`,
    [strategyId],
  );
  const equityLamports = lamports(
    emptied.tokens.reduce<bigint>((sum, { valueLamports }) => sum + valueLamports, emptied.lamports),
  );
  const last = performanceAfter(performanceOf(rows[0]!), { kind: 'mark', equityLamports });
  const { nav, drawdown } = last;
  const trips = (await countRoundTrips(sql, [bookId])).get(bookId);
  const values = new Map(emptied.tokens.map(({ mint, valueLamports }) => [mint, valueLamports]));
  const atLoss = unsold.filter((trip) => isAtLoss(trip, values.get(trip.mint) ?? lamports(0n)));
  await sql.write(
    `update strategy_stats set units = 0, nav = $2, peak = $3, worst_peak = $4, worst_low = $5, equity_lamports = $6, marked_at = $7,
       unsold_at_loss = $9, closed_trips = $10, won_trips = $11, trend = trend[:cardinality(trend) - 1] || $8::real
     where strategy_id = $1`,
    [
      strategyId,
      nav.nav,
      drawdown.peak,
      drawdown.worstPeak,
      drawdown.worstLow,
      equityLamports,
      now,
      printRatePercent(yieldOf(nav.nav)),
      atLoss.length,
      trips?.closed ?? 0,
      trips?.won ?? 0,
    ],
  );
  await sql.write(`insert into nav_point (strategy_id, at, nav, equity_lamports) values ($1, $2, $3, $4)`, [
    strategyId,
    now,
    nav.nav,
    equityLamports,
  ]);
  const flow = { strategyId, kind: 'flow', side: 'out', feeLamports: lamports(0n), signature: null, at: now } as const;
  const events: NewEvent[] = [
    ...unrecorded,
    { ...flow, reference: 'returned', mint: null, tokens: null, lamports: emptied.lamports },
    ...emptied.tokens.map(({ mint, tokens, valueLamports }) => ({
      ...flow,
      reference: `returned:${mint}`,
      mint,
      tokens,
      lamports: valueLamports,
    })),
  ];
  await insertEvents(
    sql,
    events.map((event) => ({ ...event, nav: nav.nav })),
  );
}
