import type { Address } from '@hunter/solana/address';
import type { AmountIn, AmountOut, Side } from '@hunter/domain/market/swap-maths';
import type { Sql } from '../../platform/postgres.ts';

/** A filled order of a book with what it gave and got, and what everybody who took part put in. */
export type BookRound = {
  id: string;
  at: Date;
  side: Side;
  mint: Address;
  filledIn: AmountIn;
  filledOut: AmountOut;
  swapIn: AmountIn;
};

/** The filled orders that the owner of a strategy's book placed in it, oldest first. */
export function loadBookRounds(sql: Sql, bookId: string): Promise<BookRound[]> {
  return sql.query<BookRound>(
    `select id, settled_at as at, side, mint, filled_in as "filledIn", filled_out as "filledOut", swap_in as "swapIn"
     from trade_order where book_id = $1 and state in ('confirmed', 'finalized') and kind not in ('join', 'exit')
       and filled_in > 0 order by settled_at, id`,
    [bookId],
  );
}
