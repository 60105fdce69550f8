import type { Sql } from '../platform/postgres.ts';

export type BookKind = 'personal' | 'strategy' | 'follow';
export type BookStatus = 'open' | 'closing' | 'closed';
export type Book = { id: string; userId: string; kind: BookKind; name: string; status: BookStatus; createdAt: Date };

const COLUMNS = `id, user_id as "userId", kind, name, status, created_at as "createdAt"`;

export async function createBook(sql: Sql, book: { userId: string; kind: BookKind; name: string }): Promise<Book> {
  const rows = await sql.query<Book>(
    `insert into book (user_id, kind, name) values ($1, $2, $3) returning ${COLUMNS}`,
    [book.userId, book.kind, book.name],
  );
  return rows[0]!;
}

/** Null where the book does not exist or is another user's: both look the same to the caller. */
export async function loadBookOf(sql: Sql, userId: string, bookId: string): Promise<Book | null> {
  const rows = await sql.query<Book>(`select ${COLUMNS} from book where id = $1 and user_id = $2`, [bookId, userId]);
  return rows[0] ?? null;
}

export async function loadPersonalBook(sql: Sql, userId: string): Promise<Book> {
  const rows = await sql.query<Book>(`select ${COLUMNS} from book where user_id = $1 and kind = 'personal'`, [userId]);
  if (!rows[0]) throw new Error(`user ${userId} has no personal book`);
  return rows[0];
}

export async function loadBooks(sql: Sql, userId: string): Promise<Book[]> {
  return sql.query<Book>(`select ${COLUMNS} from book where user_id = $1 order by created_at`, [userId]);
}

/** From now on only what sells may be ordered in these books. */
export async function beginClosingBooks(sql: Sql, bookIds: readonly string[]): Promise<void> {
  await sql.query(`update book set status = 'closing' where id = any($1::uuid[]) and status = 'open'`, [bookIds]);
}

export async function closeBook(sql: Sql, bookId: string, at: Date): Promise<void> {
  await sql.query(`update book set status = 'closed', closed_at = $2 where id = $1`, [bookId, at]);
}
