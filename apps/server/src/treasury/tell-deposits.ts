import { decideDepositAlerts } from '@hunter/domain/alerts/deposit-alerts';
import { countRaisedToday, raiseAlerts, type NewAlert } from '../alerts/raise-alerts.ts';
import { SOL } from '../ledger/journal.ts';
import type { Sql } from '../platform/postgres.ts';
import { depositView, type MovementRow, type TokenSymbols } from './wallet-movements.ts';

/** Of what is final; all of these rows are of one user. */
export async function tellDeposits(sql: Sql, symbols: TokenSymbols, rows: readonly MovementRow[]): Promise<void> {
  const arrived = rows.filter(({ status, amount }) => status === 'finalized' && amount > 0n);
  if (arrived.length === 0) return;
  const { userId } = arrived[0]!;
  const names = await symbols(arrived.map(({ asset }) => asset));
  const today = await countRaisedToday(sql, userId, 'deposit');
  const { told, isMore } = decideDepositAlerts(
    arrived.map((row) => ({
      row,
      lamports: row.asset === SOL ? row.amount : null,
      isKnown: names.has(row.asset),
    })),
    today.raised,
  );
  const alerts = told.map(({ row }): NewAlert => {
    const { status: _final, ...deposit } = depositView(row, names);
    return { userId, reference: row.id, body: { kind: 'deposit', ...deposit } };
  });
  if (isMore) {
    const { status: _final, ...deposit } = depositView(arrived.at(-1)!, names);
    alerts.push({ userId, reference: `more ${today.day}`, body: { kind: 'deposit', ...deposit, isMore } });
  }
  await raiseAlerts(sql, alerts);
}
