import { larger } from '@hunter/domain/rounding';
import { lamports, type Lamports } from '@hunter/domain/lamports';
import { WALLET_MINIMUM_LAMPORTS } from '../../ledger/wallet-minimum.ts';
import type { Sql } from '../../platform/postgres.ts';
import { hasTokenAccount } from '../../trading/token-accounts.ts';
import type { Holdings } from '../book-holdings.ts';
import { FLOAT_LAMPORTS, NETWORK_FEE_LAMPORTS, RENT_LAMPORTS } from '../costs.ts';
import type { Strategy } from '../strategy-store.ts';

/**
 * What a creator's book may put into a purchase. Its float pays the wallet's minimum, the deposits of token accounts and failed
 * rounds, so that no follower pays any of them: it is the creator's money and counts in no fraction.
 */
export async function creatorSpendable(
  sql: Sql,
  { walletId }: Strategy,
  book: Holdings,
  mint: string,
): Promise<Lamports> {
  const rent = (await hasTokenAccount(sql, walletId, mint)) ? 0n : RENT_LAMPORTS;
  return spendableBesideFloat(book, rent);
}

/** `rentLamports` is the deposit that the purchase itself would make. */
export function spendableBesideFloat(
  book: Pick<Holdings, 'freeLamports' | 'rentLamports'>,
  rentLamports: bigint,
): Lamports {
  const kept = larger<bigint>(WALLET_MINIMUM_LAMPORTS, FLOAT_LAMPORTS - book.rentLamports - rentLamports);
  return lamports(larger(0n, book.freeLamports - kept - rentLamports - NETWORK_FEE_LAMPORTS));
}
