import type { Sql } from '../platform/postgres.ts';

export type OwnSignature = { signature: string; walletAddress: string };

/**
 * Which of these transactions we signed ourselves, and for which wallet; each area that signs answers for its own. To every
 * other wallet such a transaction is somebody else's: what one user sends to another is a deposit of the other.
 */
export type OwnSignatures = (sql: Sql, signatures: readonly string[]) => Promise<readonly OwnSignature[]>;

/** Answers the wallet that signed, by signature. */
export async function findOwnSignatures(
  sql: Sql,
  areas: readonly OwnSignatures[],
  signatures: readonly string[],
): Promise<Map<string, string>> {
  if (signatures.length === 0) return new Map();
  const found = await Promise.all(areas.map((ask) => ask(sql, signatures)));
  return new Map(found.flat().map(({ signature, walletAddress }) => [signature, walletAddress]));
}

export const withdrawalSignatures: OwnSignatures = (sql, signatures) =>
  sql.query<OwnSignature>(
    `select a.signature, w.from_address as "walletAddress"
     from withdrawal_attempt a join withdrawal w on w.id = a.withdrawal_id where a.signature = any($1::text[])`,
    [signatures],
  );
