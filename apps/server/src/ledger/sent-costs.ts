import { FLAT, takeOut, withUnseen } from '@hunter/domain/record/position';
import type { Sql } from '../platform/postgres.ts';
import { keyOf, lockPositionsAt, type FillRow } from './positions.ts';

/** What leaves is withdrawn with what it had cost, however it leaves: otherwise the account shows it as lost. */
export async function withSentCosts(sql: Sql, rows: readonly FillRow[]): Promise<FillRow[]> {
  const positions = await lockPositionsAt(
    sql,
    rows.filter(({ fill }) => fill.kind === 'sent'),
  );
  return rows.map((row) => {
    const { fill, bookId, mint } = row;
    if (fill.kind !== 'sent') return row;
    const held = withUnseen(positions.get(keyOf(bookId, mint)) ?? FLAT, fill);
    return { ...row, sentCostLamports: takeOut(held, fill.tokens).taken.costLamports };
  });
}
