/** One signature, no priority fee. Charged on top of what the destination receives. */
export const WITHDRAWAL_FEE_LAMPORTS = 5_000n;

/** What an account without data must hold to exist; the network refuses to leave less behind, other than nothing. */
export const RENT_EXEMPT_LAMPORTS = 890_880n;

/** `allHeld` may leave at any moment, so only free SOL counts as staying behind. */
export type WithdrawalBalances = { personalCash: bigint; allCash: bigint; allHeld: bigint };

export type WithdrawalDecision =
  | { kind: 'allowed' }
  | { kind: 'insufficient' }
  | { kind: 'leaves-dust'; minimumLamports: bigint };

export function decideWithdrawal(balances: WithdrawalBalances, lamports: bigint): WithdrawalDecision {
  const leaving = lamports + WITHDRAWAL_FEE_LAMPORTS;
  if (leaving > balances.personalCash) return { kind: 'insufficient' };
  const staying = balances.allCash - leaving;
  if (staying >= RENT_EXEMPT_LAMPORTS) return { kind: 'allowed' };
  if (staying === 0n && balances.allHeld === 0n) return { kind: 'allowed' };
  return { kind: 'leaves-dust', minimumLamports: RENT_EXEMPT_LAMPORTS };
}

/** The most a single withdrawal could send now. */
export function decideWithdrawable(balances: WithdrawalBalances): bigint {
  const everything = balances.personalCash - WITHDRAWAL_FEE_LAMPORTS;
  if (everything <= 0n) return 0n;
  if (decideWithdrawal(balances, everything).kind === 'allowed') return everything;
  const withRent = balances.allCash - WITHDRAWAL_FEE_LAMPORTS - RENT_EXEMPT_LAMPORTS;
  const most = withRent < everything ? withRent : everything;
  return most > 0n ? most : 0n;
}
