import type { Address } from '@hunter/solana/address';
import type { Asset } from './journal.ts';
import type { Sql } from '../platform/postgres.ts';

// What a walk over everybody's wallets reads. A page comes as one text: a row for each wallet or asset costs PostgreSQL and this
// process more than what is in it.

export type PagedWallet = { walletId: string; address: Address };
export type WalletAmount = { walletId: string; asset: Asset; amount: bigint };

/** The next wallets in the order of their ids, as far as `until`, which is not among them. */
export async function loadWalletPage(
  sql: Sql,
  after: string,
  limit: number,
  until: string | null,
): Promise<PagedWallet[]> {
  const words = await loadWords(
    sql,
    `select string_agg(id || ' ' || address, ' ' order by id) as text from (
       select id, address from wallet where id > $1 and ($3::uuid is null or id < $3) order by id limit $2) w`,
    [after, limit, until],
  );
  return walletsOf(words);
}

/** Pairs of an id and an address. */
export function walletsOf(words: readonly string[]): PagedWallet[] {
  const wallets: PagedWallet[] = [];
  for (let at = 0; at < words.length; at += 2)
    wallets.push({ walletId: words[at]!, address: words[at + 1] as Address });
  return wallets;
}

/** What the books of the wallets from the first to the last id hold of every asset, set aside or not. */
export async function loadAmountsBetween(sql: Sql, firstId: string, lastId: string): Promise<WalletAmount[]> {
  // One range of ids costs less than as many searches; `offset 0` keeps PostgreSQL from reading all books or holdings instead.
  const words = await loadWords(
    sql,
    `select string_agg(a.wallet_id || ' ' || a.asset || ' ' || a.amount, ' ') as text from (
       select k.wallet_id, h.asset, sum(h.amount) as amount
       from book k cross join lateral (select asset, cash + held as amount from holding where book_id = k.id offset 0) h
       where k.wallet_id between $1 and $2 group by 1, 2) a`,
    [firstId, lastId],
  );
  const amounts: WalletAmount[] = [];
  for (let at = 0; at < words.length; at += 3) {
    amounts.push({ walletId: words[at]!, asset: words[at + 1] as Asset, amount: BigInt(words[at + 2]!) });
  }
  return amounts;
}

/** The words of the column `text`, of which there is one. */
export async function loadWords(sql: Sql, statement: string, values: readonly unknown[]): Promise<string[]> {
  const [row] = await sql.query<{ text: string | null }>(statement, values);
  return row?.text?.split(' ') ?? [];
}
