import type { Sql } from '../platform/postgres.ts';

/** Which of these transactions we signed ourselves; each area that signs answers for its own. */
export type OwnSignatures = (sql: Sql, signatures: readonly string[]) => Promise<readonly string[]>;

export async function findOwnSignatures(
  sql: Sql,
  areas: readonly OwnSignatures[],
  signatures: readonly string[],
): Promise<Set<string>> {
  if (signatures.length === 0) return new Set();
  const found = await Promise.all(areas.map((ask) => ask(sql, signatures)));
  return new Set(found.flat());
}

export const withdrawalSignatures: OwnSignatures = async (sql, signatures) => {
  const rows = await sql.query<{ signature: string }>(
    `select signature from withdrawal_attempt where signature = any($1::text[])`,
    [signatures],
  );
  return rows.map((row) => row.signature);
};
