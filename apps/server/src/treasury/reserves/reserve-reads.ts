import type { Asset } from '../../ledger/journal.ts';
import type { Database, Sql } from '../../platform/postgres.ts';
import { leafPath, reserveSalt, type StoredTree } from './reserve-tree.ts';
import type { ReserveDeps } from './take-snapshot.ts';
import { loadBooks } from '../../ledger/books.ts';

export type ReserveAsset = {
  kind: 'personal' | 'strategy';
  asset: Asset;
  owed: bigint;
  unclaimed: bigint;
  onChain: bigint;
  /** By how much wallets with a transaction under way are below what they owe. */
  inTransit: bigint;
  /** Of strategy wallets. */
  root: string | null;
  sum: bigint | null;
};

export type ReserveSnapshot = { id: string; takenAt: Date; slot: bigint; inFlight: string[]; assets: ReserveAsset[] };

/** What is missing beyond what is in transit; nothing where it is not above zero. */
export function missingOf({ owed, unclaimed, onChain, inTransit }: ReserveAsset): bigint {
  return owed + unclaimed - onChain - inTransit;
}

export async function loadNewestSnapshot(sql: Sql): Promise<ReserveSnapshot | null> {
  const [row] = await sql.query<Omit<ReserveSnapshot, 'assets'>>(
    `select id, taken_at as "takenAt", slot, in_flight as "inFlight" from reserve_snapshot order by taken_at desc limit 1`,
  );
  if (!row) return null;
  const assets = await sql.query<ReserveAsset>(
    `select a.kind, a.asset, a.owed, a.unclaimed, a.on_chain as "onChain", a.in_transit as "inTransit", t.root, t.sum
     from reserve_asset a left join reserve_tree t
       on t.snapshot_id = a.snapshot_id and t.asset = a.asset and a.kind = 'strategy'
     where a.snapshot_id = $1 order by a.asset <> 'SOL', a.asset, a.kind`,
    [row.id],
  );
  return { ...row, assets };
}

export type ReserveWallet = {
  address: string;
  kind: 'personal' | 'strategy';
  asset: Asset;
  owed: bigint;
  onChain: bigint;
};

/** In the order of addresses, after one. */
export function loadReserveWallets(sql: Sql, id: string, after: string, limit: number): Promise<ReserveWallet[]> {
  return sql.query(
    `select address, kind, asset, owed, on_chain as "onChain" from reserve_wallet
     where snapshot_id = $1 and address || ' ' || asset > $2 order by address || ' ' || asset limit $3`,
    [id, after, limit],
  );
}

export type OwnReserve = {
  snapshotId: string;
  asset: Asset;
  bookId: string;
  bookName: string;
  amount: string;
  salt: string;
  index: number;
  path: { hash: string; sum: string; side: 'left' | 'right' }[];
  root: string;
  sum: string;
};

/** The user's own leaves in the newest snapshot: one per book in a strategy wallet and asset. */
export async function loadOwnReserves(
  { database, bookKey }: { database: Database } & Pick<ReserveDeps, 'bookKey'>,
  userId: string,
): Promise<OwnReserve[]> {
  const books = (await loadBooks(database, userId)).filter(({ kind }) => kind !== 'personal');
  const names = new Map(books.map(({ id, name }) => [id, name]));
  const trees = await database.query<StoredTree & { snapshotId: string; asset: Asset; root: string; sum: bigint }>(
    `select snapshot_id as "snapshotId", asset, root, sum, hashes, sums, book_ids as "bookIds" from reserve_tree
     where snapshot_id = (select id from reserve_snapshot order by taken_at desc limit 1) and book_ids && $1::uuid[]`,
    [[...names.keys()]],
  );
  return trees.flatMap(({ snapshotId, asset, root, sum, ...stored }) => {
    const tree = { ...stored, sums: stored.sums.map(BigInt) };
    return [...names].flatMap(([bookId, bookName]): OwnReserve[] => {
      const leaf = leafPath(tree, bookId);
      if (leaf === null) return [];
      const salt = Buffer.from(reserveSalt(bookKey(bookId), snapshotId, asset)).toString('base64url');
      const { index, path } = leaf;
      const own = { snapshotId, asset, bookId, bookName, amount: leaf.amount.toString(), salt, index, path };
      return [{ ...own, root, sum: sum.toString() }];
    });
  });
}
