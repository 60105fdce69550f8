import { AppError } from '@hunter/contract/app-error';
import type { CallName, CallParsedRequest } from '@hunter/contract/calls';
import { API_KEY_RATE_MAX, API_KEY_SLIPPAGE_BPS_MAX } from '@hunter/contract/calls/api-keys';
import { keyScopes, type TradeCallName } from '@hunter/contract/key-scopes';
import { printSol, readSol } from '@hunter/domain/numbers/lamports';
import { isStop } from '@hunter/domain/triggers/trigger';
import { isListed } from '../accounts/address-list.ts';
import { type Book, loadBooks } from '../ledger/books.ts';
import { loadSlippage } from '../trading/trade.ts';
import { type ApiKey, findApiKey, recordUse, reserveSpend, returnSpend } from '../accounts/api-key-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import { RateLimit } from '../platform/rate-limit.ts';
import { loadTriggers } from '../triggers/trigger-store.ts';
import { loadFollowedBook } from '../wallet-follows/wallet-follow.ts';

// What a thief with a key can do is bounded here: which calls, how often, from where, how much SOL a day, and at what slippage.

const BURST_SECONDS = 2;

/** How much SOL each call may take out of the personal wallet's free SOL. Complete by its type, like the scopes. */
const spendOf: { [Name in TradeCallName]: (request: CallParsedRequest<Name>) => bigint } = {
  watchToken: () => 0n,
  trackWallet: () => 0n,
  untrackWallet: () => 0n,
  tokenTransfer: ({ side, amount }) => (side === 'buy' ? solOf(amount) : 0n),
  tokenClose: () => 0n,
  placeTrigger: ({ triggers }) =>
    triggers.reduce(
      (sum, { side, amount, schedule }) =>
        side === 'buy' && amount ? sum + solOf(amount.value) * BigInt(schedule?.count ?? 1) : sum,
      0n,
    ),
  pauseTrigger: () => 0n,
  resumeTrigger: () => 0n,
  cancelTrigger: () => 0n,
  cancelAllTriggers: () => 0n,
  followStrategy: ({ amount }) => amount,
  changeFollowFunds: ({ action, amount }) => (action === 'add' ? amount : 0n),
  cancelFollow: () => 0n,
  // Without an amount it is the own strategy that follows, with all the money that others put into it.
  followWallet: ({ amount }) => amount ?? sessionOnly(),
  endWalletFollow: () => 0n,
  startPaperFollow: () => 0n,
  endPaperFollow: () => 0n,
  startPaperWalletFollow: () => 0n,
  endPaperWalletFollow: () => 0n,
  createPriceAlert: () => 0n,
  deletePriceAlert: () => 0n,
};

function sessionOnly(): never {
  throw new AppError('API_KEY_SCOPE');
}

/** What is no amount of SOL is refused by the call itself. */
function solOf(text: string): bigint {
  const reading = readSol(text);
  return reading.ok ? reading.amount : 0n;
}

type Protect = NonNullable<CallParsedRequest<'tokenTransfer'>['protect']>;
type Slipping = { slippageBps?: number | undefined; protect?: Protect | undefined };

/** Orders with a slippage of their own, each by itself. Complete for what sells in books that are no follow's. */
const slippingIn: { [Name in CallName]?: (request: CallParsedRequest<Name>, each: EachOrder) => unknown } = {
  tokenTransfer: (request, each) => each(request, false),
  tokenClose: (request, each) => each(request, false),
  placeTrigger: (request, each) => ({
    ...request,
    triggers: request.triggers.map((trigger) => each(trigger, isStop(trigger.kind))),
  }),
};
type EachOrder = <Order extends Slipping>(order: Order, isStop: boolean) => Order;

/**
 * Slippage that is left out is what the owner has set for himself, and wide for stops. With a key it is no wider than a key may
 * ask for: a stop can be placed so that it fires at once.
 */
function boundSlippage(name: CallName, request: unknown, ownBps: number): unknown {
  const usual = Math.min(ownBps, API_KEY_SLIPPAGE_BPS_MAX);
  const bound = slippingIn[name] as ((request: unknown, each: EachOrder) => unknown) | undefined;
  if (!bound) return request;
  return bound(request, (order, stop) => {
    const { slippageBps = stop ? API_KEY_SLIPPAGE_BPS_MAX : usual, protect } = order;
    const stopBps = protect?.slippageBps ?? API_KEY_SLIPPAGE_BPS_MAX;
    if (Math.max(slippageBps, stopBps) > API_KEY_SLIPPAGE_BPS_MAX) {
      throw new AppError('API_KEY_SLIPPAGE', { percent: API_KEY_SLIPPAGE_BPS_MAX / 100 });
    }
    return { ...order, slippageBps, ...(protect ? { protect: { ...protect, slippageBps: stopBps } } : {}) };
  });
}

/** The fields by which calls name where they act. */
type Named = { bookId?: string; id?: string };

/** Without a book they act in all of them. */
const ACTS_IN_ALL_BOOKS: ReadonlySet<CallName> = new Set(['tokenClose', 'cancelAllTriggers']);

const bookOfTrigger = async (sql: Sql, id: string): Promise<string | null> =>
  (await loadTriggers(sql, [id]))[0]?.bookId ?? null;
/** Of calls that name something in a book. */
const bookOf: { [Name in CallName]?: (sql: Sql, id: string) => Promise<string | null> } = {
  pauseTrigger: bookOfTrigger,
  resumeTrigger: bookOfTrigger,
  cancelTrigger: bookOfTrigger,
  endWalletFollow: loadFollowedBook,
};

export class ApiKeyDoor {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #limit: RateLimit;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#limit = new RateLimit(clock, API_KEY_RATE_MAX, API_KEY_RATE_MAX * BURST_SECONDS);
  }

  /** Throws UNAUTHENTICATED, FORBIDDEN from an address that is not listed, RATE_LIMITED or API_KEY_SCOPE. */
  async admit(name: CallName, secret: string, address: string): Promise<ApiKey> {
    const now = new Date(this.#clock.nowMs());
    const key = await findApiKey(this.#database, now, secret);
    if (!key) throw new AppError('UNAUTHENTICATED');
    if (key.addresses.length > 0 && !isListed(key.addresses, address)) throw new AppError('FORBIDDEN');
    const retryAfterSeconds = this.#limit.take(key.id, API_KEY_RATE_MAX / key.requestsPerSecond);
    if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
    const needs = keyScopes[name];
    if (needs === 'session' || (needs === 'trade' && key.scope !== 'trade')) {
      throw new AppError('API_KEY_SCOPE');
    }
    await recordUse(this.#database, now, key.id, address);
    return key;
  }

  /** Runs a call of a key. What it may spend is reserved before, and returned only where the call was refused. */
  async run(
    name: CallName,
    key: ApiKey,
    request: unknown,
    work: (request: unknown) => Promise<unknown>,
  ): Promise<unknown> {
    if (keyScopes[name] !== 'trade') return work(request);
    await this.#refuseStrategy(name, key, request as Named);
    const bounded = boundSlippage(name, request, await loadSlippage(this.#database, key.userId));
    const spend = (spendOf[name as TradeCallName] as (request: unknown) => bigint)(request);
    if (spend === 0n) return work(bounded);
    const now = new Date(this.#clock.nowMs());
    if (!(await reserveSpend(this.#database, now, key.id, spend))) {
      throw new AppError('API_KEY_SPEND_LIMIT', { limit: printSol(key.dailyLamports ?? 0n) });
    }
    try {
      return await work(bounded);
    } catch (error) {
      // Only a refusal is known to have moved nothing.
      if (error instanceof AppError && error.errorName !== 'INTERNAL') {
        await returnSpend(this.#database, now, key.id, spend);
      }
      throw error;
    }
  }

  /** What is traded in the owner's strategy is traded for all of its followers. */
  async #refuseStrategy(name: CallName, { userId }: ApiKey, { bookId: named, id = '' }: Named): Promise<void> {
    const bookId = named ?? (await bookOf[name]?.(this.#database, id)) ?? null;
    if (bookId === null && !ACTS_IN_ALL_BOOKS.has(name)) return;
    const books = await loadBooks(this.#database, userId);
    const isMeant = (book: Book): boolean => bookId === null || book.id === bookId;
    if (books.some((book) => book.kind === 'strategy' && book.status !== 'closed' && isMeant(book))) sessionOnly();
  }
}
