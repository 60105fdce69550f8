import type { Sql } from '../platform/postgres.ts';

export type WalletLink = { walletAddress: string; otherAddress: string };

/** Remembers who sent to or received from a wallet of ours; repeating it changes nothing. */
export async function recordLinks(sql: Sql, links: readonly WalletLink[]): Promise<void> {
  if (links.length === 0) return;
  await sql.query(
    `insert into wallet_link (wallet_address, other_address)
     select distinct * from unnest($1::text[], $2::text[]) on conflict do nothing`,
    [links.map((link) => link.walletAddress), links.map((link) => link.otherAddress)],
  );
}

/** The addresses one transfer away from these wallets. */
export async function loadLinkedAddresses(sql: Sql, walletAddresses: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ address: string }>(
    `select distinct other_address as address from wallet_link where wallet_address = any($1::text[])`,
    [walletAddresses],
  );
  return rows.map(({ address }) => address);
}
