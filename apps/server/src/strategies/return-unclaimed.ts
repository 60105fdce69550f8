import { smaller } from '@hunter/domain/numbers/rounding';
import { loadPersonalBook, loadUnclaimedBookId } from '../ledger/books.ts';
import { SOL } from '../ledger/journal.ts';
import { ACCOUNT_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { placeTransfer } from '../treasury/transfers/place-transfer.ts';
import { loadFrozenBooks, loadReturned } from '../treasury/transfers/transfer-store.ts';
import { loadHoldings } from './book-holdings.ts';
import { RETURN_FEE_LAMPORTS } from './costs.ts';
import { returnCapital } from './end-strategy.ts';
import { coinsToSend, largestReturn, loadCommitted } from './return-funds.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategyById, lockStrategy } from './strategy-store.ts';

/** Until then whoever sent something by mistake can ask for it. */
export const UNCLAIMED_WAIT_MS = 30 * 86_400_000;

/**
 * What strangers sent to the wallet of a strategy that ended long ago goes to its creator as a deposit from outside: SOL, and coins that
 * are worth their costs, which it pays itself. After it goes what had kept the wallet alive.
 */
export async function returnUnclaimed(deps: Strategies, strategyId: string): Promise<void> {
  const { walletId } = await loadStrategyById(deps.database, strategyId);
  const bookId = await loadUnclaimedBookId(deps.database, walletId);
  if (bookId === null) return;
  const { tokens } = (await loadHoldings(deps.database, [bookId])).get(bookId)!;
  const pools = await deps.pools.load([...tokens.keys()]);
  const transferId = await deps.database.transaction(async (sql) => {
    const strategy = await lockStrategy(sql, strategyId, 'round');
    const nowMs = deps.clock.nowMs();
    const isDue = strategy.endedAt !== null && strategy.endedAt.getTime() + UNCLAIMED_WAIT_MS <= nowMs;
    const holdings = await loadHoldings(sql, [bookId, strategy.bookId]);
    const book = holdings.get(bookId)!;
    const frozen = await loadFrozenBooks(sql, [bookId]);
    if (strategy.status !== 'ended' || !isDue || frozen.has(bookId)) return null;
    const returned = await loadReturned(sql, [strategy.bookId, bookId]);
    const before = [...returned.values()].reduce((sum, lamports) => sum + lamports, 0n);
    const most = largestReturn(strategy.capitalLamports, before, await loadCommitted(sql, strategyId));
    const amount = smaller<bigint>(book.freeLamports, most);
    if (amount <= RETURN_FEE_LAMPORTS) return null;
    // It waits for more: of a wallet that has less, no transaction can pay its fee.
    const inWallet = book.lamports + holdings.get(strategy.bookId)!.lamports;
    if (inWallet - RETURN_FEE_LAMPORTS < ACCOUNT_MINIMUM_LAMPORTS) return null;
    const way = { fromBookId: bookId, toBookId: (await loadPersonalBook(sql, strategy.userId)).id };
    const coins = coinsToSend(book, pools);
    const legs = [{ ...way, asset: SOL, amount }, ...coins.map((coin) => ({ ...way, ...coin }))];
    const id = requestOrderId('return-unclaimed', strategyId, String(strategy.closeAttempts));
    await placeTransfer(sql, { id, kind: 'return', legs }, new Date(nowMs));
    await sql.write(`update strategy set close_attempts = close_attempts + 1 where id = $1`, [strategyId]);
    return id;
  });
  if (transferId === null) return;
  await deps.transfers.run(transferId);
  const { userId } = await loadStrategyById(deps.database, strategyId);
  deps.balanceChanged(userId);
  await returnCapital(deps, strategyId);
}
