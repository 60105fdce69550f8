import { printDecimal } from '@hunter/domain/numbers/decimal';
import type { ToldWithdrawal } from '../accounts/security-event.ts';
import type { TellUser } from '../accounts/tell-user.ts';
import type { Sql } from '../platform/postgres.ts';
import { symbolOf, type TokenSymbols } from './wallet-movements.ts';
import type { Withdrawal } from './withdrawal.ts';

type Told =
  | { kind: 'withdrawal-requested' | 'withdrawal-failed' | 'withdrawal-canceled' }
  | { kind: 'withdrawal-held'; until: number; withdrawalId: string }
  | { kind: 'withdrawal-sent'; hash: string };

export async function tellWithdrawal(
  deps: { tell: TellUser; symbols: TokenSymbols },
  sql: Sql,
  row: Withdrawal,
  event: Told,
): Promise<void> {
  const symbol = symbolOf(row.asset, await deps.symbols([row.asset]));
  const told: ToldWithdrawal = {
    amount: `${printDecimal(row.amount, row.decimals)} ${symbol}`,
    toWallet: row.toAddress,
  };
  await deps.tell(sql, row.userId, { ...event, ...told });
}
