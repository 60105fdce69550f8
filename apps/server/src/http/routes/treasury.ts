import { AppError } from '@hunter/contract/app-error';
import type { CallReply } from '@hunter/contract/calls';
import { printSol, lamports } from '@hunter/domain/numbers/lamports';
import type { OwnLimits, SignerLimits } from '@hunter/signer-client/signer-client';
import type { Accounts } from '../../accounts/accounts.ts';
import { requirePassword } from '../../accounts/passwords.ts';
import { recordAudit } from '../../platform/audit.ts';
import { loadAddresses, loadLabels, removeAddress, saveAddress } from '../../treasury/address-book.ts';
import { reviewWithdrawal } from '../../treasury/review-withdrawal.ts';
import { depositView, loadDeposits } from '../../treasury/wallet-movements.ts';
import { withdrawalView, type Withdrawal } from '../../treasury/withdrawal.ts';
import type { WithdrawalDeps } from '../../treasury/withdrawal-deps.ts';
import { loadWithdrawals } from '../../treasury/withdrawal-store.ts';
import type { Withdrawals } from '../../treasury/withdrawals.ts';
import type { Handlers } from '../handlers.ts';

export type TreasuryDeps = {
  accounts: Accounts;
  deps: WithdrawalDeps;
  withdrawals: Pick<Withdrawals, 'request' | 'cancel' | 'ofLink' | 'cancelByLink'>;
};

/** As the signer counts where the owner set none. */
const NO_LIMIT = 2n ** 64n;

export function treasuryHandlers({ accounts, deps, withdrawals }: TreasuryDeps) {
  const { database, symbols, signer, tell } = deps;
  const views = async (rows: readonly Withdrawal[]) => {
    const [first] = rows;
    if (!first) return [];
    const names = await symbols([...new Set(rows.map((row) => row.asset))]);
    const addresses = rows.map((row) => row.toAddress);
    const labels = await loadLabels(database, first.userId, addresses);
    return rows.map((row) => withdrawalView(row, { symbols: names, labels }));
  };
  const view = async (row: Withdrawal) => (await views([row]))[0]!;
  return {
    reviewWithdrawal: (request, { session }) => reviewWithdrawal(deps, session.userId, request),
    withdrawal: async (request, { session, address, idempotencyKey, requestId }) => {
      await requirePassword(accounts, session, request.password, { event: 'withdrawal-refused', address });
      return view(
        await withdrawals.request(
          // Money calls arrive with a key of their own; the request id only stands in where a caller bypasses HTTP.
          { userId: session.userId, requestKey: idempotencyKey ?? requestId, address },
          request,
        ),
      );
    },
    cancelWithdrawal: async ({ id }, { session, address }) =>
      view(await withdrawals.cancel({ userId: session.userId, address }, id)),
    getMailedWithdrawal: async ({ token }) => view(await withdrawals.ofLink(token)),
    cancelMailedWithdrawal: async ({ token }, { address }) => view(await withdrawals.cancelByLink(token, address)),
    getMyWithdrawals: async (page, { session }) => {
      const { rows, total } = await loadWithdrawals(database, session.userId, page);
      return { lists: await views(rows), total, ...page };
    },
    getMyWithdrawalAddresses: async (_request, { session }) => ({
      lists: await loadAddresses(database, session.userId),
    }),
    saveWithdrawalAddress: async (request, { session: { userId }, address }) => {
      await database.transaction(async (sql) => {
        if (!(await saveAddress(sql, userId, request))) return;
        await recordAudit(sql, { userId, event: 'address-saved', address, detail: request.toWallet });
        await tell(sql, userId, { kind: 'address-saved', ...request });
      });
      return {};
    },
    removeWithdrawalAddress: async ({ toWallet }, { session: { userId }, address }) => {
      await database.transaction(async (sql) => {
        const label = await removeAddress(sql, userId, toWallet);
        if (label === null) throw new AppError('NOT_FOUND');
        await recordAudit(sql, { userId, event: 'address-removed', address, detail: toWallet });
        await tell(sql, userId, { kind: 'address-removed', toWallet, label });
      });
      return {};
    },
    getMyWithdrawalLimits: async (_request, { session }) => limitsView(await signer.limits(session.userId)),
    saveMyWithdrawalLimits: async ({ dailySol, delaysNew, password }, { session, address }) => {
      const { userId } = session;
      const failure = { event: 'security-change-failed', address } as const;
      const wanted = { dailyLamports: dailySol ?? NO_LIMIT, delaysNew };
      if (password !== undefined) await requirePassword(accounts, session, password, failure);
      else {
        // Lower ones keep the owner from his own money for a day. To save what holds already cancels a raise.
        const { now } = await signer.limits(userId);
        const isSame = now.dailyLamports === wanted.dailyLamports && now.delaysNew === delaysNew;
        if (!isSame) throw new AppError('WRONG_PASSWORD');
      }
      const limits = await signer.setLimits(userId, wanted, password ?? null);
      await database.transaction(async (sql) => {
        await recordAudit(sql, { userId, event: 'limits-changed', address });
        if (limits.next) await tell(sql, userId, { kind: 'limits-raised', from: limits.next.from });
      });
      return limitsView(limits);
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

function limitsView({ now, next, dailyLamports, largeLamports }: SignerLimits): CallReply<'getMyWithdrawalLimits'> {
  const own = (one: OwnLimits) => ({
    dailySol: one.dailyLamports >= NO_LIMIT ? null : printSol(lamports(one.dailyLamports)),
    delaysNew: one.delaysNew,
  });
  return {
    now: own(now),
    next: next && { ...own(next), from: next.from },
    dailySolMax: printSol(lamports(dailyLamports)),
    largeSol: printSol(lamports(largeLamports)),
  };
}
