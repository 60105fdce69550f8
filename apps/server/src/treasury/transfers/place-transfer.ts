import { AppError } from '@hunter/contract/app-error';
import { loadBooksInWallets } from '../../ledger/books.ts';
import { postEntries, SOL } from '../../ledger/journal.ts';
import { lockCashOf } from '../../ledger/balances.ts';
import { WALLET_MINIMUM_LAMPORTS } from '../../ledger/wallet-minimum.ts';
import { violates, type Transaction } from '../../platform/postgres.ts';
import type { Leg, NewTransfer } from './transfer.ts';
import { fitsTransaction, sentLamports, TRANSFER_FEE_LAMPORTS } from './transfer-costs.ts';
import { holdEntry } from './transfer-postings.ts';
import { insertTransfer } from './transfer-store.ts';

/**
 * In the caller's transaction: writes the transfer and sets its money aside, the fee of a commit on top. Throws
 * INSUFFICIENT_BALANCE; a personal book keeps the wallet minimum. The same id again does nothing. `Transfers.run` signs and sends it
 * after the caller's commit, and so does recovery.
 */
export async function placeTransfer(sql: Transaction, transfer: NewTransfer, at: Date): Promise<void> {
  const { id, kind } = transfer;
  const books = await loadBooksInWallets(
    sql,
    transfer.legs.flatMap(({ fromBookId, toBookId }) => [fromBookId, toBookId]),
  );
  const legs = transfer.legs.map(({ fromBookId, toBookId, asset, amount }, line): Leg => {
    const [from, to] = [books.get(fromBookId), books.get(toBookId)];
    if (!from || !to) throw new Error(`transfer ${id} names a book that does not exist`);
    return { line, from, to, asset, amount, received: null };
  });
  requireShape(transfer, legs);
  const { walletId, address } = legs[0]!.from;
  const placed = { id, kind, walletId, address, state: 'held' as const, signature: null, error: null, legs };
  if (!(await insertTransfer(sql, placed, at))) return;
  if (kind === 'commit') await requireMinimum(sql, legs[0]!);
  try {
    await postEntries(sql, [holdEntry(placed, at)]);
  } catch (cause) {
    if (violates(cause, 'balance_not_negative')) throw new AppError('INSUFFICIENT_BALANCE', undefined, { cause });
    throw cause;
  }
}

/** What no caller may ask for. */
function requireShape({ id, kind }: NewTransfer, legs: readonly Leg[]): void {
  const [fromKind, toKind] = kind === 'commit' ? ['personal', 'strategy'] : ['strategy', 'personal'];
  const isOneWallet = legs.every(({ from }) => from.walletId === legs[0]!.from.walletId);
  const isRightKind = legs.every(({ from, to }) => from.walletKind === fromKind && to.walletKind === toKind);
  const isOneLeg = legs.length === 1 && legs[0]!.asset === SOL;
  if (legs.length === 0 || !isOneWallet || !isRightKind || (kind === 'commit' && !isOneLeg) || !fitsTransaction(legs)) {
    throw new Error(`transfer ${id} is no ${kind} that one transaction can carry`);
  }
  const sent = sentLamports(kind, legs, TRANSFER_FEE_LAMPORTS, () => 0n);
  if ([...sent.values()].some((lamports) => lamports <= 0n)) throw new AppError('INSUFFICIENT_BALANCE');
}

/** The wallet minimum stays in the personal book. */
async function requireMinimum(sql: Transaction, { from, amount }: Leg): Promise<void> {
  const cash = await lockCashOf(sql, from.bookId, SOL);
  if (cash - amount - TRANSFER_FEE_LAMPORTS < WALLET_MINIMUM_LAMPORTS) throw new AppError('INSUFFICIENT_BALANCE');
}
