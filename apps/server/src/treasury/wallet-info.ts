import { printSol } from '@hunter/domain/lamports';
import type { CallReply } from '@hunter/contract/calls';
import { loadSolBalances } from '../ledger/wallet-balance.ts';
import type { Sql } from '../platform/postgres.ts';
import { decideWithdrawable } from './withdrawal-rules.ts';

export type WalletInfo = CallReply<'myWallet'>['walletInfo'];

export async function loadWalletInfo(sql: Sql, userId: string): Promise<WalletInfo> {
  const balances = await loadSolBalances(sql, userId);
  return {
    walletAddress: balances.address,
    tokenBalance: printSol(balances.allCash + balances.allHeld),
    available: printSol(balances.personalCash),
    withdrawable: printSol(decideWithdrawable(balances)),
  };
}
