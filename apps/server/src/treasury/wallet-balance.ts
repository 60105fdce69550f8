import { printSol, type Lamports } from '@hunter/domain/lamports';
import type { Address } from '@hunter/solana/address';
import type { CallReply } from '@hunter/contract/calls';
import type { Sql } from '../platform/postgres.ts';
import { decideWithdrawable } from './withdrawal-rules.ts';

export type WalletInfo = CallReply<'myWallet'>['walletInfo'];

export type SolBalances = {
  address: Address;
  personalBookId: string;
  /** Free SOL of the personal book. */
  personalCash: Lamports;
  /** Free SOL of all books. */
  allCash: Lamports;
  /** SOL set aside in all books. */
  allHeld: Lamports;
};

/** From the mirror, not the chain: cash and held of all books are the wallet's lamports, to the lamport. */
export async function loadSolBalances(sql: Sql, userId: string): Promise<SolBalances> {
  const rows = await sql.query<SolBalances>(
    `select w.address,
            (array_agg(b.id) filter (where b.kind = 'personal'))[1] as "personalBookId",
            coalesce(sum(a.amount) filter (where b.kind = 'personal' and a.account = 'cash'), 0) as "personalCash",
            coalesce(sum(a.amount) filter (where a.account = 'cash'), 0) as "allCash",
            coalesce(sum(a.amount) filter (where a.account = 'held'), 0) as "allHeld"
     from wallet w join book b on b.user_id = w.user_id
     left join balance a on a.book_id = b.id and a.asset = 'SOL' and a.account in ('cash', 'held')
     where w.user_id = $1 group by w.address`,
    [userId],
  );
  if (!rows[0]) throw new Error(`user ${userId} has no wallet`);
  return rows[0];
}

export function walletInfoOf(balances: SolBalances): WalletInfo {
  return {
    walletAddress: balances.address,
    tokenBalance: printSol(balances.allCash + balances.allHeld),
    available: printSol(balances.personalCash),
    withdrawable: printSol(decideWithdrawable(balances)),
  };
}

export async function loadWalletInfo(sql: Sql, userId: string): Promise<WalletInfo> {
  return walletInfoOf(await loadSolBalances(sql, userId));
}
