import { createHash, randomBytes } from 'node:crypto';
import type { Database, Sql } from '../platform/postgres.ts';

/**
 * Tells the owner that a chat is told what he is told: in the app and, whatever he has chosen, by mail, because a thief with his
 * session has chosen for him. Belongs to the accounts.
 */
export type TellLinked = (sql: Sql, userId: string, event: { kind: 'telegram-linked'; name: string }) => Promise<void>;

/** Of a code that links a chat: 128 bits, used once. */
const CODE_BYTES = 16;
const CODE_MINUTES = 15;

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

/** A later code makes an earlier one void; a chat that is linked stays so until the code is used. */
export async function createCode(
  sql: Sql,
  userId: string,
  nowMs: number,
): Promise<{ code: string; expiresAt: number }> {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const expiresAt = nowMs + CODE_MINUTES * 60_000;
  await sql.write(
    `insert into telegram_link (user_id, code_hash, code_expires_at) values ($1, $2, $3)
     on conflict (user_id) do update set code_hash = excluded.code_hash, code_expires_at = excluded.code_expires_at`,
    [userId, hashOf(code), new Date(expiresAt)],
  );
  return { code, expiresAt };
}

/** Answers the user whose code it was, or null. Telegram may hand the same message out again: its chat is linked already then. */
export function linkChat(
  { database, tell }: { database: Database; tell: TellLinked },
  code: string,
  chat: { id: bigint; name: string },
  nowMs: number,
): Promise<string | null> {
  return database.transaction(async (sql) => {
    const [row] = await sql.write<{ userId: string }>(
      `update telegram_link set code_expires_at = 'epoch', chat_id = $2, chat_name = $3, linked_at = $4
       where code_hash = $1 and code_expires_at > $4 returning user_id as "userId"`,
      [hashOf(code), chat.id, chat.name, new Date(nowMs)],
    );
    if (!row) {
      const [linked] = await sql.query<{ userId: string }>(
        `select user_id as "userId" from telegram_link where code_hash = $1 and chat_id = $2 and code_expires_at = 'epoch'`,
        [hashOf(code), chat.id],
      );
      return linked?.userId ?? null;
    }
    await tell(sql, row.userId, { kind: 'telegram-linked', name: chat.name });
    return row.userId;
  });
}

export async function unlinkUser(sql: Sql, userId: string): Promise<void> {
  await sql.write(`delete from telegram_link where user_id = $1`, [userId]);
}

/** From the chat itself, or because it is gone: every account that it was linked to. Answers whether there was one. */
export async function unlinkChat(sql: Sql, chatId: bigint): Promise<boolean> {
  const rows = await sql.write(`delete from telegram_link where chat_id = $1 returning 1`, [chatId]);
  return rows.length > 0;
}

/** Null where no chat is linked. */
export async function loadChat(sql: Sql, userId: string): Promise<{ id: bigint; name: string } | null> {
  const [row] = await sql.query<{ id: bigint; name: string }>(
    `select chat_id as id, chat_name as name from telegram_link where user_id = $1 and chat_id is not null`,
    [userId],
  );
  return row ?? null;
}

export async function loadLinkedUsers(sql: Sql, userIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ userId: string }>(
    `select user_id as "userId" from telegram_link where user_id = any($1::uuid[]) and chat_id is not null`,
    [userIds],
  );
  return rows.map(({ userId }) => userId);
}
