// What followed wallets do, done after them. For every trade of a wallet and every follow of it:
//   1. one transaction decides, writes the row and moves on past the trade: a crash repeats nothing and forgets nothing;
//   2. the order is placed under the id in the row, so that placing it again after a crash gives the same order;
//   3. the row ends with the order: done, or skipped with the reason.
// A copy that missed its price may wait for it; it is decided again every pass, and dies when the wallet leaves the token.
// What a sale too small to be copied would have sold is kept in its row, and sold with the next one.
// A sale is decided once the copies before it have ended: otherwise a wallet that buys and sells at once would leave its copies with
// what it got rid of.
// Each follow is at work by itself: however many trades its wallet makes, and however long its orders take, it holds up no other.

import { AppError } from '@hunter/contract/app-error';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { AmountOut } from '@hunter/domain/market/swap-maths';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { basisPoints } from '@hunter/domain/numbers/basis-points';
import { lamports } from '@hunter/domain/numbers/lamports';
import {
  LATE_MS,
  leastTokens,
  type WalletCopy,
  type WalletSkipReason,
} from '@hunter/domain/wallet-follows/wallet-follow';
import { loadBooksInWallets } from '../ledger/books.ts';
import { loadWatchedTrades, type WatchedTradeRow } from '../market/wallets/watched-trades.ts';
import { ConcurrencyLimit } from '../platform/concurrency-limit.ts';
import { Loop } from '../platform/loop.ts';
import type { Sql } from '../platform/postgres.ts';
import { isSettled, mayGoOnAlone, type Order } from '../trading/order.ts';
import { loadOrders } from '../trading/order-store.ts';
import { aloneOrderId, requestOrderId } from '../trading/request-order-id.ts';
import { changeCopy, dropBuys, insertCopy, loadOpenCopies, loadUnderWay, type WalletCopyRow } from './copy-store.ts';
import { decideCopy, loadCoinMarket } from './decide-copy.ts';
import { exitTransferred } from './exit-transferred.ts';
import { lockOpenFollow, SELECT_WALLET_FOLLOW, type WalletFollow, type WalletFollows } from './wallet-follow.ts';

const PASS_MS = 1_000;
const TRANSFERS_EVERY_MS = 15_000;
const BATCH = 200;
/** Copies that are decided at a time. */
const PARALLEL = 8;
const BUY_SLIPPAGE_BPS = 200;
const SELL_SLIPPAGE_BPS = 1_000;
/** A plan that no order came of in this time is given up: prices have moved on. */
const PLAN_LIFE_MS = 30_000;
/** So long a sale is tried again while venue or signer cannot be reached, or the price runs away from it. */
const SALE_LIFE_MS = 10 * 60_000;

/** `deciding` keeps the copies of a wallet that many follow from taking the database for themselves. */
type Copying = WalletFollows & { deciding: ConcurrencyLimit };

export class WalletFollowLoop {
  readonly #deps: Copying;
  readonly #loop: Loop;
  /** What is under way, by follow. Its copies come one after another: they share its money. */
  readonly #busy = new Map<string, Promise<void>>();
  #watched: ReadonlySet<string> = new Set();
  #transfersAtMs = 0;

  constructor(deps: WalletFollows) {
    this.#deps = { ...deps, deciding: new ConcurrencyLimit(PARALLEL, Infinity) };
    const { clock, log } = deps;
    this.#loop = new Loop({ name: 'wallet follows', work: () => this.#look(), everyMs: PASS_MS, clock, log });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    while (this.#busy.size > 0) await Promise.allSettled(this.#busy.values());
  }

  /** Trades were stored; only those of followed wallets matter. */
  traded(wallets: Iterable<string>): void {
    for (const wallet of wallets) if (this.#watched.has(wallet)) return this.#loop.wake();
  }

  /** One look, and all that comes of it. */
  async pass(): Promise<void> {
    await this.#look();
    while (this.#busy.size > 0) {
      const results = await Promise.allSettled(this.#busy.values());
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    }
  }

  async #look(): Promise<void> {
    const deps = this.#deps;
    const follows = await deps.database.query<WalletFollow>(`${SELECT_WALLET_FOLLOW} where f.ended_at is null`);
    this.#watched = new Set(follows.map(({ address }) => address));
    const rows = await loadOpenCopies(deps.database, BATCH, [...this.#busy.keys()]);
    const open = Map.groupBy(rows, ({ followId }) => followId);
    const idle = follows.filter(({ id }) => !this.#busy.has(id));
    const trades = await loadNewTrades(deps, idle);
    for (const follow of idle) {
      const left = open.get(follow.id) ?? [];
      const own = trades.filter(({ address, seq }) => address === follow.address && seq > follow.seenSeq);
      open.delete(follow.id);
      if (left.length + own.length === 0) continue;
      this.#start(follow.id, async () => {
        await settleOpen(deps, follow, left);
        await copyTrades(deps, follow, own);
      });
    }
    for (const [id, left] of open) this.#start(id, () => settleOpen(deps, null, left));
    const nowMs = deps.clock.nowMs();
    if (nowMs - this.#transfersAtMs < TRANSFERS_EVERY_MS) return;
    this.#transfersAtMs = nowMs;
    // Whose wallet has just traded is looked at the next time.
    const quiet = follows.filter(({ id }) => !this.#busy.has(id));
    this.#start('transfers', async () => {
      for (const row of await exitTransferred(deps, quiet)) {
        const follow = quiet.find(({ id }) => id === row.followId)!;
        this.#start(follow.id, () => decideAndPlace(deps, follow, row));
      }
    });
  }

  /** One that is at work already is left alone; the next look finds what there is to do. */
  #start(id: string, work: () => Promise<void>): void {
    if (this.#busy.has(id)) return;
    const done = work().finally(() => this.#busy.delete(id));
    done.catch((error: unknown) =>
      this.#deps.log.warn({ follow: id, err: error }, 'copying a wallet failed; retrying with the next pass'),
    );
    this.#busy.set(id, done);
  }
}

async function loadNewTrades(deps: WalletFollows, follows: readonly WalletFollow[]): Promise<WatchedTradeRow[]> {
  if (follows.length === 0) return [];
  const byAddress = Map.groupBy(follows, ({ address }) => address);
  const watched = [...byAddress].map(([address, all]) => ({
    address,
    afterSeq: all.reduce((least, { seenSeq }) => (seenSeq < least ? seenSeq : least), all[0]!.seenSeq),
  }));
  return loadWatchedTrades(deps.database, watched, BATCH);
}

async function copyTrades(deps: Copying, follow: WalletFollow, own: readonly WatchedTradeRow[]): Promise<void> {
  for (const [index, trade] of own.entries()) {
    // One transaction may trade several tokens: it is behind us with the last of them.
    const isLast = own[index + 1]?.seq !== trade.seq;
    await decideAndPlace(deps, follow, rowOf(deps, follow, trade), isLast ? trade.seq : trade.seq - 1n);
  }
}

function rowOf(deps: WalletFollows, follow: WalletFollow, trade: WatchedTradeRow): WalletCopyRow {
  return {
    followId: follow.id,
    seq: trade.seq,
    mint: trade.mint,
    side: trade.isBuy ? 'buy' : 'sell',
    lamports: trade.lamports,
    tokens: trade.baseUnits,
    signature: trade.signature,
    tradedAt: trade.at,
    heldBefore: heldBefore(trade),
    isFirstBuy: trade.isFirst,
    slot: null,
    state: 'planned',
    reason: null,
    orderId: requestOrderId('wallet-copy', follow.id, String(trade.seq), trade.mint),
    amountIn: null,
    runUpLamports: 0n,
    costLamports: 0n,
    waitUntil: null,
    seenAt: new Date(deps.clock.nowMs()),
  };
}

/** What does not add up, such as a token that taxes transfers, is not known. */
function heldBefore({ heldAfter, isBuy, baseUnits }: WatchedTradeRow): bigint | null {
  if (heldAfter === null || heldAfter < 0n) return null;
  const before = isBuy ? heldAfter - baseUnits : heldAfter + baseUnits;
  return before < 0n ? null : before;
}

async function decideAndPlace(
  deps: Copying,
  known: WalletFollow,
  row: WalletCopyRow,
  seenSeq = row.seq,
): Promise<void> {
  const { database, clock } = deps;
  const decided = await deps.deciding.run(async () => {
    const market = await loadCoinMarket(deps, known, row.mint);
    return database.transaction(async (sql) => {
      const follow = await lockOpenFollow(sql, known.id);
      if (follow === null) return null;
      if (row.side === 'sell' && row.heldBefore !== null && row.heldBefore <= row.tokens) {
        const ids = (await loadUnderWay(sql, row)).map(({ orderId }) => orderId);
        const ordered = (await loadOrders(sql, ids)).map(({ id }) => id);
        await dropBuys(sql, row, ordered);
      }
      const next: WalletCopyRow = (await isTooEarly(sql, row))
        ? row
        : { ...row, ...stateOf(follow, row, await decideCopy(sql, follow, row, market, clock.nowMs()), clock.nowMs()) };
      const isNew = await insertCopy(sql, next);
      await sql.write(`update wallet_follow set seen_seq = greatest(seen_seq, $2) where id = $1`, [follow.id, seenSeq]);
      return isNew ? next : null;
    });
  });
  const copy = decided!.value;
  if (copy?.state === 'planned' && copy.amountIn !== null) await placeCopy(deps, known, copy);
}

async function isTooEarly(sql: Sql, row: WalletCopyRow): Promise<boolean> {
  if (row.side === 'buy') return false;
  return (await loadUnderWay(sql, row)).some(({ orderId }) => orderId !== row.orderId);
}

type Outcome = Pick<WalletCopyRow, 'state' | 'reason' | 'amountIn' | 'runUpLamports' | 'costLamports' | 'waitUntil'>;

function stateOf(follow: WalletFollow, row: WalletCopyRow, decision: WalletCopy, nowMs: number): Outcome {
  const none = { amountIn: null, runUpLamports: 0n, costLamports: 0n, waitUntil: row.waitUntil };
  if (decision.kind === 'skip') {
    const { waitMinutes } = follow.settings;
    const mayWait = decision.reason === 'price-gap' && waitMinutes > 0;
    if (!mayWait) return { ...none, state: 'skipped', reason: decision.reason };
    const waitUntil = row.waitUntil ?? new Date(nowMs + waitMinutes * 60_000);
    return { ...none, state: 'waiting', reason: decision.reason, waitUntil };
  }
  if (decision.kind === 'sell-later') {
    return { ...none, state: 'skipped', reason: 'sold-later', amountIn: decision.owedTokens };
  }
  if (decision.kind === 'sell') return { ...none, state: 'planned', reason: null, amountIn: decision.amountIn };
  const { amountIn, limitedBy, runUpLamports, costLamports } = decision;
  return { ...none, state: 'planned', reason: limitedBy, amountIn, runUpLamports, costLamports };
}

async function placeCopy(deps: WalletFollows, follow: WalletFollow, row: WalletCopyRow): Promise<void> {
  const { userId, bookId } = follow;
  const { side, mint, orderId: id } = row;
  const kind = (await loadBooksInWallets(deps.database, [bookId])).get(bookId)!.kind;
  const slippageBps = side === 'buy' ? BUY_SLIPPAGE_BPS : SELL_SLIPPAGE_BPS;
  const order = {
    id,
    userId,
    bookId,
    side,
    mint,
    amountIn: row.amountIn!,
    slippageBps,
    kind: 'trade' as const,
    // The price was looked at when the copy was decided, and may be another one by now.
    ...(side === 'buy' ? { minOut: leastOut(follow, row) } : {}),
  };
  // A book of its own is emptied with the follow's end. A strategy's goes on, and must not trade for a follow that has ended.
  const alongside = async (sql: Sql): Promise<void> => {
    if ((await lockOpenFollow(sql, follow.id)) === null) throw new AppError('NOT_FOLLOWING');
  };
  try {
    const placing =
      kind === 'strategy' ? deps.place({ ...order, alongside }, 'strategy') : deps.place(order, 'wallet-follow');
    await endWith(deps, row, await placing);
  } catch (error) {
    // Anything but a refusal leaves the row planned: the next pass looks what became of the order.
    if (!(error instanceof AppError)) throw error;
    // A creator waits before he sells what his strategy has just bought, and for its last trade; the row stays planned until he may.
    if (error.errorName === 'CREATOR_CONFLICT' || error.errorName === 'TRADE_UNDER_WAY') return;
    if (isWorthAnotherTry(deps, row, error.errorName)) return;
    await changeCopy(deps.database, row, { state: 'skipped', reason: reasonOf(error.errorName) });
  }
}

function leastOut({ settings }: WalletFollow, row: WalletCopyRow): AmountOut {
  const trade = { lamports: lamports(row.lamports), tokens: baseUnits(row.tokens) };
  return leastTokens(lamports(row.amountIn!), trade, basisPoints(settings.maxGapBps));
}

/** The wallet has sold: who is not sold out for an outage is left with what it got rid of. */
function isWorthAnotherTry(
  { clock }: WalletFollows,
  { side, seenAt }: WalletCopyRow,
  error: ErrorName | null,
): boolean {
  const isPassing = error === 'UNAVAILABLE' || error === 'SIGNING_STOPPED' || error === 'PRICE_MOVED';
  return side === 'sell' && isPassing && clock.nowMs() - seenAt.getTime() < SALE_LIFE_MS;
}

async function endWith(deps: WalletFollows, row: WalletCopyRow, order: Order): Promise<void> {
  if (!isSettled(order.state)) return;
  // Nothing of it was traded. The next pass places it anew, under another id.
  if (order.state === 'dead' && isWorthAnotherTry(deps, row, order.error)) {
    await changeCopy(deps.database, row, { orderId: requestOrderId('wallet-copy-again', row.orderId) });
    return;
  }
  if (order.state === 'dead' || order.state === 'failed') {
    const reason = reasonOf(order.error ?? 'TRADE_FAILED');
    await changeCopy(deps.database, row, { state: 'skipped', reason, orderId: order.id });
    return;
  }
  const slot = row.signature === '' ? null : await slotOf(deps, row.signature);
  await changeCopy(deps.database, row, { state: 'done', slot, orderId: order.id });
}

async function slotOf({ rpc }: WalletFollows, signature: string): Promise<bigint | null> {
  const reply = await rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }).catch(() => null);
  return reply?.value[0]?.slot ?? null;
}

const SKIP_OF_ERROR: Partial<Record<ErrorName, WalletSkipReason>> = {
  INSUFFICIENT_BALANCE: 'insufficient-balance',
  FEE_NOT_COVERED: 'insufficient-balance',
  NOTHING_TO_SELL: 'nothing-to-sell',
  AMOUNT_TOO_SMALL: 'below-minimum',
  PRICE_MOVED: 'price-gap',
  TRADE_FAILED: 'failed-on-chain',
  ACCOUNT_FROZEN: 'account-frozen',
};

function reasonOf(error: ErrorName): WalletSkipReason {
  return SKIP_OF_ERROR[error] ?? 'venue-refused';
}

/** What a crash or a slow chain left open, copies that wait for their price, and sales of what was still being bought. */
async function settleOpen(deps: Copying, follow: WalletFollow | null, rows: readonly WalletCopyRow[]): Promise<void> {
  if (rows.length === 0) return;
  const orderIds = rows.flatMap(({ orderId }) => [orderId, aloneOrderId(orderId)]);
  const known = await loadOrders(deps.database, orderIds);
  const orders = new Map(known.map((order) => [order.id, order]));
  const nowMs = deps.clock.nowMs();
  for (const row of rows) {
    const alone = orders.get(aloneOrderId(row.orderId));
    const order = alone ?? orders.get(row.orderId);
    // Whether a creator's own part goes on is known in the lane of his strategy.
    const isLast = alone !== undefined || follow === null || (order && !mayGoOnAlone(order));
    if (order && isLast) await endWith(deps, row, order);
    else if (order && follow) await placeCopy(deps, follow, row);
    else if (!follow) await changeCopy(deps.database, row, { state: 'skipped', reason: 'expired' });
    else if (row.state === 'waiting' || row.amountIn === null) await decideAgain(deps, follow, row, nowMs);
    else if (nowMs - row.seenAt.getTime() > PLAN_LIFE_MS && row.side === 'buy') {
      await changeCopy(deps.database, row, { state: 'skipped', reason: 'expired' });
    } else await placeCopy(deps, follow, row);
  }
}

async function decideAgain(deps: Copying, known: WalletFollow, row: WalletCopyRow, nowMs: number): Promise<void> {
  if (row.waitUntil !== null && nowMs >= row.waitUntil.getTime()) {
    await changeCopy(deps.database, row, { state: 'skipped', reason: 'price-gap' });
    return;
  }
  const planned = await deps.deciding.run(async () => {
    const market = await loadCoinMarket(deps, known, row.mint);
    return deps.database.transaction(async (sql) => {
      const follow = await lockOpenFollow(sql, known.id);
      if (follow === null || (await isTooEarly(sql, row))) return null;
      // While it waits it is not late.
      const asked = { ...row, tradedAt: new Date(Math.max(row.tradedAt.getTime(), nowMs - LATE_MS)) };
      const decision = await decideCopy(sql, follow, asked, market, nowMs);
      if (decision.kind === 'skip' && decision.reason === 'price-gap') return null;
      const next = { ...row, ...stateOf(follow, row, decision, nowMs) };
      return (await changeCopy(sql, row, next)) ? next : null;
    });
  });
  const copy = planned!.value;
  if (copy?.state === 'planned') await placeCopy(deps, known, copy);
}
