import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { ACCOUNT_MINIMUM_LAMPORTS, WALLET_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';

/** One signature, no priority fee. Charged on top of what the destination receives. */
export const WITHDRAWAL_FEE_LAMPORTS = lamports(5_000n);

/** Of one user, asked for and not yet sent. Each is mailed, told and looked at again until it is sent. */
export const WITHDRAWALS_WAITING_MAX = 20;

/** `allHeld` may leave at any moment, so only free SOL counts as staying behind. */
export type WithdrawalBalances = { personalCash: Lamports; allCash: Lamports; allHeld: Lamports };

export type WithdrawalDecision =
  | { kind: 'allowed' }
  | { kind: 'insufficient' }
  | { kind: 'leaves-dust'; minimumLamports: Lamports };

/**
 * The wallet's minimum stays in the personal book, or nothing stays in the wallet at all: the other books spend theirs down to
 * a few fees and rely on it.
 */
export function decideWithdrawal(balances: WithdrawalBalances, amount: Lamports): WithdrawalDecision {
  const leaving = amount + WITHDRAWAL_FEE_LAMPORTS;
  if (leaving > balances.personalCash) return { kind: 'insufficient' };
  if (balances.personalCash - leaving >= WALLET_MINIMUM_LAMPORTS) return { kind: 'allowed' };
  if (leaving === balances.allCash && balances.allHeld === 0n) {
    // The chain takes the fee from an account only that stays alive after it.
    return { kind: amount >= ACCOUNT_MINIMUM_LAMPORTS ? 'allowed' : 'insufficient' };
  }
  return { kind: 'leaves-dust', minimumLamports: WALLET_MINIMUM_LAMPORTS };
}

/** The most a single withdrawal could send now. */
export function decideWithdrawable(balances: WithdrawalBalances): Lamports {
  const everything = balances.personalCash - WITHDRAWAL_FEE_LAMPORTS;
  if (everything <= 0n) return lamports(0n);
  if (decideWithdrawal(balances, lamports(everything)).kind === 'allowed') return lamports(everything);
  const most = everything - WALLET_MINIMUM_LAMPORTS;
  return lamports(most > 0n ? most : 0n);
}
