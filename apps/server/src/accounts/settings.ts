import type { Language } from './mail-frame.ts';
import type { Sql } from '../platform/postgres.ts';

export type Settings = { slippageBps: number; quietNotices: boolean };

export async function loadSettings(sql: Sql, userId: string): Promise<Settings> {
  const rows = await sql.query<Settings>(
    `select slippage_bps as "slippageBps", quiet_notices as "quietNotices" from users where id = $1`,
    [userId],
  );
  if (!rows[0]) throw new Error(`user ${userId} does not exist`);
  return rows[0];
}

export async function saveLanguage(sql: Sql, userId: string, language: Language): Promise<void> {
  await sql.write(`update users set language = $2 where id = $1`, [userId, language]);
}

export async function saveSettings(sql: Sql, userId: string, changes: Partial<Settings>): Promise<Settings> {
  const rows = await sql.write<Settings>(
    `update users set slippage_bps = coalesce($2, slippage_bps), quiet_notices = coalesce($3, quiet_notices)
     where id = $1 returning slippage_bps as "slippageBps", quiet_notices as "quietNotices"`,
    [userId, changes.slippageBps ?? null, changes.quietNotices ?? null],
  );
  if (!rows[0]) throw new Error(`user ${userId} does not exist`);
  return rows[0];
}

/** Where mails go and in which language; null for a user who is gone. */
export async function loadRecipient(
  sql: Sql,
  userId: string,
): Promise<{ email: string; language: 'en' | 'zh' } | null> {
  const rows = await sql.query<{ email: string; language: 'en' | 'zh' }>(
    `select email, language from users where id = $1`,
    [userId],
  );
  return rows[0] ?? null;
}
