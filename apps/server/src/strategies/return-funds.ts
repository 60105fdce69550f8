// Back to the personal wallet: what a closing follow has in SOL is returned by transfers on chain, as many people per transaction
// as fit; coins that cannot be sold, or are not to be, go along in kind. A follow is closed when its book holds nothing any more.

import { loadBookBalances, loadCashOf } from '../ledger/balances.ts';
import { closeBook, loadPersonalBookIds } from '../ledger/books.ts';
import { isMint, SOL, type Asset } from '../ledger/journal.ts';
import { dropDust } from '../ledger/transfers.ts';
import { loadPersonalCash } from '../ledger/wallet-balance.ts';
import { ACCOUNT_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { divFloor, smaller } from '@hunter/domain/numbers/rounding';
import type { Sql, Transaction } from '../platform/postgres.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { placeTransfer } from '../treasury/transfers/place-transfer.ts';
import { RETURN_LEGS_MAX, TOKEN_ACCOUNT_RENT_MAX_LAMPORTS } from '../treasury/transfers/transfer-costs.ts';
import { loadFrozenBooks, loadFundedBooks, loadReturned } from '../treasury/transfers/transfer-store.ts';
import type { NewTransfer, TransferView } from '../treasury/transfers/transfer.ts';
import { holdingValue, loadHoldings, mintsOf, type Holdings, type Pools } from './book-holdings.ts';
import { tryAgainAt } from './closing-tries.ts';
import { CLOSE_REFUSALS_MAX, IN_KIND_COST_LAMPORTS, RETURN_FEE_LAMPORTS } from './costs.ts';
import { tellFollows } from './follow-store.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategyById } from './strategy-store.ts';

/** What goes in kind may need an account of the receiver's for each coin, and a transaction holds few. */
const COINS_PER_TRANSFER = 3;
/** How many returns of a strategy are under way at once. */
const TRANSFERS_AT_ONCE = 16;
/** So many follows are read and locked together: their number per turn does not grow with that of all who leave. */
const PAGE = TRANSFERS_AT_ONCE * RETURN_LEGS_MAX;
const RETRY_RETURN_MS = 600_000;
const RETRY_SALE_MS = 3_600_000;
/** About four minutes. Whoever asked for the coins then gets those that have a price, and the others are offered to the market. */
const UNPRICED_TRIES_MAX = 8;
/** Sending a coin is worth it where it is worth this many times what that costs. */
const WORTH_SENDING = 5n;

type Due = {
  id: string;
  userId: string;
  bookId: string;
  committed: bigint;
  goesInKind: boolean;
  /** Its owner has asked for the coins. */
  asksInKind: boolean;
  /** Something has failed before, and nobody knows whose return it was. */
  goesAlone: boolean;
  attempts: number;
};
type Leg = NewTransfer['legs'][number];

/** Returns what the closing follows of a strategy have, and closes those that are empty. */
export async function returnFollows(deps: Strategies, strategyId: string): Promise<void> {
  let after: string | null = null;
  let isSent = false;
  for (;;) {
    // In the lane, so that no round sets SOL of the same books aside meanwhile.
    const page: Placed = await deps.lanes.run(strategyId, 'exit', () => placeReturns(deps, strategyId, after));
    const views = await Promise.all(page.transferIds.map((id) => deps.transfers.run(id)));
    for (const view of views) await finishReturn(deps, view);
    isSent ||= views.length > 0;
    if (page.isMore) {
      await closeEmpty(deps, strategyId, page.followIds);
      after = page.followIds.at(-1)!;
    } else if (isSent) {
      // Once more from the first: some had more than goes along in one transaction.
      after = null;
      isSent = false;
    } else break;
  }
  await closeEmpty(deps, strategyId, null);
}

/** `followIds` are those that were looked at, in their order. */
type Placed = { transferIds: string[]; followIds: string[]; isMore: boolean };

/** What the next follows have, in as many transactions as may be under way at once. */
async function placeReturns(deps: Strategies, strategyId: string, after: string | null): Promise<Placed> {
  const market = await loadMarketInKind(deps, strategyId);
  return deps.database.transaction(async (sql) => {
    await deps.lanes.requireOwned(sql, strategyId);
    const due = await sql.query<Due>(
      `select id, user_id as "userId", book_id as "bookId", in_kind or close_refusals >= $2 as "goesInKind", in_kind as "asksInKind",
         close_not_before is not null as "goesAlone", close_attempts as attempts, amount_lamports as committed
       from follow where strategy_id = $1 and status = 'closing' and return_id is null
         and (close_not_before is null or close_not_before <= $3) and ($4::uuid is null or id > $4)
       order by id limit $5 for update`,
      [strategyId, CLOSE_REFUSALS_MAX, new Date(deps.clock.nowMs()), after, PAGE],
    );
    const looks = await lookAt(sql, due, market, await loadCommitted(sql, strategyId));
    await sellInstead(
      sql,
      due.filter((_, index) => looks[index]!.sellsInstead),
    );
    const nowMs = deps.clock.nowMs();
    const later = due.flatMap((follow, index) => {
      const { isTooLittle, isUnpriced } = looks[index]!;
      if (isTooLittle) return { follow, at: new Date(nowMs + RETRY_RETURN_MS) };
      return isUnpriced ? { follow, at: tryAgainAt(nowMs, follow.attempts) } : [];
    });
    await lookLater(sql, later);
    const { transfers, seen } = intoTransfers(
      looks.map(({ legs }) => legs),
      (index) => due[index]!.goesAlone,
    );
    const transferIds: string[] = [];
    for (const transfer of transfers) transferIds.push(await placeReturn(deps, sql, due, transfer));
    const followIds = due.slice(0, seen).map(({ id }) => id);
    return { transferIds, followIds, isMore: seen < due.length || due.length === PAGE };
  });
}

async function placeReturn(deps: Strategies, sql: Transaction, due: readonly Due[], legs: Leg[]): Promise<string> {
  const bookIds = new Set(legs.map(({ fromBookId }) => fromBookId));
  const sending = due.filter(({ bookId }) => bookIds.has(bookId));
  const id = requestOrderId('return', sending[0]!.id, String(sending[0]!.attempts));
  await placeTransfer(sql, { id, kind: 'return', legs }, new Date(deps.clock.nowMs()));
  await sql.write(`update follow set return_id = $2, close_attempts = close_attempts + 1 where id = any($1::uuid[])`, [
    sending.map((follow) => follow.id),
    id,
  ]);
  return id;
}

/** What creator and followers have ever put into a strategy. */
export async function loadCommitted(sql: Sql, strategyId: string): Promise<bigint> {
  const [row] = await sql.query<{ lamports: bigint }>(
    `select (s.capital_lamports + coalesce((select sum(f.amount_lamports) from follow f where f.strategy_id = s.id), 0))::numeric(40, 0)
       as lamports from strategy s where s.id = $1`,
    [strategyId],
  );
  return row!.lamports;
}

/**
 * The most that the signer returns to one person in one transfer. It lets go at once up to one and a half times what he put in;
 * a larger gain follows in daily parts, each a fifth of what all have put in, an hour after it was first asked for.
 */
export function largestReturn(committed: bigint, returned: bigint, allCommitted: bigint): bigint {
  const atOnce = divFloor(committed * 3n, 2n) - returned;
  return atOnce > RETURN_FEE_LAMPORTS ? atOnce : divFloor(allCommitted, 5n);
}

/**
 * `sellsInstead` where it was to go in kind, and none of its coins is worth that or can pay for it. `isTooLittle` where the receiver's
 * wallet is empty and this would not open it: the network refuses that, and with it the returns of all others in the transaction.
 * `isUnpriced` where nobody can say now whether a coin that its owner asked for is worth sending: it is not worthless because of that.
 */
type Look = { legs: Leg[]; sellsInstead?: boolean; isTooLittle?: boolean; isUnpriced?: boolean };
const NOT_YET: Look = { legs: [] };

/** What is sent of each follow; nothing of some. */
async function lookAt(
  sql: Transaction,
  due: readonly Due[],
  { pools, isPriced }: MarketInKind,
  allCommitted: bigint,
): Promise<Look[]> {
  const bookIds = due.map(({ bookId }) => bookId);
  const frozen = await loadFrozenBooks(sql, bookIds);
  const cash = await loadCashOf(sql, bookIds, SOL);
  const holdings = await loadHoldings(sql, bookIds);
  const returned = await loadReturned(sql, bookIds);
  const userIds = due.map(({ userId }) => userId);
  const personal = await loadPersonalBookIds(sql, userIds);
  const personalCash = await loadPersonalCash(sql, userIds);
  return due.map(({ userId, bookId, committed, goesInKind, asksInKind, attempts }): Look => {
    // Who asked for the coins since the market was read waits for the next look.
    if (frozen.has(bookId) || (goesInKind && !isPriced.has(bookId))) return NOT_YET;
    const book = holdings.get(bookId)!;
    const isUnpriced = asksInKind && [...book.tokens.keys()].some((mint) => !pools.has(mint));
    // Its SOL waits as well: it pays for sending them.
    if (isUnpriced && attempts < UNPRICED_TRIES_MAX) return { legs: [], isUnpriced };
    const most = largestReturn(committed, returned.get(bookId) ?? 0n, allCommitted);
    const coins = goesInKind ? coinsToSend(book, pools) : [];
    const sellsInstead = goesInKind && coins.length === 0 && book.tokens.size > 0;
    const isMoreToCome = goesInKind && worthSending(book, pools).length > coins.length;
    // What goes along pays for the accounts of the coins beside it; the rest stays for those that follow.
    const ahead = isMoreToCome && coins.length > 0 ? 2n * IN_KIND_COST_LAMPORTS * BigInt(coins.length) : most;
    const amount = smaller(cash.get(bookId) ?? 0n, smaller(most, ahead));
    if (amount <= RETURN_FEE_LAMPORTS) return { legs: [], sellsInstead: goesInKind && book.tokens.size > 0 };
    const arriving = amount - RETURN_FEE_LAMPORTS - BigInt(coins.length) * TOKEN_ACCOUNT_RENT_MAX_LAMPORTS;
    if ((personalCash.get(userId) ?? 0n) + arriving < ACCOUNT_MINIMUM_LAMPORTS) {
      // What is not sold yet may make it enough, and is tried at its own times.
      return { legs: [], sellsInstead, isTooLittle: coins.length > 0 || book.tokens.size === 0 };
    }
    const way = { fromBookId: bookId, toBookId: personal.get(userId)! };
    return { legs: [{ ...way, asset: SOL, amount }, ...coins.map((coin) => ({ ...way, ...coin }))], sellsInstead };
  });
}

async function sellInstead(sql: Sql, follows: readonly Due[]): Promise<void> {
  await sql.write(`update follow set in_kind = false where id = any($1::uuid[]) and in_kind`, [
    follows.map(({ id }) => id),
  ]);
}

async function lookLater(sql: Sql, rows: readonly { follow: Due; at: Date }[]): Promise<void> {
  // A try like any other: the creator's capital does not wait for it.
  await sql.write(
    `update follow f set close_attempts = f.close_attempts + 1, close_not_before = v.at
     from unnest($1::uuid[], $2::timestamptz[]) v (id, at) where f.id = v.id`,
    [rows.map(({ follow }) => follow.id), rows.map(({ at }) => at)],
  );
}

/**
 * The legs of as many transfers as may be under way at once, and of how many follows they are: SOL of as many people as fit goes in one,
 * coins go alone with the SOL of their owner, and so does what failed together with others.
 */
export function intoTransfers<L>(
  follows: readonly (readonly L[])[],
  goesAlone: (index: number) => boolean = () => false,
): { transfers: L[][]; seen: number } {
  const transfers: L[][] = [];
  let together: L[] = [];
  let seen = 0;
  for (const legs of follows) {
    if (transfers.length === TRANSFERS_AT_ONCE) break;
    seen += 1;
    if (legs.length > 1 || (legs.length > 0 && goesAlone(seen - 1))) transfers.push([...legs]);
    else together.push(...legs);
    if (together.length < RETURN_LEGS_MAX) continue;
    transfers.push(together);
    together = [];
  }
  if (together.length > 0) transfers.push(together);
  return { transfers, seen };
}

/** Coins worth the cost of sending them; the others stay as a visible rest until somebody buys them. */
export function coinsToSend(book: Holdings, pools: Pools): { asset: Asset; amount: bigint }[] {
  const affordable = Number(book.freeLamports / IN_KIND_COST_LAMPORTS);
  return worthSending(book, pools)
    .slice(0, Math.min(affordable, COINS_PER_TRANSFER))
    .map(([asset, amount]) => ({ asset, amount }));
}

function worthSending({ tokens }: Holdings, pools: Pools) {
  return [...tokens].filter(
    ([mint, amount]) => (holdingValue(pools, mint, amount) ?? 0n) >= WORTH_SENDING * IN_KIND_COST_LAMPORTS,
  );
}

/** Pools of what the books hold whose coins go in kind. */
type MarketInKind = { pools: Pools; isPriced: ReadonlySet<string> };

async function loadMarketInKind(deps: Strategies, strategyId: string): Promise<MarketInKind> {
  const rows = await deps.database.query<{ bookId: string }>(
    `select book_id as "bookId" from follow where strategy_id = $1 and status = 'closing'
       and (in_kind or close_refusals >= $2)`,
    [strategyId, CLOSE_REFUSALS_MAX],
  );
  const bookIds = rows.map(({ bookId }) => bookId);
  const holdings = await loadHoldings(deps.database, bookIds);
  return { pools: await deps.pools.load(mintsOf(holdings.values())), isPriced: new Set(bookIds) };
}

/** Takes over what became of a return. One that is still under way is looked at again later. */
export async function finishReturn(deps: Strategies, view: TransferView): Promise<void> {
  if (view.state === 'held' || view.state === 'sent') return;
  const coins = view.legs.map(({ asset }) => asset).filter(isMint);
  const pools: Pools = coins.length === 0 ? new Map() : await deps.pools.load(coins);
  // Coins that went over as they are came back as well: they count with what selling them would have returned.
  const valueOf = (asset: Asset, amount: bigint): bigint =>
    asset === SOL ? amount : (holdingValue(pools, asset, baseUnits(amount)) ?? 0n);
  const received = (bookId: string): bigint =>
    view.legs
      .filter((leg) => leg.fromBookId === bookId)
      .reduce((sum, { asset, received: got }) => sum + valueOf(asset, got ?? 0n), 0n);
  // What failed would fail again at once, and every try costs its fee.
  const isRefused = view.state === 'failed' || view.state === 'dead';
  const later = new Date(deps.clock.nowMs() + RETRY_RETURN_MS);
  if (isRefused) deps.log.warn({ transferId: view.id, error: view.error }, 'a return failed; retrying in 10 min');
  const users = await deps.database.transaction(async (sql) => {
    const follows = await sql.query<{ id: string; userId: string; bookId: string }>(
      `select id, user_id as "userId", book_id as "bookId" from follow where return_id = $1 order by id for update`,
      [view.id],
    );
    await sql.write(
      `update follow f set return_id = null, returned_lamports = coalesce(f.returned_lamports, 0) + v.received,
         close_not_before = $3
       from unnest($1::uuid[], $2::numeric[]) v (id, received) where f.id = v.id`,
      [follows.map(({ id }) => id), follows.map(({ bookId }) => received(bookId)), isRefused ? later : null],
    );
    return follows.map(({ userId }) => userId);
  });
  for (const userId of users) deps.balanceChanged(userId);
}

/**
 * Of these follows, or of all that are closing. Less SOL than the fee of sending it goes where strangers' gifts go: closed means
 * nothing in any asset.
 */
async function closeEmpty(deps: Strategies, strategyId: string, followIds: readonly string[] | null): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  const closed = await deps.database.transaction(async (sql) => {
    const rows = await sql.query<{ id: string; userId: string; bookId: string }>(
      `select id, user_id as "userId", book_id as "bookId" from follow
       where strategy_id = $1 and status = 'closing' and return_id is null and ($2::uuid[] is null or id = any($2))
       order by id for update`,
      [strategyId, followIds],
    );
    const bookIds = rows.map(({ bookId }) => bookId);
    const balances = Map.groupBy(await loadBookBalances(sql, bookIds), ({ bookId }) => bookId);
    const frozen = await loadFrozenBooks(sql, bookIds);
    const { walletId } = await loadStrategyById(sql, strategyId);
    const empty = rows.filter(({ bookId }) => {
      const own = balances.get(bookId) ?? [];
      return (
        !frozen.has(bookId) &&
        own.every(({ asset, account, amount }) => asset === SOL && account === 'cash' && amount <= RETURN_FEE_LAMPORTS)
      );
    });
    for (const { bookId } of empty) {
      if ((balances.get(bookId) ?? []).some(({ amount }) => amount > 0n)) await dropDust(sql, bookId, walletId);
    }
    await Promise.all(empty.map(({ bookId }) => closeBook(sql, bookId, now)));
    // What nobody buys and is not worth sending stays visible in the follow, and is offered again every hour.
    const left = rows.filter((row) => !empty.includes(row)).map(({ id }) => id);
    await sql.write(
      `update follow set close_not_before = $2 where id = any($1::uuid[]) and close_not_before is null and close_refusals >= $3`,
      [left, new Date(now.getTime() + RETRY_SALE_MS), CLOSE_REFUSALS_MAX],
    );
    // Canceled before its SOL left the personal wallet, and then it never did: the follow has lost nothing.
    const funded = await loadFundedBooks(sql, bookIds);
    await sql.write(
      `update follow set status = 'closed', closed_at = $2, progress_done = progress_total,
         returned_lamports = coalesce(returned_lamports, case when book_id = any($3::uuid[]) then 0 else amount_lamports end)
       where id = any($1::uuid[])`,
      [empty.map(({ id }) => id), now, [...funded]],
    );
    return empty;
  });
  if (closed.length > 0) deps.due.add(strategyId);
  for (const { userId } of closed) deps.balanceChanged(userId);
  const ids = closed.map(({ id }) => id);
  await tellFollows(deps, ids);
}
