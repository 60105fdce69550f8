// What the withdrawal form accepts; the server decides again.
import { compareDecimals } from '@hunter/domain/numbers/decimal';
import { amountProblem, tidyAmount } from '../../ui/sol-amount.ts';

export type WithdrawValues = { asset: string; toWallet: string; amount: string };
export type WithdrawProblem =
  | 'to'
  | 'toInvalid'
  | 'toOwn'
  | 'toLost'
  | 'required'
  | 'requiredTokens'
  | 'invalid'
  | 'exceeds';

/** `asset` of the form that stands for SOL. */
export const SOL_ASSET = 'SOL';

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const DECIMAL = /^(0|[1-9]\d{0,19})(\.\d{1,18})?$/;

/** `available`: of the chosen asset; null is not known yet, and then the server decides. */
export function validateWithdrawal(
  values: WithdrawValues,
  walletAddress: string | null,
  available: string | null,
): Partial<Record<keyof WithdrawValues, WithdrawProblem>> {
  const to = values.toWallet.trim();
  const amount =
    values.asset === SOL_ASSET ? amountProblem(values.amount, available) : tokenProblem(values.amount, available);
  const toProblem: WithdrawProblem | null =
    to === '' ? 'to' : !ADDRESS.test(to) ? 'toInvalid' : to === walletAddress ? 'toOwn' : null;
  return { ...(toProblem ? { toWallet: toProblem } : {}), ...(amount ? { amount } : {}) };
}

function tokenProblem(text: string, available: string | null): WithdrawProblem | null {
  const amount = tidyAmount(text, null);
  if (amount === '') return 'requiredTokens';
  if (!DECIMAL.test(amount) || !/[1-9]/.test(amount)) return 'invalid';
  return available !== null && compareDecimals(amount, available) > 0 ? 'exceeds' : null;
}
