import { printSol } from '@hunter/domain/numbers/lamports';
import type { CallReply } from '@hunter/contract/calls';
import { loadSolBalances } from '../ledger/wallet-balance.ts';
import type { Sql } from '../platform/postgres.ts';
import { decideWithdrawable } from './withdrawal-rules.ts';

export type WalletInfo = CallReply<'myWallet'>['walletInfo'];

/** `committedOf` prices what is in strategies and follows, which this area cannot; without it that is not known. */
export async function loadWalletInfo(
  sql: Sql,
  userId: string,
  committedOf: (userId: string) => Promise<bigint | null> = async () => null,
): Promise<WalletInfo> {
  const committed = await committedOf(userId);
  const balances = await loadSolBalances(sql, userId);
  return {
    walletAddress: balances.address,
    tokenBalance: printSol(balances.allCash + balances.allHeld),
    available: printSol(balances.personalCash),
    committed: committed === null ? null : printSol(committed),
    withdrawable: printSol(decideWithdrawable(balances)),
  };
}
