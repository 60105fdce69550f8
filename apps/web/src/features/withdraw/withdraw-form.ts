// What the withdrawal form accepts; the server decides again.
import { amountProblem } from '../../ui/sol-amount.ts';

export type WithdrawValues = { toWallet: string; amount: string; password: string };
export type WithdrawProblem =
  | 'to'
  | 'toInvalid'
  | 'toOwn'
  | 'toLost'
  | 'required'
  | 'invalid'
  | 'exceeds'
  | 'password'
  | 'wrongPassword';

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

export function validateWithdrawal(
  values: WithdrawValues,
  wallet: { walletAddress: string; withdrawable: string } | null,
): Partial<Record<keyof WithdrawValues, WithdrawProblem>> {
  const to = values.toWallet.trim();
  const amount = amountProblem(values.amount, wallet?.withdrawable ?? null);
  const toProblem: WithdrawProblem | null =
    to === '' ? 'to' : !ADDRESS.test(to) ? 'toInvalid' : to === wallet?.walletAddress ? 'toOwn' : null;
  return {
    ...(toProblem ? { toWallet: toProblem } : {}),
    ...(amount ? { amount } : {}),
    ...(values.password === '' ? { password: 'password' as const } : {}),
  };
}
