import { parseArgs } from 'node:util';
import { readUserAsOperator } from '../apps/server/src/accounts/operator-reads.ts';
import { loadSolBalances } from '../apps/server/src/ledger/wallet-balance.ts';
import { loadWithdrawals } from '../apps/server/src/treasury/withdrawal-store.ts';
import { fail, openDatabase, say } from './connection.ts';

// The only way to look at a user's data. What is shown is masked; that it was shown, by whom and why, is on record and in the
// user's own settings before anything is printed.

const REASON_LENGTH_MIN = 8;

const { values } = parseArgs({
  options: { email: { type: 'string' }, operator: { type: 'string' }, reason: { type: 'string' } },
});
const email = values.email ?? '';
const operator = (values.operator ?? '').trim().slice(0, 60);
const reason = (values.reason ?? '').trim().slice(0, 200);
if (email === '' || operator === '' || reason.length < REASON_LENGTH_MIN) {
  fail(
    `--email, --operator and a --reason of at least ${REASON_LENGTH_MIN} characters are needed.\nUsage: npm run user -- --email ADDRESS --operator NAME --reason "TICKET AND WHY" (the user sees both)`,
  );
}

const database = await openDatabase();
const seen = await database.transaction((sql) => readUserAsOperator(sql, { email, operator, reason }));
if (seen === null) {
  await database.close();
  fail('There is no account with this address.');
}
const balances = await loadSolBalances(database, seen.userId);
const { rows } = await loadWithdrawals(database, seen.userId, { pageNo: 1, pageSize: 10 });
await database.close();
const withdrawals = rows.map(({ id, state, asset, createdAt, heldUntil, error }) => ({
  id,
  state,
  asset,
  createdAt,
  heldUntil,
  error,
}));
const amounts = { personalCash: balances.personalCash, allHeld: balances.allHeld };
const shown = { ...seen, wallet: balances.address, lamports: amounts, withdrawals };
say(JSON.stringify(shown, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2));
