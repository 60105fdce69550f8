import type { Sql } from '../platform/postgres.ts';

/**
 * The strategies that addresses trade for, by address. Only wallets of strategies: whose a personal wallet is, nobody is told.
 */
export async function loadStrategiesOfWallets(
  sql: Sql,
  addresses: readonly string[],
): Promise<Map<string, { name: string; slug: string }>> {
  const rows = await sql.query<{ address: string; name: string; slug: string }>(
    `select w.address, s.name, s.slug from wallet w join strategy s on s.wallet_id = w.id
     where w.address = any($1) and w.kind = 'strategy'`,
    [addresses],
  );
  return new Map(rows.map(({ address, name, slug }) => [address, { name, slug }]));
}
