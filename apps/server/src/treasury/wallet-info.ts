import { printSol } from '@hunter/domain/numbers/lamports';
import type { CallReply } from '@hunter/contract/calls';
import { loadSolBalances } from '../ledger/wallet-balance.ts';
import type { Sql } from '../platform/postgres.ts';
import { decideWithdrawable } from './withdrawal-rules.ts';

export type WalletInfo = CallReply<'myWallet'>['walletInfo'];

type Worth = { equity: bigint | null; committed: bigint | null };
const UNKNOWN: Worth = { equity: null, committed: null };

/** `worthOf` prices tokens, and what is in strategies and follows, which this area cannot; without it that is not known. */
export async function loadWalletInfo(
  sql: Sql,
  userId: string,
  worthOf: (userId: string) => Promise<Worth> = async () => UNKNOWN,
): Promise<WalletInfo> {
  const { equity, committed } = await worthOf(userId);
  const balances = await loadSolBalances(sql, userId);
  return {
    walletAddress: balances.address,
    tokenBalance: printSol(balances.allCash + balances.allHeld),
    available: printSol(balances.personalCash),
    committed: committed === null ? null : printSol(committed),
    equity: equity === null ? null : printSol(equity),
    withdrawable: printSol(decideWithdrawable(balances)),
  };
}
