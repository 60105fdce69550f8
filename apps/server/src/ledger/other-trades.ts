import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';

/** The trade nearest to a moment that a user made in a coin with another book he steers himself; null with none in the span. */
export async function loadOtherTradeAt(
  sql: Sql,
  { userId, bookId, mint, at, withinMs }: { userId: string; bookId: string; mint: Address; at: Date; withinMs: number },
): Promise<Date | null> {
  const rows = await sql.query<{ at: Date }>(
    `select f.at from standing_fill f join book k on k.id = f.book_id
     where f.user_id = $1 and f.mint = $2 and f.book_id <> $3 and k.kind in ('personal', 'strategy', 'wallet-follow') and f.kind in ('buy', 'sell')
       and f.at between $4 and $5
     order by abs(extract(epoch from f.at - $6::timestamptz)) limit 1`,
    [userId, mint, bookId, new Date(at.getTime() - withinMs), new Date(at.getTime() + withinMs), at],
  );
  return rows[0]?.at ?? null;
}
