import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printTokens } from '@hunter/domain/base-units';
import { printDecimal, printPercentOf } from '@hunter/domain/decimal';
import { lamports, printSol as sol, type Lamports } from '@hunter/domain/lamports';
import { costedShare, heldTokens, unrealisedLamports } from '@hunter/domain/position';
import { printLamportsUsd } from '@hunter/domain/price';
import { RATE_ONE } from '@hunter/domain/rate';
import { totalReturn } from '@hunter/domain/total-return';
import { loadBooks, type Book } from '../ledger/books.ts';
import { loadBalances } from '../ledger/balances.ts';
import { OUTSIDE_KINDS, SOL } from '../ledger/journal.ts';
import { positionOf, SELECT_POSITION, type PositionRow } from '../ledger/positions.ts';
import type { Sql } from '../platform/postgres.ts';
import { requireToken, type TokenFact } from '../market/token-facts.ts';
import type { Trading } from '../trading/trading.ts';

export function bookRef(book: Book): { bookId: string; bookKind: Book['kind']; bookName: string } {
  return { bookId: book.id, bookKind: book.kind, bookName: book.name };
}

export function tokenRef(mint: string, token: TokenFact | undefined) {
  return {
    tokenContractAddress: mint,
    tokenSymbol: token?.symbol ?? mint.slice(0, 4),
    tokenName: token?.name ?? mint,
    // Logos come from outside; browsers get them through our own proxy only.
    tokenLogoUrl: `/api/token/logo/${mint}`,
  };
}

/** How much of a token the user holds in each book, and where more of it can be traded. */
export async function loadTokenAmount(
  trading: Trading,
  userId: string,
  mint: string,
): Promise<CallReply<'getMyTokenAmount'>> {
  const token = await requireToken(trading.tokens, mint);
  const [books, balances] = await Promise.all([
    loadBooks(trading.database, userId),
    loadBalances(trading.database, userId),
  ]);
  const of = (bookId: string, asset: string, accounts: readonly string[]): bigint =>
    balances
      .filter((row) => row.bookId === bookId && row.asset === asset && accounts.includes(row.account))
      .reduce((sum, row) => sum + row.amount, 0n);
  const rows = books.map((book) => ({ book, amount: of(book.id, mint, ['cash', 'held']) }));
  const shown = rows.filter(({ book, amount }) => book.status !== 'closed' || amount > 0n);
  return {
    amount: printDecimal(
      rows.reduce((sum, row) => sum + row.amount, 0n),
      token.decimals,
    ),
    books: shown.map(({ book, amount }) => ({
      ...bookRef(book),
      amount: printDecimal(amount, token.decimals),
      availableSol: sol(of(book.id, SOL, ['cash'])),
      tradable: book.kind !== 'follow' && book.status === 'open',
    })),
  };
}

type OpenPosition = PositionRow & { total: bigint };

export async function loadPositions(
  trading: Trading,
  userId: string,
  request: CallParsedRequest<'getMyPositions'>,
): Promise<CallReply<'getMyPositions'>> {
  const { pageNo, pageSize, tokenContractAddress } = request;
  const rows = await trading.database.query<OpenPosition>(
    `select *, count(*) over () as total from (${SELECT_POSITION}
       where p.user_id = $1 and p.quantity + p.uncosted_tokens > 0 and ($2::text is null or p.mint = $2)) q
     order by "openedAt" desc, "bookId", mint limit $3 offset $4`,
    [userId, tokenContractAddress ?? null, pageSize, (pageNo - 1) * pageSize],
  );
  const books = new Map((await loadBooks(trading.database, userId)).map((book) => [book.id, book]));
  const tokens = await trading.tokens.load(rows.map((row) => row.mint));
  const holdings = rows.map((row) => ({ mint: row.mint, tokens: heldTokens(positionOf(row)) }));
  const values = await trading.pools.values(holdings);
  const solUsd = trading.solUsd();
  const lists = rows.map((row, index) => {
    const position = positionOf(row);
    const value = values[index] ?? null;
    const known = position.quantity > 0n;
    const profit = value === null || !known ? null : unrealisedLamports(position, value);
    const cost = position.costLamports;
    return {
      ...tokenRef(row.mint, tokens.get(row.mint)),
      ...bookRef(books.get(row.bookId)!),
      openTime: row.openedAt?.getTime() ?? 0,
      amount: printTokens(heldTokens(position), tokens.get(row.mint)?.decimals ?? null),
      cost: known ? sol(cost) : null,
      value: value === null ? null : sol(value),
      valueUsd: value === null || solUsd === null ? null : printLamportsUsd(value, solUsd),
      unrealizedProfit: profit === null ? null : sol(profit),
      unrealizedPercent: profit === null || cost === 0n ? null : printPercentOf(profit, cost, 2, 'nearest'),
    };
  });
  return { lists, total: Number(rows[0]?.total ?? 0n), pageNo, pageSize };
}

export async function loadAccount(trading: Trading, userId: string): Promise<CallReply<'getMyAccount'>> {
  const { database } = trading;
  const [books, balances, flows, positions] = await Promise.all([
    loadBooks(database, userId),
    loadBalances(database, userId),
    loadFlows(database, userId),
    database.query<PositionRow>(`${SELECT_POSITION} where p.user_id = $1`, [userId]),
  ]);
  const open = positions.filter((row) => heldTokens(positionOf(row)) > 0n);
  const values = await trading.pools.values(
    open.map((row) => ({ mint: row.mint, tokens: heldTokens(positionOf(row)) })),
  );
  const kinds = new Map(books.map((book) => [book.id, book.kind]));
  const equityBy = { personal: 0n, strategy: 0n, follow: 0n };
  let wallet = 0n;
  let available = 0n;
  let rent = 0n;
  for (const { bookId, account, asset, amount } of balances) {
    if (asset !== SOL) continue;
    const kind = kinds.get(bookId)!;
    equityBy[kind] += amount;
    if (account === 'rent') rent += amount;
    else wallet += amount;
    if (kind === 'personal' && account === 'cash') available += amount;
  }
  // Money that never was a profit: tokens from outside, and what selling such tokens brought.
  let outside = positions.reduce((sum, row) => sum + row.outsideProceedsLamports, 0n);
  const isPriced = values.every((value) => value !== null);
  open.forEach((row, index) => {
    const value = values[index] ?? lamports(0n);
    equityBy[kinds.get(row.bookId)!] += value;
    outside += value - costedShare(positionOf(row), value);
  });
  const equity = equityBy.personal + equityBy.strategy + equityBy.follow;
  const { profitLamports, rate } = totalReturn({
    equityLamports: lamports(equity),
    depositedLamports: flows.deposited,
    withdrawnLamports: flows.withdrawn,
    outsideLamports: outside,
  });
  const solUsd = trading.solUsd();
  const priced = (amount: bigint): string | null => (isPriced ? sol(amount) : null);
  return {
    balance: sol(wallet),
    available: sol(available),
    equity: priced(equity),
    equityUsd: isPriced && solUsd !== null ? printLamportsUsd(equity, solUsd) : null,
    inStrategies: priced(equityBy.strategy),
    inFollows: priced(equityBy.follow),
    rentDeposits: sol(rent),
    deposited: sol(flows.deposited),
    withdrawn: sol(flows.withdrawn),
    totalReturnRate: isPriced && rate !== null ? printPercentOf(rate, RATE_ONE, 2, 'nearest') : null,
    totalProfit: priced(profitLamports),
    leadProfit: null,
  };
}

/** SOL that came from outside and went there, by the journal; tokens that were withdrawn count with what they had cost. */
async function loadFlows(sql: Sql, userId: string): Promise<{ deposited: Lamports; withdrawn: Lamports }> {
  const rows = await sql.query<{ deposited: Lamports; withdrawn: Lamports }>(
    `with entries as (
       select distinct p.entry_id from posting p join book k on k.id = p.book_id
       join journal_entry e on e.id = p.entry_id
       where k.user_id = $1 and k.kind <> 'unclaimed' and p.asset = $2 and e.kind in ${OUTSIDE_KINDS}
     )
     select coalesce(-sum(amount) filter (where amount < 0), 0)::numeric(40, 0) as deposited,
            (coalesce(sum(amount) filter (where amount > 0), 0)
               + (select coalesce(sum(cost_lamports), 0) from withdrawal where user_id = $1))::numeric(40, 0) as withdrawn
     from posting join entries using (entry_id)
     where book_id is null and asset = $2 and account in ('external', 'chain')`,
    [userId, SOL],
  );
  return rows[0]!;
}
