import pg from 'pg';

/** In seconds; null where there was none. */
type Late = { count: number; median: number; p99: number; max: number } | null;
export type TriggerLateness = { firedLate: Late; settledLate: Late };

/** How long after its moment each trigger with a fixed one fired, and how long after its order was settled each trigger ended. */
export async function triggerLateness(postgres: string): Promise<TriggerLateness> {
  const pool = new pg.Pool({ connectionString: postgres, max: 1 });
  try {
    const late = async (late: string, which: string): Promise<Late> => {
      const { rows } = await pool.query<Record<keyof NonNullable<Late>, number | null>>(
        `select count(*)::int as count, percentile_disc(0.5) within group (order by late) as median,
           percentile_disc(0.99) within group (order by late) as p99, max(late) as max
         from (
           select round(extract(epoch from ${late}), 1)::float8 as late from order_trigger t
           join trigger_firing f on f.trigger_id = t.id and f.order_id = t.order_id join trade_order o on o.id = f.order_id
           where ${which}
         ) late`,
      );
      return rows[0]!.count === 0 ? null : (rows[0] as NonNullable<Late>);
    };
    return {
      firedLate: await late('f.at - t.fires_at', 't.fires_at is not null and f.firing = 1'),
      settledLate: await late('t.ended_at - o.settled_at', `t.outcome = 'filled'`),
    };
  } finally {
    await pool.end();
  }
}
