import { WALLET_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';

/** One signature, no priority fee. Charged on top of what the destination receives. */
export const WITHDRAWAL_FEE_LAMPORTS = 5_000n;

/** `allHeld` may leave at any moment, so only free SOL counts as staying behind. */
export type WithdrawalBalances = { personalCash: bigint; allCash: bigint; allHeld: bigint };

export type WithdrawalDecision =
  | { kind: 'allowed' }
  | { kind: 'insufficient' }
  | { kind: 'leaves-dust'; minimumLamports: bigint };

/**
 * The wallet's minimum stays in the personal book, or nothing stays in the wallet at all: the other books spend theirs down to
 * a few fees and rely on it.
 */
export function decideWithdrawal(balances: WithdrawalBalances, lamports: bigint): WithdrawalDecision {
  const leaving = lamports + WITHDRAWAL_FEE_LAMPORTS;
  if (leaving > balances.personalCash) return { kind: 'insufficient' };
  if (balances.personalCash - leaving >= WALLET_MINIMUM_LAMPORTS) return { kind: 'allowed' };
  if (leaving === balances.allCash && balances.allHeld === 0n) return { kind: 'allowed' };
  return { kind: 'leaves-dust', minimumLamports: WALLET_MINIMUM_LAMPORTS };
}

/** The most a single withdrawal could send now. */
export function decideWithdrawable(balances: WithdrawalBalances): bigint {
  const everything = balances.personalCash - WITHDRAWAL_FEE_LAMPORTS;
  if (everything <= 0n) return 0n;
  if (decideWithdrawal(balances, everything).kind === 'allowed') return everything;
  const most = everything - WALLET_MINIMUM_LAMPORTS;
  return most > 0n ? most : 0n;
}
