import type { Sql } from '../platform/postgres.ts';
import { columnsOf } from '../platform/columns-of.ts';

// Who is one transfer away from a wallet of ours. Anybody can send something to anybody, so only what cannot be had for nothing links:
// what the wallet itself sent, for good, and what somebody gave it from a SOL on, for a month. Whoever wants to be taken for a
// neighbour of a creator, to keep his followers out of a coin, pays the creator for it again every month.

/** Less than this is the network's fee and rent of what the wallet does by itself. */
export const LINK_OUT_MIN_LAMPORTS = 1_000_000n;
export const LINK_IN_MIN_LAMPORTS = 1_000_000_000n;
const LINK_IN_DAYS = 30;

export type WalletLink = {
  walletAddress: string;
  otherAddress: string;
  /** When the wallet received; null where it sent. */
  receivedAt: Date | null;
};

/** Remembers who sent to or received from a wallet of ours; repeating it changes nothing. */
export async function recordLinks(sql: Sql, links: readonly WalletLink[]): Promise<void> {
  if (links.length === 0) return;
  await sql.write(
    `insert into wallet_link as l (wallet_address, other_address, is_outgoing, received_at)
     select v.wallet, v.other, bool_or(v.received is null), max(v.received)
     from unnest($1::text[], $2::text[], $3::timestamptz[]) v (wallet, other, received) group by 1, 2 order by 1, 2
     on conflict (wallet_address, other_address) do update
     set is_outgoing = l.is_outgoing or excluded.is_outgoing, received_at = greatest(l.received_at, excluded.received_at)
     where (l.is_outgoing, l.received_at) is distinct from
       (l.is_outgoing or excluded.is_outgoing, greatest(l.received_at, excluded.received_at))`,
    columnsOf(links, 'walletAddress', 'otherAddress', 'receivedAt'),
  );
}

/** The addresses one transfer away from these wallets. */
export async function loadLinkedAddresses(sql: Sql, walletAddresses: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ address: string }>(
    `select distinct other_address as address from wallet_link
     where wallet_address = any($1::text[]) and (is_outgoing or received_at > now() - make_interval(days => $2))`,
    [walletAddresses, LINK_IN_DAYS],
  );
  return rows.map(({ address }) => address);
}
