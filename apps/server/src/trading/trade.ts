import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { basisPoints, minimumAfterSlippage } from '@hunter/domain/numbers/basis-points';
import { readDecimal, printDecimal } from '@hunter/domain/numbers/decimal';
import { lamports, printSol, SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { priceOfTrade, printPriceSol, printPriceUsd } from '@hunter/domain/numbers/price';
import { mulDiv } from '@hunter/domain/numbers/rounding';
import { solAndTokens, unitsIn, unitsOut, type AmountIn, type Side } from '@hunter/domain/market/swap-maths';
import { creatorWaitMs } from '@hunter/domain/copying/conflict-of-interest';
import type { Address } from '@hunter/solana/address';
import { systemClock } from '../platform/clock.ts';
import { loadCashOf } from '../ledger/balances.ts';
import { isInStrategyWallet, loadBookOf, loadBooks, loadPersonalBook, type Book } from '../ledger/books.ts';
import { isCreator, lockCoinsOfCreators } from '../ledger/creator-coins.ts';
import { hasPositionOpenedSince } from '../ledger/positions.ts';
import { lastBoughtAtAll } from '../ledger/recent-buys.ts';
import type { Sql } from '../platform/postgres.ts';
import { SELL_ALL, type NewOrder, type Order } from './order.ts';
import { refusal } from './order-engine.ts';
import { loadOrdersOf } from './order-store.ts';
import { loadStrategyBuying } from './open-orders.ts';
import { accountRent, BUY_MINIMUM_LAMPORTS, impactLevel, isRentMaximum } from './order-limits.ts';
import { orderView } from './order-view.ts';
import { requestOrderId } from './request-order-id.ts';
import { requireToken } from '../market/token-facts.ts';
import { loadTokenAccountOwners } from './token-accounts.ts';
import type { Trading } from './trading.ts';
import { venueFee } from './venue-fee.ts';

const SLIPPAGE_BPS_DEFAULT = 100;
const QUOTE_LIFE_MS = 10_000;

type Requested = { key: string; userId: string };

/** What an order would get right now, for anybody; in the own strategy, with those who follow. */
export async function quoteTrade(
  trading: Trading,
  request: CallParsedRequest<'quote'>,
  userId: string | null,
): Promise<CallReply<'quote'>> {
  const { side } = request;
  const token = await requireToken(trading.tokens, request.tokenContractAddress);
  const { mint } = token;
  const amount = readAmountIn(request.amount, side, token.decimals);
  const slippageBps = request.slippageBps ?? (await loadSlippage(trading.database, userId));
  const book = await quotedBook(trading.database, userId, request.bookId);
  // In a strategy followers go along, and all have the price of the whole.
  const beside =
    book === null
      ? 0n
      : await trading.followersInput({ userId: book.userId, bookId: book.id, side, mint, amountIn: amount });
  const whole = unitsIn(side, amount + beside);
  const quote = await toldOfSide(side, trading.venue.quote({ mint, side, amount: whole, slippageBps }));
  const out = unitsOut(side, mulDiv(quote.outAmount, amount, whole, 'floor'));
  const [sol, tokens] = solAndTokens(side, amount, out);
  const price = priceOfTrade(sol, tokens, token.decimals);
  const outDecimals = side === 'buy' ? token.decimals : SOL_DECIMALS;
  const venue = venueFee(side, sol, quote.feeBps);
  const rent =
    side === 'buy' && !(await hasTokenAccount(trading.database, book, mint)) ? accountRent(token) : lamports(0n);
  const solUsd = trading.solUsd();
  return {
    side,
    amountIn: printDecimal(amount, side === 'buy' ? SOL_DECIMALS : token.decimals),
    expectedOut: printDecimal(out, outDecimals),
    minimumOut: printDecimal(minimumAfterSlippage(out, basisPoints(slippageBps)), outDecimals),
    price: printPriceSol(price),
    priceUsd: solUsd === null ? null : printPriceUsd(price, solUsd),
    priceImpact: quote.impactPercent.toFixed(4),
    impactLevel: impactLevel(quote.impactPercent),
    slippageBps,
    fees: {
      network: printSol(quote.networkFeeLamports),
      venue: printSol(venue),
      rent: printSol(rent),
      rentIsMaximum: isRentMaximum(rent),
      total: printSol(quote.networkFeeLamports + venue),
    },
    expiresAt: quote.expiresAtMs ?? systemClock.nowMs() + QUOTE_LIFE_MS,
  };
}

/** Buys or sells in one book and answers with the confirmed order, or with a sent one when the chain takes long. */
export async function trade(
  trading: Trading,
  request: CallParsedRequest<'tokenTransfer'>,
  requested: Requested,
  alongside?: NewOrder['alongside'],
): Promise<CallReply<'tokenTransfer'>> {
  return toldOfSide(request.side, tradeInBook(trading, request, requested, alongside));
}

async function tradeInBook(
  trading: Trading,
  request: CallParsedRequest<'tokenTransfer'>,
  { key, userId }: Requested,
  alongside?: NewOrder['alongside'],
): Promise<CallReply<'tokenTransfer'>> {
  const { side } = request;
  const token = await requireToken(trading.tokens, request.tokenContractAddress);
  const { mint } = token;
  const amountIn = readAmountIn(request.amount, side, token.decimals);
  if (side === 'buy' && amountIn < BUY_MINIMUM_LAMPORTS) {
    throw new AppError('AMOUNT_TOO_SMALL', { minimum: `${printSol(BUY_MINIMUM_LAMPORTS)} SOL` });
  }
  const book = await tradableBook(trading.database, userId, request.bookId);
  const slippageBps = request.slippageBps ?? (await loadSlippage(trading.database, userId));
  const id = requestOrderId(userId, key, 'tokenTransfer');
  const order = { id, userId, bookId: book.id, side, mint, amountIn, slippageBps, kind: 'trade' as const };
  const ended = await placeInBook(trading, book, alongside ? { ...order, alongside } : order);
  refuseDead(ended);
  return orderView(ended, token.decimals);
}

/** Sells the whole holding of a token, each book for itself; those of his strategies, with their followers, before the others. */
export async function closePosition(
  trading: Trading,
  request: CallParsedRequest<'tokenClose'>,
  { key, userId }: Requested,
): Promise<CallReply<'tokenClose'>> {
  const token = await requireToken(trading.tokens, request.tokenContractAddress);
  const { mint } = token;
  const slippageBps = request.slippageBps ?? (await loadSlippage(trading.database, userId));
  const books = await booksHolding(trading.database, userId, mint, request.bookId);
  const known = await knownOrders(trading, books, mint, { key, userId });
  if (books.length === 0 && known.length === 0) throw new AppError('NOTHING_TO_SELL');
  const close = (book: Book): Promise<Order> =>
    placeInBook(trading, book, {
      id: requestOrderId(userId, key, 'tokenClose', book.id),
      userId,
      bookId: book.id,
      side: 'sell',
      mint,
      amountIn: SELL_ALL,
      fit: true,
      slippageBps,
      kind: 'close',
    });
  const { strategies = [], others = [] } = Object.groupBy(books, ({ kind }) =>
    kind === 'strategy' ? 'strategies' : 'others',
  );
  const results = await Promise.allSettled(strategies.map(close));
  results.push(...(await Promise.allSettled(others.map(close))));
  const orders = [...known, ...results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))];
  const refused = results.find((result) => result.status === 'rejected');
  if (orders.length === 0 && refused) throw ofSide('sell', refused.reason);
  // One book alone says why it could not be sold; of several the list says which were.
  if (orders.length === 1) await toldOfSide('sell', Promise.resolve(orders[0]!).then(refuseDead));
  return { lists: orders.map((order) => orderView(order, token.decimals)) };
}

/** Whether a close that was answered at `since` would now be about a position that was opened later. */
export async function isOpenedSince(sql: Sql, userId: string, request: unknown, since: Date): Promise<boolean> {
  const { tokenContractAddress: mint, bookId } = request as CallParsedRequest<'tokenClose'>;
  return hasPositionOpenedSince(sql, { userId, mint, bookId: bookId ?? null, since });
}

/** In a strategy's wallet everybody takes part; elsewhere the order is the owner's alone. */
export async function placeInBook(trading: Trading, book: Pick<Book, 'kind'>, order: NewOrder): Promise<Order> {
  if (isInStrategyWallet(book.kind)) return trading.placeInStrategy(order);
  const { engine, database, clock } = trading;
  if (order.side === 'buy' || !(await isCreator(database, order.userId))) return engine.placeOrder(order);
  return engine.placeOrder({ ...order, first: (sql) => refuseConflict(sql, order, clock.nowMs()) });
}

/** A creator does not sell his own into the price that his strategy and its followers have just paid, or are about to pay. */
async function refuseConflict(
  sql: Sql,
  { userId, mint }: Pick<NewOrder, 'userId' | 'mint'>,
  nowMs: number,
): Promise<void> {
  await lockCoinsOfCreators(sql, [{ userId, mint }]);
  const [boughtAt] = (await lastStrategyBuys(sql, [{ userId, mint }], new Date(nowMs))).values();
  const waitMs = creatorWaitMs(boughtAt?.getTime() ?? null, nowMs);
  if (waitMs > 0) throw new AppError('CREATOR_CONFLICT', { minutes: Math.ceil(waitMs / 60_000) });
}

/** When strategies of these users last bought these coins, by the two; what is being bought counts as bought now. */
export async function lastStrategyBuys(
  sql: Sql,
  which: readonly { userId: string; mint: Address }[],
  now: Date,
): Promise<Map<string, Date>> {
  const [bought, buying] = await Promise.all([
    lastBoughtAtAll(sql, which, ['strategy']),
    loadStrategyBuying(sql, which),
  ]);
  for (const key of buying) bought.set(key, now);
  return bought;
}

/** Below the engine a sale is refused like a purchase, with the least that a purchase spends; a sale has no such minimum. */
function ofSide(side: Side, error: unknown): unknown {
  const isTooSmall = side === 'sell' && error instanceof AppError && error.errorName === 'AMOUNT_TOO_SMALL';
  return isTooSmall ? new AppError('SALE_TOO_SMALL', undefined, { cause: error }) : error;
}

function toldOfSide<T>(side: Side, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw ofSide(side, error);
  });
}

/** An order that ended without a trade is told as a refusal, so that nobody takes it for a success. */
function refuseDead(order: Order): void {
  if (order.state === 'dead' || order.state === 'failed') throw refusal(order.error ?? 'TRADE_FAILED');
}

function readAmountIn(text: string, side: Side, tokenDecimals: number): AmountIn {
  const reading = readDecimal(text, side === 'buy' ? SOL_DECIMALS : tokenDecimals);
  if (!reading.ok) throw new AppError('INVALID_INPUT', { field: 'amount', reason: 'format' });
  if (reading.raw >= 2n ** 64n) throw new AppError('INVALID_INPUT', { field: 'amount', reason: 'range' });
  return unitsIn(side, reading.raw);
}

/** Null for a visitor who names none. */
async function quotedBook(sql: Sql, userId: string | null, bookId: string | undefined): Promise<Book | null> {
  if (bookId === undefined) return userId === null ? null : loadPersonalBook(sql, userId);
  const book = userId === null ? null : await loadBookOf(sql, userId, bookId);
  if (book === null) throw new AppError('NOT_FOUND');
  return book;
}

export async function tradableBook(sql: Sql, userId: string, bookId: string | undefined): Promise<Book> {
  if (bookId === undefined) return loadPersonalBook(sql, userId);
  const book = await loadBookOf(sql, userId, bookId);
  // A follow's book does what its creator does; its owner leaves it by cancelling.
  if (!book || book.kind === 'follow') throw new AppError('NOT_FOUND');
  if (book.status !== 'open') throw new AppError('STRATEGY_ENDED');
  return book;
}

async function booksHolding(sql: Sql, userId: string, mint: Address, bookId: string | undefined): Promise<Book[]> {
  const books = await loadBooks(sql, userId);
  if (bookId !== undefined && !books.some((book) => book.id === bookId)) throw new AppError('NOT_FOUND');
  const bookIds = books.map((book) => book.id);
  const holding = await loadCashOf(sql, bookIds, mint);
  return books.filter((book) => holding.has(book.id) && (bookId === undefined || book.id === bookId));
}

/** Orders that an earlier run of the same request placed: their books hold nothing any more. */
async function knownOrders(
  trading: Trading,
  holding: readonly Book[],
  mint: Address,
  { key, userId }: Requested,
): Promise<Order[]> {
  const sold = (await loadBooks(trading.database, userId)).filter((book) => !holding.some(({ id }) => id === book.id));
  const orders = await loadOrdersOf(
    trading.database,
    userId,
    sold.map((book) => requestOrderId(userId, key, 'tokenClose', book.id)),
  );
  return orders.filter((order) => order.mint === mint);
}

export async function loadSlippage(sql: Sql, userId: string | null): Promise<number> {
  if (userId === null) return SLIPPAGE_BPS_DEFAULT;
  const rows = await sql.query<{ slippage: number }>(`select slippage_bps as slippage from users where id = $1`, [
    userId,
  ]);
  return rows[0]?.slippage ?? SLIPPAGE_BPS_DEFAULT;
}

async function hasTokenAccount(sql: Sql, book: Book | null, mint: Address): Promise<boolean> {
  if (book === null) return false;
  return (await loadTokenAccountOwners(sql, [book.walletId], mint)).has(book.walletId);
}
