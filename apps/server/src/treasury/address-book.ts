import { AppError } from '@hunter/contract/app-error';
import { violates, type Sql } from '../platform/postgres.ts';
import { loadUsedAddresses } from './withdrawal-store.ts';

const ADDRESSES_MAX = 100;

export type BookedAddress = { toWallet: string; label: string; usedBefore: boolean; changedAt: number };

export async function loadAddresses(sql: Sql, userId: string): Promise<BookedAddress[]> {
  const rows = await sql.query<{ address: string; label: string; changedAt: Date }>(
    `select address, label, changed_at as "changedAt" from withdrawal_address where user_id = $1
     order by lower(label) limit $2`,
    [userId, ADDRESSES_MAX],
  );
  const addresses = rows.map((row) => row.address);
  const used = await loadUsedAddresses(sql, userId, addresses);
  return rows.map(({ address, label, changedAt }) => ({
    toWallet: address,
    label,
    usedBefore: used.has(address),
    changedAt: changedAt.getTime(),
  }));
}

export async function loadLabels(
  sql: Sql,
  userId: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ address: string; label: string }>(
    `select address, label from withdrawal_address where user_id = $1 and address = any($2::text[])`,
    [userId, addresses],
  );
  return new Map(rows.map(({ address, label }) => [address, label]));
}

/** Adds it, or renames what is there; false where nothing changed. Throws ADDRESS_LABEL_TAKEN or ADDRESS_BOOK_FULL. */
export async function saveAddress(
  sql: Sql,
  userId: string,
  { toWallet, label }: { toWallet: string; label: string },
): Promise<boolean> {
  try {
    const rows = await sql.write<{ isNew: boolean }>(
      `insert into withdrawal_address as a (user_id, address, label) values ($1, $2, $3)
       on conflict (user_id, address) do update set label = excluded.label, changed_at = now()
         where a.label <> excluded.label
       returning true as "isNew"`,
      [userId, toWallet, label],
    );
    const [count] = await sql.query<{ count: bigint }>(`select count(*) from withdrawal_address where user_id = $1`, [
      userId,
    ]);
    if (count!.count > BigInt(ADDRESSES_MAX)) throw new AppError('ADDRESS_BOOK_FULL', { maximum: ADDRESSES_MAX });
    return rows.length > 0;
  } catch (error) {
    if (violates(error, 'withdrawal_address_label_once')) {
      throw new AppError('ADDRESS_LABEL_TAKEN', undefined, { cause: error });
    }
    throw error;
  }
}

/** The label it had; null where it was not there. */
export async function removeAddress(sql: Sql, userId: string, toWallet: string): Promise<string | null> {
  const rows = await sql.write<{ label: string }>(
    `delete from withdrawal_address where user_id = $1 and address = $2 returning label`,
    [userId, toWallet],
  );
  return rows[0]?.label ?? null;
}
