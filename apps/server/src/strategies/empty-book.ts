import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import { closeBook } from '../ledger/books.ts';
import { postEntries, SOL } from '../ledger/journal.ts';
import { moveSol, moveTokens, type BookRef } from '../ledger/transfers.ts';
import type { Sql } from '../platform/postgres.ts';
import { reassignTokenAccounts } from '../trading/token-accounts.ts';
import { holdingValue, loadHoldings, type Pools } from './book-holdings.ts';

export type Emptied = {
  /** SOL and deposits that went over. */
  lamports: Lamports;
  /** Tokens that went over as they were, with what selling them would have returned. */
  tokens: { mint: Address; tokens: BaseUnits; valueLamports: Lamports }[];
};

/**
 * Hands everything that is left in a book to the personal book and closes it, in the caller's transaction. Only for a book in which
 * no order is open: what is set aside for one cannot move.
 */
export async function emptyBook(sql: Sql, from: BookRef, personal: BookRef, pools: Pools, now: Date): Promise<Emptied> {
  const { freeLamports, rentLamports, tokens } = (await loadHoldings(sql, [from.id])).get(from.id)!;
  if (freeLamports > 0n) await moveSol(sql, from, personal, freeLamports, `empty:${from.id}`);
  if (rentLamports > 0n) await moveRent(sql, from, personal, rentLamports);
  const moved: Emptied['tokens'] = [];
  for (const [mint, amount] of [...tokens].sort(([left], [right]) => (left < right ? -1 : 1))) {
    await moveTokens(sql, from, personal, mint, amount, `empty:${from.id}:${mint}`, now);
    moved.push({ mint, tokens: amount, valueLamports: holdingValue(pools, mint, amount) ?? lamports(0n) });
  }
  await closeBook(sql, from.id, now);
  return { lamports: lamports(freeLamports + rentLamports), tokens: moved };
}

async function moveRent(sql: Sql, from: BookRef, to: BookRef, rent: Lamports): Promise<void> {
  await reassignTokenAccounts(sql, from.id, to.id);
  await postEntries(sql, [
    {
      kind: 'move-rent',
      reference: `empty:${from.id}`,
      postings: [
        { bookId: from.id, account: 'rent', asset: SOL, amount: -rent },
        { bookId: to.id, account: 'rent', asset: SOL, amount: rent },
      ],
    },
  ]);
}
