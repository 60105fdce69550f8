import type { Sql } from '../../platform/postgres.ts';
import { depositView, loadDeposits, type TokenSymbols } from '../../treasury/wallet-movements.ts';
import { withdrawalView } from '../../treasury/withdrawal.ts';
import { loadWithdrawals } from '../../treasury/withdrawal-store.ts';
import type { Withdrawals } from '../../treasury/withdrawals.ts';
import type { Handlers } from '../handlers.ts';

export type TreasuryParts = {
  database: Sql;
  withdrawals: Pick<Withdrawals, 'request' | 'cancel'>;
  symbols: TokenSymbols;
};

export function treasuryHandlers({ database, withdrawals, symbols }: TreasuryParts) {
  return {
    withdrawal: async (request, { session, address, idempotencyKey, requestId }) =>
      withdrawalView(
        await withdrawals.request(
          // Money calls arrive with a key of their own; the request id only stands in where a caller bypasses HTTP.
          { userId: session.userId, requestKey: idempotencyKey ?? requestId, address },
          request,
        ),
      ),
    cancelWithdrawal: async ({ id }, { session, address }) =>
      withdrawalView(await withdrawals.cancel({ userId: session.userId, address }, id)),
    getMyWithdrawals: async (page, { session }) => {
      const { rows, total } = await loadWithdrawals(database, session.userId, page);
      return { lists: rows.map(withdrawalView), total, ...page };
    },
    getMyDeposits: async (page, { session }) => {
      const { rows, total } = await loadDeposits(database, session.userId, page);
      const names = await symbols(rows.map((row) => row.asset));
      return {
        lists: rows.map((row) => ({ id: row.id, ...depositView(row, names), time: row.at.getTime() })),
        total,
        ...page,
      };
    },
  } satisfies Partial<Handlers>;
}
