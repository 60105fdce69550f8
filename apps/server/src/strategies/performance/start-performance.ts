import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { navAfter, NAV_START } from '@hunter/domain/record/unit-nav';
import type { Sql } from '../../platform/postgres.ts';

/** The first money of a strategy buys its units at 1; from there on only trading moves the value of a unit. */
export async function startPerformance(sql: Sql, strategyId: string, capital: Lamports, at: Date): Promise<void> {
  const { units, nav } = navAfter(NAV_START, {
    kind: 'flow',
    equityBeforeLamports: lamports(0n),
    flowLamports: capital,
  });
  await sql.write(
    `insert into strategy_stats (strategy_id, units, nav, peak, worst_peak, worst_low, equity_lamports, marked_at)
     values ($1, $2, $3, $3, $3, $3, $4, $5)`,
    [strategyId, units, nav, capital, at],
  );
  await sql.write(`insert into nav_point (strategy_id, at, nav, equity_lamports) values ($1, $2, $3, $4)`, [
    strategyId,
    at,
    nav,
    capital,
  ]);
  await sql.write(
    `insert into strategy_event (strategy_id, reference, kind, side, lamports, at, nav)
     values ($1, 'capital', 'flow', 'in', $2, $3, $4)`,
    [strategyId, capital, at, nav],
  );
}
