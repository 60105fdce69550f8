import { unlinkUser } from '../alerts/telegram-links.ts';
import type { Sql } from '../platform/postgres.ts';
import { deleteAllApiKeys } from './api-key-store.ts';

/** Wherever all sessions of a user end, so does what a thief may have made to outlast them: API keys, and a chat that is told everything. */
export async function endAccess(sql: Sql, userId: string): Promise<void> {
  await deleteAllApiKeys(sql, userId);
  await unlinkUser(sql, userId);
}
