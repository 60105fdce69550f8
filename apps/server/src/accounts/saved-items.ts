import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { Database, Sql } from '../platform/postgres.ts';

type Kind = CallParsedRequest<'saveMyItem'>['kind'];

/** Beyond it the oldest goes. */
export const SAVED_MAX: Readonly<Record<Kind, number>> = { discover: 20, chart: 200, guide: 1 };

export async function loadSavedItems(
  sql: Sql,
  userId: string,
  { kind, key }: CallParsedRequest<'getMySavedItems'>,
): Promise<CallReply<'getMySavedItems'>['lists']> {
  const rows = await sql.query<{ key: string; value: string; savedAt: Date }>(
    `select key, value, saved_at as "savedAt" from saved_item
     where user_id = $1 and kind = $2 and ($3::text is null or key = $3) order by saved_at, key`,
    [userId, kind, key ?? null],
  );
  return rows.map((row) => ({ ...row, savedAt: row.savedAt.getTime() }));
}

export async function saveItem(
  database: Database,
  now: Date,
  userId: string,
  { kind, key, value }: CallParsedRequest<'saveMyItem'>,
): Promise<void> {
  if (value === null) {
    await database.write(`delete from saved_item where user_id = $1 and kind = $2 and key = $3`, [userId, kind, key]);
    return;
  }
  await database.transaction(async (sql) => {
    await sql.write(
      `insert into saved_item (user_id, kind, key, value, saved_at) values ($1, $2, $3, $4, $5)
       on conflict (user_id, kind, key) do update set value = excluded.value, saved_at = excluded.saved_at`,
      [userId, kind, key, value, now],
    );
    await sql.write(
      `delete from saved_item where user_id = $1 and kind = $2 and key in (
         select key from saved_item where user_id = $1 and kind = $2 order by saved_at desc, key offset $3)`,
      [userId, kind, SAVED_MAX[kind]],
    );
  });
}
