/** Of one user; what is beyond it is one more alert that names none of them. */
export const DEPOSIT_ALERTS_PER_DAY = 20;
/** Less SOL is dust, sent to be noticed: listed, not told. */
const TOLD_LAMPORTS_MIN = 100_000n;
/** 0.1 SOL: always told, because nobody gives away as much to be noticed. */
const ALWAYS_TOLD_LAMPORTS = 100_000_000n;

/** `lamports` is null for tokens, whose price is whatever their maker trades at. */
export type ToldDeposit = { readonly lamports: bigint | null; readonly isKnown: boolean };

/** Anybody may send anybody 1,000 tokens: they must not bury the alerts of a day. `toldToday` counts the deposits told before. */
export function decideDepositAlerts<Deposit extends ToldDeposit>(
  deposits: readonly Deposit[],
  toldToday: number,
): { told: Deposit[]; isMore: boolean } {
  let room = DEPOSIT_ALERTS_PER_DAY - toldToday;
  let isMore = false;
  const told = deposits.filter(({ lamports, isKnown }) => {
    if (lamports === null ? !isKnown : lamports < TOLD_LAMPORTS_MIN) return false;
    if (lamports !== null && lamports >= ALWAYS_TOLD_LAMPORTS) return true;
    room -= 1;
    if (room < 0) isMore = true;
    return room >= 0;
  });
  return { told, isMore };
}
