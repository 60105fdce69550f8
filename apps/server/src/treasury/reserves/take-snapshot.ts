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
import { loadUnderWay } from '../../sending/transaction-store.ts';
import { loadAccountsBetween } from '../watched-addresses.ts';
import { loadOpenMovements } from '../wallet-movements.ts';
import { reserveSalt, rootOf, storedTree, type ReserveLeaf } from './reserve-tree.ts';

const WALLETS_PER_PAGE = 500;
const IN_FLIGHT_MAX = 500;
/** Older snapshots lose their details; their roots and sums stay. */
const DETAILED_SNAPSHOTS = 3;
const FORGOTTEN_AT_ONCE = 3;

export type ReserveDeps = {
  database: Database;
  rpc: Pick<RpcClient, 'getMultipleAccounts'>;
  /** With which a book's leaves are salted; its owner alone is told the salt. */
  bookKey: (bookId: string) => Uint8Array;
};

type Totals = { owed: bigint; unclaimed: bigint; onChain: bigint };
/** By how much a wallet's books are above the chain; negative where they are below it. */
type Difference = { key: string; address: string; missing: bigint };
type Kind = ListedWallet['kind'];

/**
 * What is owed to users and what is on chain, of one moment: the books as one database snapshot shows them, and all known accounts at
 * the slots in which the node answered meanwhile. What is under way in that time is listed, and what it makes wallets differ by told
 * apart.
 */
export async function takeReserveSnapshot({ database, rpc, bookKey }: ReserveDeps): Promise<string> {
  const id = randomUUID();
  await database.transaction(async (sql) => {
    await sql.write(`set transaction isolation level repeatable read`);
    const underWay = await loadInFlight(sql);
    await sql.write(`insert into reserve_snapshot (id, slot, in_flight) values ($1, 0, '{}')`, [id]);
    const differences: Difference[] = [];
    const totals = new Map<string, Totals>();
    const leaves = new Map<Asset, ReserveLeaf[]>();
    let slot = 0n;
    for (let after = FIRST_WALLET; ;) {
      const wallets = await loadWalletsAfter(sql, after, WALLETS_PER_PAGE);
      const last = wallets.at(-1);
      if (!last) break;
      after = last.walletId;
      slot = await readPage(sql, { id, rpc, bookKey, totals, leaves, differences }, wallets);
    }
    // This transaction does not see what has begun while the chain was read.
    underWay.push(...(await loadInFlight(database)));
    const inTransit = netOf(differences, new Set(underWay.map(({ walletAddress }) => walletAddress)));
    await saveTotals(sql, id, totals, leaves, inTransit);
    await sql.write(`update reserve_snapshot set slot = $2, taken_at = now(), in_flight = $3 where id = $1`, [
      id,
      slot,
      [...new Set(underWay.map(({ signature }) => signature))],
    ]);
    await forgetDetails(sql);
  });
  return id;
}

type InFlight = { signature: string; walletAddress: string };

async function loadInFlight(sql: Sql): Promise<InFlight[]> {
  return [...(await loadUnderWay(sql, IN_FLIGHT_MAX)), ...(await loadOpenMovements(sql, IN_FLIGHT_MAX))];
}

/** Taken together: what one wallet has too little and another too much, as when SOL returns, is in transit for neither. */
function netOf(differences: readonly Difference[], moving: ReadonlySet<string>): ReadonlyMap<string, bigint> {
  const net = new Map<string, bigint>();
  for (const { key, address, missing } of differences) {
    if (moving.has(address)) net.set(key, (net.get(key) ?? 0n) + missing);
  }
  return net;
}

type Work = Pick<ReserveDeps, 'rpc' | 'bookKey'> & {
  id: string;
  totals: Map<string, Totals>;
  leaves: Map<Asset, ReserveLeaf[]>;
  differences: Difference[];
};

async function readPage(sql: Sql, work: Work, wallets: readonly ListedWallet[]): Promise<bigint> {
  const { id, rpc, bookKey, totals, leaves, differences } = work;
  const ids = wallets.map(({ walletId }) => walletId);
  const known = [...wallets, ...(await loadAccountsBetween(sql, ids[0]!, ids.at(-1)!))];
  const addresses = known.map(({ address }) => address);
  const chain = await rpc.getMultipleAccounts(addresses, 'confirmed');
  const byWallet = new Map(wallets.map((wallet) => [wallet.walletId, wallet]));
  const rows = new Map<
    string,
    { wallet: ListedWallet; asset: Asset; owed: bigint; unclaimed: bigint; onChain: bigint }
  >();
  const rowOf = (walletId: string, asset: Asset) => {
    const key = `${walletId} ${asset}`;
    const row = rows.get(key) ?? { wallet: byWallet.get(walletId)!, asset, owed: 0n, unclaimed: 0n, onChain: 0n };
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
      rowOf(walletId, asset).unclaimed += amount;
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
  for (const { wallet, asset, owed, unclaimed, onChain } of all) {
    const missing = owed + unclaimed - onChain;
    if (missing !== 0n) differences.push({ key: keyOf(wallet.kind, asset), address: wallet.address, missing });
  }
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

const keyOf = (kind: Kind, asset: Asset): string => `${kind} ${asset}`;

function totalOf(totals: Map<string, Totals>, kind: Kind, asset: Asset): Totals {
  const key = keyOf(kind, asset);
  const total = totals.get(key) ?? { owed: 0n, unclaimed: 0n, onChain: 0n };
  totals.set(key, total);
  return total;
}

async function saveTotals(
  sql: Sql,
  id: string,
  totals: ReadonlyMap<string, Totals>,
  leaves: ReadonlyMap<Asset, readonly ReserveLeaf[]>,
  inTransit: ReadonlyMap<string, bigint>,
): Promise<void> {
  const rows = [...totals].map(([key, total]) => ({
    kind: key.slice(0, key.indexOf(' ')),
    asset: key.slice(key.indexOf(' ') + 1),
    ...total,
    inTransit: moreThanNothing(inTransit.get(key) ?? 0n),
  }));
  await sql.write(
    `insert into reserve_asset (snapshot_id, kind, asset, owed, unclaimed, on_chain, in_transit)
     select $1, * from unnest($2::text[], $3::text[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[])`,
    [id, ...columnsOf(rows, 'kind', 'asset', 'owed', 'unclaimed', 'onChain', 'inTransit')],
  );
  for (const [asset, books] of leaves) {
    const tree = storedTree(id, asset, books);
    const { root, sum } = rootOf(tree);
    await sql.write(
      `insert into reserve_tree (snapshot_id, asset, root, sum, hashes, sums, book_ids) values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, asset, root, sum, tree.hashes, tree.sums, tree.bookIds],
    );
  }
}

const moreThanNothing = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

/**
 * Of those that have just become old, and of a few before them that an earlier version left: roots and sums stay for ever, so nothing
 * may look at all of them each time. Of personal wallets only the sums of SOL stay: anybody can send them tokens of his own, as many as
 * he likes, and each would be another row with every snapshot.
 */
async function forgetDetails(sql: Sql): Promise<void> {
  const old = `snapshot_id in (select id from reserve_snapshot order by taken_at desc offset ${DETAILED_SNAPSHOTS} limit ${FORGOTTEN_AT_ONCE})`;
  await sql.write(`delete from reserve_wallet where ${old}`);
  await sql.write(`delete from reserve_asset where ${old} and kind = 'personal' and asset <> 'SOL'`);
  await sql.write(
    `update reserve_tree set hashes = null, sums = null, book_ids = null where hashes is not null and ${old}`,
  );
}
