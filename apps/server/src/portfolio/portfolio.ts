import type { CallReply } from '@hunter/contract/calls';
import { baseUnits, printTokens } from '@hunter/domain/numbers/base-units';
import { printPercentOf } from '@hunter/domain/numbers/decimal';
import { printSol as sol } from '@hunter/domain/numbers/lamports';
import { heldTokens } from '@hunter/domain/record/position';
import { printLamportsUsd } from '@hunter/domain/numbers/price';
import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';
import type { Trading } from '../trading/trading.ts';
import { tokenRef } from './account-reads.ts';
import { loadAccountValues, valueOfBook, type BookValue } from './account-value.ts';
import { loadFeesPaid } from './fees-paid.ts';

type Portfolio = CallReply<'getMyPortfolio'>;

/** What the account consists of now, by place and by token, largest first, and what it has paid in fees. */
export async function loadPortfolio(trading: Trading, userId: string): Promise<Portfolio> {
  const { database } = trading;
  const [values, fees, slugs] = await Promise.all([
    loadAccountValues(trading, [userId]),
    loadFeesPaid(database, userId),
    loadSlugs(database, userId),
  ]);
  const { books, equity } = values.get(userId)!;
  const share = (value: bigint | null): string | null =>
    equity === null || equity === 0n || value === null ? null : printPercentOf(value, equity, 4, 'nearest');
  const places = books.flatMap((each) => {
    const value = valueOfBook(each);
    // A closed place that is empty is history, which the trade record shows.
    return value === 0n && each.book.kind !== 'personal' ? [] : [{ book: each.book, value }];
  });
  const solUsd = trading.solUsd();
  return {
    equity: equity === null ? null : sol(equity),
    equityUsd: equity === null || solUsd === null ? null : printLamportsUsd(equity, solUsd),
    places: places.toSorted(byValue).map(({ book, value }) => ({
      bookId: book.id,
      bookKind: book.kind,
      name: book.name,
      slug: slugs.get(book.id) ?? null,
      value: value === null ? null : sol(value),
      share: share(value),
    })),
    tokens: await tokensOf(trading, books, share),
    fees: {
      network: sol(fees.network),
      priority: sol(fees.priority),
      venue: sol(fees.venue),
      total: sol(fees.network + fees.priority + fees.venue),
      trades: fees.trades,
    },
  };
}

async function tokensOf(
  trading: Trading,
  books: readonly BookValue[],
  share: (value: bigint | null) => string | null,
): Promise<Portfolio['tokens']> {
  const held = new Map<Address, { tokens: bigint; value: bigint | null }>();
  for (const { mint, position, value } of books.flatMap(({ holdings }) => holdings)) {
    const known = held.get(mint) ?? { tokens: 0n, value: 0n };
    held.set(mint, {
      tokens: known.tokens + heldTokens(position),
      value: value === null || known.value === null ? null : known.value + value,
    });
  }
  const facts = await trading.tokens.load([...held.keys()]);
  const inSol = books.reduce((sum, { cash, held: set, rent }) => sum + cash + set + rent, 0n);
  const rows = [...held].map(([mint, { tokens, value }]) => ({
    ...tokenRef(mint, facts.get(mint)),
    amount: printTokens(baseUnits(tokens), facts.get(mint)?.decimals ?? null),
    value,
  }));
  const own = { tokenContractAddress: null, tokenSymbol: 'SOL', tokenName: 'Solana', tokenLogoUrl: '' };
  return [{ ...own, amount: sol(inSol), value: inSol }, ...rows]
    .toSorted(byValue)
    .map((row) => ({ ...row, value: row.value === null ? null : sol(row.value), share: share(row.value) }));
}

/** What cannot be priced comes last. */
function byValue(left: { value: bigint | null }, right: { value: bigint | null }): number {
  const [a, b] = [left.value ?? -1n, right.value ?? -1n];
  return a === b ? 0 : a > b ? -1 : 1;
}

/** Of the strategies and follows behind a user's books. */
async function loadSlugs(sql: Sql, userId: string): Promise<Map<string, string>> {
  const rows = await sql.query<{ bookId: string; slug: string }>(
    `select book_id as "bookId", slug from strategy where user_id = $1
     union all select f.book_id, s.slug from follow f join strategy s on s.id = f.strategy_id where f.user_id = $1`,
    [userId],
  );
  return new Map(rows.map(({ bookId, slug }) => [bookId, slug]));
}
