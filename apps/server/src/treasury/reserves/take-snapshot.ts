import { randomUUID } from 'node:crypto';
import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { decodeTokenAccount } from '@hunter/solana/token-account';
import type { AccountInfo } from '@hunter/solana/rpc-replies';
import { SOL, type Asset } from '../../ledger/journal.ts';
import { loadBookAmounts } from '../../ledger/wallet-balance.ts';
import { FIRST_WALLET, loadWalletsAfter, type ListedWallet } from '../../ledger/wallets.ts';
import type { Database, Sql } from '../../platform/postgres.ts';
import { columnsOf } from '../../platform/columns-of.ts';
import { loadOpenSignatures } from '../../sending/transaction-store.ts';
import { loadAccountsBetween } from '../watched-addresses.ts';
import { loadOpenMovements } from '../wallet-movements.ts';
import { reserveSalt, rootOf, storedTree, type ReserveLeaf } from './reserve-tree.ts';

const WALLETS_PER_PAGE = 500;
const IN_FLIGHT_MAX = 500;
/** Older snapshots lose their details; their roots and sums stay. */
const DETAILED_SNAPSHOTS = 3;

export type ReserveDeps = {
  database: Database;
  rpc: Pick<RpcClient, 'getMultipleAccounts'>;
  /** With which a book's leaves are salted; its owner alone is told the salt. */
  bookKey: (bookId: string) => Uint8Array;
};

type Totals = { owed: bigint; unclaimed: bigint; onChain: bigint };
type Kind = ListedWallet['kind'];

/**
 * What is owed to users and what is on chain, of one moment: the books as one database snapshot shows them, and all known accounts at
 * the slots in which the node answered meanwhile. What is under way in that time is listed, because it explains differences.
 */
export async function takeReserveSnapshot({ database, rpc, bookKey }: ReserveDeps): Promise<string> {
  const id = randomUUID();
  await database.transaction(async (sql) => {
    await sql.write(`set transaction isolation level repeatable read`);
    const inFlight = [
      ...(await loadOpenSignatures(sql, IN_FLIGHT_MAX)),
      ...(await loadOpenMovements(sql, IN_FLIGHT_MAX)).map(({ signature }) => signature),
    ];
    await sql.write(`insert into reserve_snapshot (id, slot, in_flight) values ($1, 0, $2)`, [
      id,
      [...new Set(inFlight)],
    ]);
    const totals = new Map<string, Totals>();
    const leaves = new Map<Asset, ReserveLeaf[]>();
    let slot = 0n;
    for (let after = FIRST_WALLET; ;) {
      const wallets = await loadWalletsAfter(sql, after, WALLETS_PER_PAGE);
      const last = wallets.at(-1);
      if (!last) break;
      after = last.walletId;
      slot = await readPage(sql, { id, rpc, bookKey, totals, leaves }, wallets);
    }
    await saveTotals(sql, id, slot, totals, leaves);
    await forgetDetails(sql);
  });
  return id;
}

type Work = Pick<ReserveDeps, 'rpc' | 'bookKey'> & {
  id: string;
  totals: Map<string, Totals>;
  leaves: Map<Asset, ReserveLeaf[]>;
};

async function readPage(sql: Sql, work: Work, wallets: readonly ListedWallet[]): Promise<bigint> {
  const { id, rpc, bookKey, totals, leaves } = work;
  const ids = wallets.map(({ walletId }) => walletId);
  const known = [...wallets, ...(await loadAccountsBetween(sql, ids[0]!, ids.at(-1)!))];
  const addresses = known.map(({ address }) => address);
  const chain = await rpc.getMultipleAccounts(addresses, 'confirmed');
  const byWallet = new Map(wallets.map((wallet) => [wallet.walletId, wallet]));
  const rows = new Map<string, { wallet: ListedWallet; asset: Asset; owed: bigint; onChain: bigint }>();
  const rowOf = (walletId: string, asset: Asset) => {
    const key = `${walletId} ${asset}`;
    const row = rows.get(key) ?? { wallet: byWallet.get(walletId)!, asset, owed: 0n, onChain: 0n };
    rows.set(key, row);
    return row;
  };
  known.forEach(({ walletId, address }, index) => {
    const held = heldIn(chain.value[index] ?? null, address, byWallet.get(walletId)!.address);
    if (held === null || held.amount === 0n) return;
    rowOf(walletId, held.asset).onChain += held.amount;
    totalOf(totals, byWallet.get(walletId)!.kind, held.asset).onChain += held.amount;
  });
  for (const { walletId, bookId, kind, asset, amount } of await loadBookAmounts(sql, ids)) {
    const wallet = byWallet.get(walletId)!;
    const total = totalOf(totals, wallet.kind, asset);
    if (kind === 'unclaimed') {
      total.unclaimed += amount;
      continue;
    }
    total.owed += amount;
    rowOf(walletId, asset).owed += amount;
    if (wallet.kind !== 'strategy') continue;
    const leaf = { bookId, amount, salt: reserveSalt(bookKey(bookId), id, asset) };
    const others = leaves.get(asset);
    if (others === undefined) leaves.set(asset, [leaf]);
    else others.push(leaf);
  }
  const all = [...rows.values()];
  await sql.write(
    `insert into reserve_wallet (snapshot_id, address, kind, asset, owed, on_chain)
     select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::numeric[], $6::numeric[])`,
    [
      id,
      all.map(({ wallet }) => wallet.address),
      all.map(({ wallet }) => wallet.kind),
      ...columnsOf(all, 'asset', 'owed', 'onChain'),
    ],
  );
  return chain.contextSlot;
}

/**
 * Lamports count in the wallet's own account; those inside token accounts are refundable rent, and what somebody sends to the address of
 * a token account that is closed is nobody's.
 */
function heldIn(
  account: AccountInfo | null,
  address: Address,
  wallet: Address,
): { asset: Asset; amount: bigint } | null {
  if (account === null) return null;
  if (address === wallet) return { asset: SOL, amount: account.lamports };
  const tokens = decodeTokenAccount(account);
  return tokens !== null && tokens.owner === wallet ? { asset: tokens.mint, amount: tokens.amount } : null;
}

function totalOf(totals: Map<string, Totals>, kind: Kind, asset: Asset): Totals {
  const key = `${kind} ${asset}`;
  const total = totals.get(key) ?? { owed: 0n, unclaimed: 0n, onChain: 0n };
  totals.set(key, total);
  return total;
}

async function saveTotals(
  sql: Sql,
  id: string,
  slot: bigint,
  totals: ReadonlyMap<string, Totals>,
  leaves: ReadonlyMap<Asset, readonly ReserveLeaf[]>,
): Promise<void> {
  const rows = [...totals].map(([key, total]) => ({
    kind: key.slice(0, key.indexOf(' ')),
    asset: key.slice(key.indexOf(' ') + 1),
    ...total,
  }));
  await sql.write(
    `insert into reserve_asset (snapshot_id, kind, asset, owed, unclaimed, on_chain)
     select $1, * from unnest($2::text[], $3::text[], $4::numeric[], $5::numeric[], $6::numeric[])`,
    [id, ...columnsOf(rows, 'kind', 'asset', 'owed', 'unclaimed', 'onChain')],
  );
  for (const [asset, books] of leaves) {
    const tree = storedTree(id, asset, books);
    const { root, sum } = rootOf(tree);
    await sql.write(
      `insert into reserve_tree (snapshot_id, asset, root, sum, hashes, sums, book_ids) values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, asset, root, sum, tree.hashes, tree.sums, tree.bookIds],
    );
  }
  await sql.write(`update reserve_snapshot set slot = $2, taken_at = now() where id = $1`, [id, slot]);
}

async function forgetDetails(sql: Sql): Promise<void> {
  const old = `snapshot_id not in (select id from reserve_snapshot order by taken_at desc limit ${DETAILED_SNAPSHOTS})`;
  await sql.write(`delete from reserve_wallet where ${old}`);
  await sql.write(
    `update reserve_tree set hashes = null, sums = null, book_ids = null where hashes is not null and ${old}`,
  );
}
