import { larger } from '@hunter/domain/numbers/rounding';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { WALLET_MINIMUM_LAMPORTS } from '../../ledger/wallet-minimum.ts';
import type { Holdings } from '../book-holdings.ts';
import { FLOAT_LAMPORTS, NETWORK_FEE_LAMPORTS, RENT_LAMPORTS } from '../costs.ts';

/**
 * What a creator's book may put into a purchase. Its float pays the wallet's minimum, the deposits of token accounts and failed
 * rounds, so that no follower pays any of them: it is the creator's money and counts in no fraction.
 */
export function creatorSpendable(book: Holdings, hasTokenAccount: boolean): Lamports {
  return spendableBesideFloat(book, hasTokenAccount ? 0n : RENT_LAMPORTS);
}

/** `rentLamports` is the deposit that the purchase itself would make. */
export function spendableBesideFloat(
  book: Pick<Holdings, 'freeLamports' | 'rentLamports'>,
  rentLamports: bigint,
): Lamports {
  const kept = larger<bigint>(WALLET_MINIMUM_LAMPORTS, FLOAT_LAMPORTS - book.rentLamports - rentLamports);
  return lamports(larger(0n, book.freeLamports - kept - rentLamports - NETWORK_FEE_LAMPORTS));
}
