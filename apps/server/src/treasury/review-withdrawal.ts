import { AppError } from '@hunter/contract/app-error';
import type { CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { lamports, printSol } from '@hunter/domain/numbers/lamports';
import { randomUUID } from 'node:crypto';
import { requireNotFrozen } from '../accounts/freeze.ts';
import { loadCash } from '../ledger/balances.ts';
import { SOL } from '../ledger/journal.ts';
import { loadSolBalances, type SolBalances } from '../ledger/wallet-balance.ts';
import type { Sql } from '../platform/postgres.ts';
import { isRentMaximum } from '../trading/order-limits.ts';
import { loadLabels } from './address-book.ts';
import { prepareWithdrawal, type WantedWithdrawal } from './prepare-withdrawal.ts';
import { symbolOf } from './wallet-movements.ts';
import type { WithdrawalDeps } from './withdrawal-deps.ts';
import { decideWithdrawal } from './withdrawal-rules.ts';
import { loadUsedAddresses, type WithdrawalIntent } from './withdrawal-store.ts';

/** Throws INSUFFICIENT_BALANCE or WITHDRAWAL_LEAVES_DUST. */
export async function requireCovered(sql: Sql, balances: SolBalances, intent: WithdrawalIntent): Promise<void> {
  const isSol = intent.asset === SOL;
  // Of a token withdrawal the wallet pays what the destination's new account costs.
  const decision = decideWithdrawal(balances, lamports(isSol ? intent.amount : intent.rentLamports));
  if (decision.kind === 'insufficient') throw new AppError('INSUFFICIENT_BALANCE');
  if (decision.kind === 'leaves-dust') {
    throw new AppError('WITHDRAWAL_LEAVES_DUST', { minimum: printSol(decision.minimumLamports) });
  }
  if (!isSol && (await loadCash(sql, balances.personalBookId, intent.asset)) < intent.amount) {
    throw new AppError('INSUFFICIENT_BALANCE');
  }
}

/** Says what would happen; refuses what the withdrawal itself would be refused with, as far as that is known now. */
export async function reviewWithdrawal(
  deps: WithdrawalDeps,
  userId: string,
  wanted: WantedWithdrawal,
): Promise<CallReply<'reviewWithdrawal'>> {
  const { database, signer } = deps;
  await requireNotFrozen(database, userId);
  const intent = await prepareWithdrawal(deps, userId, wanted);
  await requireCovered(database, await loadSolBalances(database, userId), intent);
  const { toAddress, asset, amount, decimals, feeLamports, rentLamports } = intent;
  const [hold, factors, used, labels, symbols] = await Promise.all([
    signer.preview(userId, intent),
    signer.factors(userId),
    loadUsedAddresses(database, userId, [toAddress]),
    loadLabels(database, userId, [toAddress]),
    deps.symbols([asset]),
  ]);
  const firstUse = !used.has(toAddress);
  return {
    id: randomUUID(),
    toWallet: toAddress,
    tokenContractAddress: asset === SOL ? null : asset,
    tokenSymbol: symbolOf(asset, symbols),
    amount: printDecimal(amount, decimals),
    baseUnits: String(amount),
    fee: printSol(feeLamports),
    accountRent: rentLamports === 0n ? null : printSol(rentLamports),
    accountRentIsMaximum: isRentMaximum(rentLamports),
    firstUse,
    label: labels.get(toAddress) ?? null,
    heldUntil: hold?.until.getTime() ?? null,
    holdReason: hold?.reason ?? null,
    warnings: [
      ...(firstUse ? (['first-use'] as const) : []),
      ...(intent.keepsTransferFee ? (['transfer-fee'] as const) : []),
      ...(rentLamports > 0n ? (['new-account'] as const) : []),
    ],
    factors,
  };
}
