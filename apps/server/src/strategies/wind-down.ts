import { recordAudit } from '../platform/audit.ts';
import type { Database, Sql } from '../platform/postgres.ts';

// An operator ends strategies: their time is over from now on, so the running product ends each of them in the ordinary way. It takes no
// further follows, sells what it holds and returns what is everybody's own. Asked again, it changes nothing and says what remains.

export type WindDown = {
  /** One strategy, or all of them. */
  slug: string | null;
  operator: string;
  reason: string;
};

/** Answers the strategies that are to end now and were not before. Throws where there is none of that name. */
export function windDown(database: Database, { slug, operator, reason }: WindDown, now: Date): Promise<string[]> {
  return database.transaction(async (sql) => {
    const [named] = await sql.query(`select from strategy where slug = $1`, [slug]);
    if (slug !== null && !named) throw new Error(`there is no strategy ${slug}`);
    const rows = await sql.write<{ slug: string }>(
      `update strategy set ends_at = $2
       where ($1::text is null or slug = $1) and status in ('publishing', 'running') and (ends_at is null or ends_at > $2)
       returning slug`,
      [slug, now],
    );
    const detail = `${operator} winds down ${slug ?? 'all strategies'} (${rows.length}): ${reason}`;
    await recordAudit(sql, { userId: null, event: 'wind-down', address: 'operator', detail });
    return rows.map((row) => row.slug).sort();
  });
}

export type Remaining = { slug: string; status: string; openFollows: number; refusals: number };

/** Strategies that have not ended yet, and those that ended while something of a follow could not be sold or returned. */
export function loadRemaining(sql: Sql): Promise<Remaining[]> {
  return sql.query<Remaining>(
    `select s.slug, s.status, count(f.id)::int as "openFollows", coalesce(max(f.close_refusals), 0)::int as refusals
     from strategy s left join follow f on f.strategy_id = s.id and f.status <> 'closed'
     where s.status = 'ending' or (s.status in ('publishing', 'running') and s.ends_at <= now()) or (s.status = 'ended' and f.id is not null)
     group by s.id order by s.slug`,
  );
}
