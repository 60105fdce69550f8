import type { Address } from '@hunter/solana/address';
import { randomUUID } from 'node:crypto';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { LOCK_ORDER } from '../ledger/balances.ts';
import type { BookKind, BookStatus } from '../ledger/books.ts';
import { postEntries, SOL, type Asset } from '../ledger/journal.ts';
import { ACCOUNT_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';
import type { Sql } from '../platform/postgres.ts';
import { columnsOf } from '../platform/columns-of.ts';
import { loadBusyIntents } from '../sending/transaction-store.ts';
import { decideHold, type HoldDecision } from './decide-hold.ts';
import { NOT_EXECUTED, type HeldOrder, type NewOrder, type Order, type OrderWallet } from './order.ts';
import { rentCeiling } from './order-limits.ts';
import { holdEntry } from './order-postings.ts';
import { loadOrders } from './order-store.ts';
import { wholeOrder } from './rounds/round.ts';

export type Placement = { order: NewOrder; tokenProgram: Address };

export type Placed =
  | { kind: 'held'; held: HeldOrder }
  /** The id was used before. */
  | { kind: 'known'; order: Order }
  /** Nothing is written of it. */
  | { kind: 'refused'; error: ErrorName };

type BookRow = OrderWallet & { id: string; userId: string; kind: BookKind; status: BookStatus };

/**
 * Inserts orders together with their holds, in the caller's transaction and a handful of statements however many they are. Who
 * cannot pay is refused alone. Balances are locked first, in the order in which postings lock them.
 */
export async function placeOrders(
  sql: Sql,
  placements: readonly Placement[],
  options: { feeReserveLamports: Lamports; now: Date },
): Promise<Placed[]> {
  const ids = placements.map(({ order }) => order.id ?? randomUUID());
  const chosen = placements.flatMap(({ order }) => order.id ?? []);
  for (const { order } of placements) await order.first?.(sql);
  // Asked for together, answered in this order. Behind the locks: of two equal requests at one moment the second sees the order of the
  // first, whichever process placed it.
  const [books, cash, orders] = await Promise.all([
    loadBooks(sql, placements),
    lockCash(sql, placements),
    loadOrders(sql, chosen),
  ]);
  const known = new Map(orders.map((order) => [order.id, order]));
  const accounts = await loadTokenAccounts(sql, placements, books);
  const poor = await loadPoorWallets(sql, placements, { books, cash, feeReserveLamports: options.feeReserveLamports });

  const results: Placed[] = [];
  const held: Order[] = [];
  const seen = new Set<string>();
  placements.forEach((placement, index) => {
    const id = ids[index]!;
    const { order } = placement;
    const existing = known.get(id);
    if (existing || seen.has(id)) {
      results.push(existing ? { kind: 'known', order: existing } : { kind: 'refused', error: 'REQUEST_IN_PROGRESS' });
      return;
    }
    seen.add(id);
    const book = books.get(order.bookId);
    if (!book || book.userId !== order.userId) {
      results.push({ kind: 'refused', error: 'NOT_FOUND' });
      return;
    }
    const solKey = `${order.bookId} ${SOL}`;
    const tokenKey = `${order.bookId} ${order.mint}`;
    const accountKey = `${book.walletId} ${order.mint}`;
    const decision = decideHold({
      order,
      book,
      cashLamports: lamports(cash.get(solKey) ?? 0n),
      cashTokens: baseUnits(cash.get(tokenKey) ?? 0n),
      feeReserveLamports: options.feeReserveLamports,
      rentLamports: accounts.has(accountKey) ? lamports(0n) : rentCeiling(placement.tokenProgram),
    });
    if (decision.kind === 'refuse' || poor.has(book.walletId)) {
      results.push({ kind: 'refused', error: decision.kind === 'refuse' ? decision.error : 'FEE_NOT_COVERED' });
      return;
    }
    cash.set(solKey, (cash.get(solKey) ?? 0n) - decision.holdLamports);
    cash.set(tokenKey, (cash.get(tokenKey) ?? 0n) - decision.holdTokens);
    const drafted = draftOrder(id, order, book, decision, options.now);
    held.push(drafted);
    const { walletId, address, sealedKey } = book;
    results.push({ kind: 'held', held: { order: drafted, wallet: { walletId, address, sealedKey } } });
  });

  await insertOrders(sql, held);
  await postEntries(
    sql,
    held.map((order) => holdEntry(order, [wholeOrder(order)], options.now)),
  );
  for (const order of held) await placements[ids.indexOf(order.id)]!.order.alongside?.(sql, order);
  return results;
}

function draftOrder(
  id: string,
  order: NewOrder,
  book: BookRow,
  { amountIn, holdLamports, holdTokens }: Extract<HoldDecision, { kind: 'hold' }>,
  now: Date,
): Order {
  return {
    id,
    userId: order.userId,
    bookId: order.bookId,
    walletId: book.walletId,
    bookKind: book.kind,
    kind: order.kind,
    side: order.side,
    mint: order.mint,
    amountIn,
    swapIn: amountIn,
    isRound: false,
    slippageBps: order.slippageBps,
    state: 'held',
    holdLamports,
    holdTokens,
    minOut: order.minOut ?? null,
    createdAt: now,
    ...NOT_EXECUTED,
  };
}

/** Shared locks: a book that is being closed either waits for these orders or refuses them. */
async function loadBooks(sql: Sql, placements: readonly Placement[]): Promise<Map<string, BookRow>> {
  const rows = await sql.query<BookRow>(
    `select k.id, k.user_id as "userId", k.kind, k.status, w.id as "walletId", w.address, w.envelope as "sealedKey"
     from book k join wallet w on w.id = k.wallet_id
     where k.id = any($1::uuid[]) and k.kind <> 'unclaimed' order by k.id for share of k`,
    [[...new Set(placements.map(({ order }) => order.bookId))]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function lockCash(sql: Sql, placements: readonly Placement[]): Promise<Map<string, bigint>> {
  const rows = await sql.query<{ bookId: string; asset: Asset; cash: bigint }>(
    `select h.book_id as "bookId", h.asset, h.cash from holding h
     where h.book_id = any($1::uuid[]) and h.asset = any($2::text[]) ${LOCK_ORDER}`,
    [
      [...new Set(placements.map(({ order }) => order.bookId))],
      [SOL, ...new Set(placements.map(({ order }) => order.mint))],
    ],
  );
  return new Map(rows.map((row) => [`${row.bookId} ${row.asset}`, row.cash]));
}

/** Token accounts that exist and stay: a buy into another one pays its rent. */
async function loadTokenAccounts(
  sql: Sql,
  placements: readonly Placement[],
  books: ReadonlyMap<string, BookRow>,
): Promise<Set<string>> {
  const buys = placements.filter(({ order }) => order.side === 'buy');
  if (buys.length === 0) return new Set();
  const rows = await sql.query<{ walletId: string; mint: Address; address: Address }>(
    `select wallet_id as "walletId", mint, address from token_account
     where wallet_id = any($1::uuid[]) and mint = any($2::text[])`,
    [[...new Set([...books.values()].map((book) => book.walletId))], [...new Set(buys.map(({ order }) => order.mint))]],
  );
  const addresses = rows.map((row) => row.address);
  const closing = await loadBusyIntents(sql, 'closing', addresses);
  return new Set(rows.flatMap(({ walletId, mint, address }) => (closing.has(address) ? [] : [`${walletId} ${mint}`])));
}

/**
 * Wallets of sales that cannot pay a network fee: the chain takes it before a sale brings anything, and only from an account that stays
 * alive. Nearly every book that sells has enough by itself.
 */
async function loadPoorWallets(
  sql: Sql,
  placements: readonly Placement[],
  known: { books: ReadonlyMap<string, BookRow>; cash: ReadonlyMap<string, bigint>; feeReserveLamports: Lamports },
): Promise<Set<string>> {
  const least = ACCOUNT_MINIMUM_LAMPORTS + known.feeReserveLamports;
  const walletIds = placements.flatMap(({ order: { side, bookId } }) => {
    const book = known.books.get(bookId);
    return side === 'sell' && book && (known.cash.get(`${bookId} ${SOL}`) ?? 0n) < least ? [book.walletId] : [];
  });
  if (walletIds.length === 0) return new Set();
  const rows = await sql.query<{ walletId: string }>(
    `select b.wallet_id as "walletId" from book b left join holding h on h.book_id = b.id and h.asset = 'SOL'
     where b.wallet_id = any($1::uuid[]) group by b.wallet_id having coalesce(sum(h.cash + h.held), 0) < $2`,
    [[...new Set(walletIds)], least],
  );
  return new Set(rows.map(({ walletId }) => walletId));
}

export async function insertOrders(sql: Sql, orders: readonly Order[]): Promise<void> {
  if (orders.length === 0) return;
  await sql.write(
    `insert into trade_order (id, user_id, book_id, kind, side, mint, amount_in, slippage_bps, state, hold_lamports,
       hold_tokens, error, created_at, settled_at, wallet_id, swap_in, is_round, min_out)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::int[],
       $9::text[], $10::numeric[], $11::numeric[], $12::text[], $13::timestamptz[], $14::timestamptz[], $15::uuid[],
       $16::numeric[], $17::boolean[], $18::numeric[])`,
    [
      ...columnsOf(orders, 'id', 'userId', 'bookId', 'kind', 'side', 'mint', 'amountIn', 'slippageBps', 'state'),
      ...columnsOf(orders, 'holdLamports', 'holdTokens', 'error', 'createdAt', 'settledAt', 'walletId', 'swapIn'),
      ...columnsOf(orders, 'isRound', 'minOut'),
    ],
  );
}
