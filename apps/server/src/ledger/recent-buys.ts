import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';
import type { Book } from './books.ts';

/** When a user last bought a coin in books of these kinds; null where that is long ago or never was. */
export async function lastBoughtAt(
  sql: Sql,
  which: {
    userId: string;
    mint: Address;
    kinds: readonly Book['kind'][];
    exceptBookId?: string;
    /** Only in books that hold the coin still. */
    isHeld?: boolean;
  },
): Promise<Date | null> {
  const [row] = await sql.query<{ at: Date | null }>(
    `select max(f.at) as at from standing_fill f join book b on b.id = f.book_id
     where f.user_id = $1 and f.mint = $2 and f.kind = 'buy' and b.kind = any($3::text[])
       and ($4::uuid is null or b.id <> $4) and f.at > now() - interval '1 hour'
       and (not $5 or exists (select from position p where p.book_id = b.id and p.mint = f.mint and p.quantity > 0))`,
    [which.userId, which.mint, which.kinds, which.exceptBookId ?? null, which.isHeld ?? false],
  );
  return row?.at ?? null;
}

/** The same for many users and coins, by the two; those who have not bought lately are left out. */
export async function lastBoughtAtAll(
  sql: Sql,
  which: readonly { userId: string; mint: Address }[],
  kinds: readonly Book['kind'][],
): Promise<Map<string, Date>> {
  if (which.length === 0) return new Map();
  const rows = await sql.query<{ userId: string; mint: Address; at: Date }>(
    `select f.user_id as "userId", f.mint, max(f.at) as at
     from (select distinct * from unnest($1::uuid[], $2::text[])) k (user_id, mint)
     join standing_fill f using (user_id, mint) join book b on b.id = f.book_id
     where f.user_id = any($1::uuid[]) and f.kind = 'buy' and b.kind = any($3::text[])
       and f.at > now() - interval '1 hour' group by 1, 2`,
    [which.map(({ userId }) => userId), which.map(({ mint }) => mint), kinds],
  );
  return new Map(rows.map(({ userId, mint, at }) => [`${userId} ${mint}`, at]));
}
