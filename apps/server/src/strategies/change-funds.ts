// More or less SOL in a running follow. What is added is a commit like the first; what is taken out comes from free SOL first, and
// where that is not enough every coin is sold by the same fraction.

import { AppError } from '@hunter/contract/app-error';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import { divCeil, divFloor, smaller } from '@hunter/domain/numbers/rounding';
import { loadCash } from '../ledger/balances.ts';
import { loadPersonalBook } from '../ledger/books.ts';
import { SOL } from '../ledger/journal.ts';
import type { Sql } from '../platform/postgres.ts';
import { refusal } from '../trading/order-engine.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { placeTransfer } from '../treasury/transfers/place-transfer.ts';
import { loadCommittedInto, loadFrozenBooks } from '../treasury/transfers/transfer-store.ts';
import { equityOf, loadHoldings } from './book-holdings.ts';
import { JOIN_SLIPPAGE_BPS, RETURN_FEE_LAMPORTS } from './costs.ts';
import { sellTogether, trySale } from './copying/exit-follows.ts';
import { loadFollowById, loadFollowOf, tellFollow, type Follow } from './follow-store.ts';
import { requireRoom } from './follow-strategy.ts';
import { waitUntilQuiet } from './open-orders.ts';
import { finishReturn } from './return-funds.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategy, lockStrategy, type Strategy } from './strategy-store.ts';

/** At least this part stays in a follow that is reduced; who wants more out cancels it. */
const KEPT_BPS = 1_000n;

export type FundsChange = { slug: string; action: 'add' | 'reduce'; amount: Lamports };

/** `requestKey` names the request: the same again changes nothing twice. */
export async function changeFunds(
  deps: Strategies,
  userId: string,
  change: FundsChange,
  requestKey: string,
): Promise<Follow> {
  const strategy = await loadStrategy(deps.database, change.slug);
  const follow = await loadFollowOf(deps.database, userId, strategy.id);
  if (!follow || follow.status === 'closed') throw new AppError('NOT_FOLLOWING');
  const id = requestOrderId('funds', follow.id, change.action, requestKey);
  const [known] = await deps.transfers.waitFor([id], 0);
  if (!known) {
    if (follow.status !== 'active' || strategy.status !== 'running') throw new AppError('TRADE_UNDER_WAY');
    if (change.action === 'add') await placeAddition(deps, strategy, follow, change.amount, id);
    else await placeReduction(deps, strategy, follow, change.amount, id);
  }
  await settle(deps, follow, id);
  deps.balanceChanged(userId);
  deps.due.add(strategy.id);
  const changed = await loadFollowById(deps.database, follow.id);
  tellFollow(deps, changed);
  return changed;
}

async function placeAddition(
  deps: Strategies,
  strategy: Strategy,
  follow: Follow,
  amount: Lamports,
  id: string,
): Promise<void> {
  await deps.database.transaction(async (sql) => {
    const { status } = await lockStrategy(sql, strategy.id, 'follower');
    if (status !== 'running') throw new AppError('STRATEGY_ENDED');
    // Whoever cancels at the same moment comes before this, or after it and then waits for what is added here.
    await requireActive(sql, follow.id);
    await requireRoom(sql, strategy, amount);
    const personal = await loadPersonalBook(sql, follow.userId);
    const leg = { fromBookId: personal.id, toBookId: follow.bookId, asset: SOL, amount };
    await placeTransfer(sql, { id, kind: 'commit', legs: [leg] }, new Date(deps.clock.nowMs()));
  });
}

/** Until the end of the transaction it stays so. What came to a follow that has closed would be nobody's to return. */
async function requireActive(sql: Sql, followId: string): Promise<void> {
  const rows = await sql.query(`select 1 from follow where id = $1 and status = 'active' for share`, [followId]);
  if (rows.length === 0) throw new AppError('NOT_FOLLOWING');
}

async function placeReduction(
  deps: Strategies,
  strategy: Strategy,
  follow: Follow,
  amount: Lamports,
  id: string,
): Promise<void> {
  await deps.lanes.run(strategy.id, 'exit', async () => {
    // Asked for again while the first one waited for the lane.
    if ((await deps.transfers.waitFor([id], 0)).length > 0) return;
    // Before anything is sold: nothing leaves a book whose last commit is not final, which takes less than a minute.
    const frozen = await loadFrozenBooks(deps.database, [follow.bookId]);
    const isReturning = (await loadFollowById(deps.database, follow.id)).returnId !== null;
    if (frozen.size > 0 || isReturning || !(await waitUntilQuiet(deps, strategy.walletId))) {
      throw new AppError('TRADE_UNDER_WAY');
    }
    await sellFor(deps, strategy, follow, amount);
    await deps.database.transaction(async (sql) => {
      await deps.lanes.requireOwned(sql, strategy.id);
      await lockStrategy(sql, strategy.id, 'follower');
      const free = await loadCash(sql, follow.bookId, SOL);
      if (free <= RETURN_FEE_LAMPORTS) throw new AppError('PRICE_MOVED');
      const personal = await loadPersonalBook(sql, follow.userId);
      // A market that gave less than expected returns less, and says so in what arrives.
      const leg = { fromBookId: follow.bookId, toBookId: personal.id, asset: SOL, amount: smaller(amount, free) };
      await placeTransfer(sql, { id, kind: 'return', legs: [leg] }, new Date(deps.clock.nowMs()));
      await sql.write(`update follow set return_id = $2 where id = $1`, [follow.id, id]);
    });
  });
}

/** Sells the same fraction of every coin where the free SOL is not enough. */
async function sellFor(deps: Strategies, strategy: Strategy, follow: Follow, amount: Lamports): Promise<void> {
  const book = (await loadHoldings(deps.database, [follow.bookId])).get(follow.bookId)!;
  const pools = await deps.pools.load([...book.tokens.keys()]);
  const equity = equityOf(book, pools);
  if (equity === null) throw new AppError('UNAVAILABLE');
  const most = equity - divCeil(equity * KEPT_BPS, 10_000n);
  if (amount > most) throw new AppError('INVALID_INPUT', { field: 'amount', reason: 'range' });
  if (amount <= book.freeLamports) return;
  const [missing, coins] = [amount - book.freeLamports, equity - book.freeLamports];
  for (const [mint, tokens] of book.tokens) {
    const part = smaller<bigint>(tokens, divFloor(tokens * missing, coins) + 1n);
    const books = [{ userId: follow.userId, bookId: follow.bookId, followId: follow.id, tokens: part }];
    const sale = sellTogether(deps, strategy, mint, books, { slippageBps: JOIN_SLIPPAGE_BPS, kind: 'exit' });
    if ((await trySale(sale)) !== 'sold') throw new AppError('PRICE_MOVED');
  }
}

/** What has been put in is what has arrived on chain, so counting it again changes nothing. */
async function settle(deps: Strategies, follow: Follow, id: string): Promise<void> {
  const view = await deps.transfers.run(id);
  if (view.kind === 'return') await finishReturn(deps, view);
  if (view.state === 'failed' || view.state === 'dead') throw refusal(view.error ?? 'TRANSFER_FAILED');
  if (view.kind === 'commit') await countAmount(deps, follow.bookId);
}

/**
 * After a commit into a follow: its amount is the sum of all of them, also of one that arrives when the follow is closing. What comes back
 * counts whole, so that it would otherwise be a gain.
 */
export async function countAmount(deps: Pick<Strategies, 'database'>, bookId: string): Promise<void> {
  const committed = await loadCommittedInto(deps.database, bookId);
  await deps.database.write(`update follow set amount_lamports = $2 where book_id = $1 and amount_lamports < $2`, [
    bookId,
    committed,
  ]);
}
