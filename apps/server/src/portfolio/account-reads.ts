import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printTokens } from '@hunter/domain/numbers/base-units';
import { printDecimal, printPercentOf } from '@hunter/domain/numbers/decimal';
import { printSol as sol } from '@hunter/domain/numbers/lamports';
import { heldTokens, unrealizedLamports } from '@hunter/domain/record/position';
import { printLamportsUsd } from '@hunter/domain/numbers/price';
import { RATE_ONE } from '@hunter/domain/numbers/rate';
import type { Address } from '@hunter/solana/address';
import { loadBooks, type Book } from '../ledger/books.ts';
import { loadBalances } from '../ledger/balances.ts';
import { SOL, type Asset } from '../ledger/journal.ts';
import { positionOf, SELECT_POSITION, type PositionRow } from '../ledger/positions.ts';
import { requireToken, type TokenFact } from '../market/token-facts.ts';
import { loadForeignAccounts } from '../treasury/odd-arrivals.ts';
import type { Trading } from '../trading/trading.ts';
import { loadAccountValues, valueOfBook, type BookValue } from './account-value.ts';

export function bookRef(book: Book): { bookId: string; bookKind: Book['kind']; bookName: string } {
  return { bookId: book.id, bookKind: book.kind, bookName: book.name };
}

export function tokenRef(mint: Address, token: TokenFact | undefined) {
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
  mint: Address,
): Promise<CallReply<'getMyTokenAmount'>> {
  const token = await requireToken(trading.tokens, mint);
  const [books, balances] = await Promise.all([
    loadBooks(trading.database, userId),
    loadBalances(trading.database, userId),
  ]);
  const of = (bookId: string, asset: Asset, accounts: readonly string[]): bigint =>
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

const SHOWN_POSITIONS = `p.user_id = $1 and p.quantity + p.uncosted_tokens > 0 and (p.mint = $2 or ($2::text is null and
  exists (select 1 from hidden_token h where h.user_id = $1 and h.mint = p.mint) = $3))`;

/** Tokens that strangers send are always the newest: what somebody bought does not move off his first page because of them. */
const BOUGHT_FIRST = `order by p.quantity > 0 desc, p.opened_at desc nulls last, p.book_id, p.mint`;

export async function loadPositions(
  trading: Trading,
  userId: string,
  request: CallParsedRequest<'getMyPositions'>,
): Promise<CallReply<'getMyPositions'>> {
  const { pageNo, pageSize, tokenContractAddress, hidden } = request;
  const shown = [userId, tokenContractAddress ?? null, hidden === 'only'];
  const [rows, counted] = await Promise.all([
    trading.database.query<PositionRow>(
      `${SELECT_POSITION} where ${SHOWN_POSITIONS} ${BOUGHT_FIRST} limit $4 offset $5`,
      [...shown, pageSize, (pageNo - 1) * pageSize],
    ),
    trading.database.query<{ total: number }>(
      `select count(*)::int as total from position p where ${SHOWN_POSITIONS}`,
      shown,
    ),
  ]);
  const books = new Map((await loadBooks(trading.database, userId)).map((book) => [book.id, book]));
  const tokens = await trading.tokens.load(rows.map((row) => row.mint));
  const holdings = rows.map((row) => ({ mint: row.mint, tokens: heldTokens(positionOf(row)) }));
  const values = await trading.pools.values(holdings);
  const solUsd = trading.solUsd();
  const lists = rows.map((row, index) => {
    const position = positionOf(row);
    const value = values[index] ?? null;
    const known = position.quantity > 0n;
    const profit = value === null || !known ? null : unrealizedLamports(position, value);
    const cost = position.costLamports;
    return {
      ...tokenRef(row.mint, tokens.get(row.mint)),
      ...bookRef(books.get(row.bookId)!),
      openTime: row.openedAt?.getTime() ?? 0,
      amount: printTokens(heldTokens(position), tokens.get(row.mint)?.decimals ?? null),
      boughtAmount: printTokens(position.quantity, tokens.get(row.mint)?.decimals ?? null),
      cost: known ? sol(cost) : null,
      value: value === null ? null : sol(value),
      valueUsd: value === null || solUsd === null ? null : printLamportsUsd(value, solUsd),
      unrealizedProfit: profit === null ? null : sol(profit),
      unrealizedPercent: profit === null || cost === 0n ? null : printPercentOf(profit, cost, 2, 'nearest'),
    };
  });
  return { lists, total: counted[0]!.total, pageNo, pageSize };
}

/** Shown so that nobody wonders where they are; they count as nothing. */
export async function loadForeign(trading: Trading, userId: string): Promise<CallReply<'getMyForeignAccounts'>> {
  const rows = await loadForeignAccounts(trading.database, userId);
  const tokens = await trading.tokens.load(rows.map(({ mint }) => mint));
  return {
    lists: rows.map(({ address, mint, decimals, amount }) => ({
      address,
      ...tokenRef(mint, tokens.get(mint)),
      amount: printTokens(amount, decimals),
    })),
  };
}

export async function loadAccount(trading: Trading, userId: string): Promise<CallReply<'getMyAccount'>> {
  const account = (await loadAccountValues(trading, [userId])).get(userId)!;
  const { books, equity, profit, rate, deposited, withdrawn } = account;
  const sum = (of: (book: BookValue) => bigint) => books.reduce((total, book) => total + of(book), 0n);
  const valueIn = (...kinds: Book['kind'][]): string | null => {
    if (equity === null) return null;
    return sol(sum((each) => (kinds.includes(each.book.kind) ? valueOfBook(each)! : 0n)));
  };
  const solUsd = trading.solUsd();
  return {
    balance: sol(sum(({ walletKind, cash, held }) => (walletKind === 'personal' ? cash + held : 0n))),
    available: sol(sum(({ book, cash }) => (book.kind === 'personal' ? cash : 0n))),
    equity: equity === null ? null : sol(equity),
    equityUsd: equity !== null && solUsd !== null ? printLamportsUsd(equity, solUsd) : null,
    inStrategies: valueIn('strategy'),
    inFollows: valueIn('follow', 'wallet-follow'),
    rentDeposits: sol(sum(({ rent }) => rent)),
    deposited: sol(deposited),
    withdrawn: sol(withdrawn),
    totalReturnRate: rate === null ? null : printPercentOf(rate, RATE_ONE, 2, 'nearest'),
    totalProfit: profit === null ? null : sol(profit),
    leadProfit: null,
  };
}
