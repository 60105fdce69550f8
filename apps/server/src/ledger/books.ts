import { randomUUID } from 'node:crypto';
import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';
import { loadWallet, type WalletKind } from './wallets.ts';

/** Of the books that are somebody's. What strangers send to a strategy's wallet is in its `unclaimed` book, which is nobody's. */
export type BookKind = 'personal' | 'strategy' | 'follow' | 'wallet-follow';
/** Such a book trades with all others of its wallet, in the strategy's lane. */
export function isInStrategyWallet(kind: BookKind): boolean {
  return kind === 'strategy' || kind === 'follow';
}

export type BookStatus = 'open' | 'closing' | 'closed';
export type Book = {
  id: string;
  userId: string;
  walletId: string;
  kind: BookKind;
  name: string;
  status: BookStatus;
};

const COLUMNS = `id, user_id as "userId", wallet_id as "walletId", kind, name, status`;

export async function openBook(
  sql: Sql,
  book: { id?: string; userId: string; walletId: string; kind: BookKind; name: string },
): Promise<Book> {
  const rows = await sql.write<Book>(
    `insert into book (id, user_id, wallet_id, kind, name) values ($1, $2, $3, $4, $5) returning ${COLUMNS}`,
    [book.id ?? randomUUID(), book.userId, book.walletId, book.kind, book.name],
  );
  return rows[0]!;
}

/** Where a deposit to a wallet is posted: its personal book or, in a strategy's wallet, the unclaimed one, opened here if need be. */
export async function depositBookOf(sql: Sql, walletId: string): Promise<{ id: string; isClaimed: boolean }> {
  const { userId, kind } = await loadWallet(sql, walletId);
  if (kind === 'personal') return { id: (await loadPersonalBook(sql, userId)).id, isClaimed: true };
  await sql.write(
    `insert into book (user_id, wallet_id, kind, name) values ($1, $2, 'unclaimed', 'Unclaimed') on conflict do nothing`,
    [userId, walletId],
  );
  const rows = await sql.query<{ id: string }>(`select id from book where wallet_id = $1 and kind = 'unclaimed'`, [
    walletId,
  ]);
  return { id: rows[0]!.id, isClaimed: false };
}

/** Null where nobody ever sent anything to the strategy's wallet. */
export async function loadUnclaimedBookId(sql: Sql, walletId: string): Promise<string | null> {
  const rows = await sql.query<{ id: string }>(`select id from book where wallet_id = $1 and kind = 'unclaimed'`, [
    walletId,
  ]);
  return rows[0]?.id ?? null;
}

/** Null where the book does not exist or is another user's: both look the same to the caller. */
export async function loadBookOf(sql: Sql, userId: string, bookId: string): Promise<Book | null> {
  const rows = await sql.query<Book>(
    `select ${COLUMNS} from book where id = $1 and user_id = $2 and kind <> 'unclaimed'`,
    [bookId, userId],
  );
  return rows[0] ?? null;
}

export async function loadPersonalBook(sql: Sql, userId: string): Promise<Book> {
  const rows = await sql.query<Book>(`select ${COLUMNS} from book where user_id = $1 and kind = 'personal'`, [userId]);
  if (!rows[0]) throw new Error(`user ${userId} has no personal book`);
  return rows[0];
}

/** By user. */
export async function loadPersonalBookIds(sql: Sql, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ id: string; userId: string }>(
    `select id, user_id as "userId" from book where user_id = any($1::uuid[]) and kind = 'personal'`,
    [userIds],
  );
  return new Map(rows.map(({ id, userId }) => [userId, id]));
}

export async function loadBooks(sql: Sql, userId: string): Promise<Book[]> {
  return sql.query<Book>(`select ${COLUMNS} from book where user_id = $1 and kind <> 'unclaimed' order by created_at`, [
    userId,
  ]);
}

/** By book. */
export async function loadBookNames(sql: Sql, bookIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ id: string; name: string }>(`select id, name from book where id = any($1::uuid[])`, [
    bookIds,
  ]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export type BookInWallet = {
  bookId: string;
  userId: string;
  kind: BookKind | 'unclaimed';
  walletId: string;
  walletKind: WalletKind;
  address: Address;
};

/** Books of any kind with their wallets, by id. */
export async function loadBooksInWallets(
  sql: Sql,
  bookIds: readonly string[],
): Promise<ReadonlyMap<string, BookInWallet>> {
  const rows = await sql.query<BookInWallet>(
    `select b.id as "bookId", b.user_id as "userId", b.kind, w.id as "walletId", w.kind as "walletKind", w.address
     from book b join wallet w on w.id = b.wallet_id where b.id = any($1::uuid[])`,
    [bookIds],
  );
  return new Map(rows.map((row) => [row.bookId, row]));
}

/** Until the transaction ends nothing new is posted to them, also no asset that they never had. */
export async function lockBooksOf(sql: Sql, walletId: string): Promise<void> {
  await sql.query(`select 1 from book where wallet_id = $1 order by id for update`, [walletId]);
}

/** Until the transaction ends nobody orders in it, and then finds what it has become. */
export async function lockBook(sql: Sql, bookId: string): Promise<void> {
  await sql.query(`select 1 from book where id = $1 for no key update`, [bookId]);
}

/** From now on only what sells may be ordered in these books. */
export async function beginClosingBooks(sql: Sql, bookIds: readonly string[]): Promise<void> {
  await sql.write(`update book set status = 'closing' where id = any($1::uuid[]) and status = 'open'`, [bookIds]);
}

export async function closeBook(sql: Sql, bookId: string, at: Date): Promise<void> {
  await sql.write(`update book set status = 'closed', closed_at = $2 where id = $1`, [bookId, at]);
}
