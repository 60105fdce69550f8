import { baseUnits } from '@hunter/domain/base-units';
import { address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { ChainTransaction } from '@hunter/solana/rpc-replies';
import { depositBookOf } from '../ledger/books.ts';
import { postEntries, SOL, type Posting } from '../ledger/journal.ts';
import { recordFills, type FillRow } from '../ledger/positions.ts';
import { lockFreeBalances } from '../ledger/wallet-balance.ts';
import { recordAudit } from '../platform/audit.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import { coverOutflow } from './cover-outflow.ts';
import { movementsOf, type Movement } from './movements-of-transaction.ts';
import { loadOpenMovements, type MovementRow } from './wallet-movements.ts';

const BATCH_MAX = 500;
/** A transaction can land within 150 blocks; twice that after its slot it is gone for good when nobody knows it. */
const ORPHANED_AFTER_SLOTS = 300n;

export type SettleDeps = {
  database: Database;
  rpc: Pick<RpcClient, 'getEpochInfo' | 'getSignatureStatuses' | 'getTransactions'>;
};

export type SettleResult = {
  settled: MovementRow[];
  /** Money that left without us, for the alarm. */
  outflows: MovementRow[];
  /** Outflows larger than all free money: something is under way with the rest, they are tried again. */
  uncovered: MovementRow[];
  /** How many are still open. */
  open: number;
};

/** One round over everything that was seen and is not final yet. */
export async function settleMovements({ database, rpc }: SettleDeps): Promise<SettleResult> {
  const result: SettleResult = { settled: [], outflows: [], uncovered: [], open: 0 };
  const rows = await loadOpenMovements(database, BATCH_MAX);
  if (rows.length === 0) return result;
  const signatures = [...new Set(rows.map((row) => row.signature))];
  const finalized = await rpc.getEpochInfo('finalized');
  const statuses = await rpc.getSignatureStatuses(signatures, { searchTransactionHistory: true });
  const final: string[] = [];
  const gone = new Set<string>();
  signatures.forEach((signature, index) => {
    const status = statuses.value[index] ?? null;
    if (status?.confirmationStatus === 'finalized') final.push(signature);
    if (status !== null || statuses.contextSlot < finalized.slot) return;
    const seenAtSlot = rows.find((row) => row.signature === signature)!.slot;
    if (finalized.slot > seenAtSlot + ORPHANED_AFTER_SLOTS) gone.add(signature);
  });
  const transactions = await rpc.getTransactions(final, 'finalized');
  const bySignature = new Map(transactions.flatMap((one) => (one === null ? [] : [[one.signature, one] as const])));

  for (const group of groupByTransactionAndWallet(rows)) {
    const { signature } = group[0]!;
    const transaction = bySignature.get(signature);
    if (transaction) await settleGroup(database, group, transaction, result);
    else if (gone.has(signature)) result.settled.push(...(await orphanGroup(database, group)));
    else result.open += group.length;
  }
  return result;
}

function groupByTransactionAndWallet(rows: readonly MovementRow[]): MovementRow[][] {
  const groups = new Map<string, MovementRow[]>();
  for (const row of rows) {
    const key = `${row.signature} ${row.walletAddress}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

/**
 * Posts what the finalized transaction says, which a fork may have made different from what was first seen. The rows
 * are locked first, so that two processes cannot both settle them.
 */
async function settleGroup(
  database: Database,
  group: readonly MovementRow[],
  transaction: ChainTransaction,
  result: SettleResult,
): Promise<void> {
  const { userId, walletId, walletAddress, signature, at } = group[0]!;
  const movements = movementsOf(transaction, address(walletAddress));
  const outcome = await database.transaction(async (sql) => {
    const locked = await sql.query(
      `select 1 from wallet_movement where id = any($1::uuid[]) and status = 'seen' order by id for update`,
      [group.map((row) => row.id)],
    );
    if (locked.length !== group.length) return null;
    const target = await depositBookOf(sql, walletId);
    const postings = await postingsFor(sql, walletId, target.id, movements);
    if (!postings) return 'uncovered' as const;
    const reference = `${signature}:${walletAddress}`;
    const kind = movements.some((movement) => movement.amount < 0n) ? 'external-out' : 'deposit';
    const [fresh] = await postEntries(sql, [{ kind, reference, signature, slot: transaction.slot, at, postings }]);
    if (fresh) {
      // What nobody claims is nobody's position.
      const claimed = postings.filter(({ bookId }) => target.isClaimed || bookId !== target.id);
      await recordFills(sql, fillsFor({ userId, reference, signature, slot: transaction.slot, at }, claimed));
    }
    if (kind === 'external-out') {
      await recordAudit(sql, { userId, event: 'external-outflow', address: '', detail: signature });
    }
    return markFinalized(sql, group, movements, transaction.slot);
  });
  if (outcome === null) return;
  if (outcome === 'uncovered') {
    result.uncovered.push(...group);
    result.open += group.length;
    return;
  }
  result.settled.push(...outcome);
  result.outflows.push(...outcome.filter((row) => row.status === 'finalized' && row.amount < 0n));
}

async function postingsFor(
  sql: Sql,
  walletId: string,
  depositBookId: string,
  movements: readonly Movement[],
): Promise<Posting[] | null> {
  const out = movements.filter((movement) => movement.amount < 0n);
  const assets = out.map(({ asset }) => asset);
  const free = out.length === 0 ? [] : await lockFreeBalances(sql, [walletId], assets);
  const postings: Posting[] = [];
  for (const { asset, amount } of movements) {
    postings.push({ bookId: null, account: 'external', asset, amount: -amount });
    if (amount > 0n) postings.push({ bookId: depositBookId, account: 'cash', asset, amount });
    else {
      const taken = coverOutflow(
        free.filter((row) => row.asset === asset),
        -amount,
      );
      if (!taken) return null;
      for (const part of taken) {
        postings.push({ bookId: part.bookId, account: 'cash', asset, amount: -part.amount });
      }
    }
  }
  return postings;
}

/** Tokens that came from outside have no known cost; positions learn of them in the transaction that posts them. */
function fillsFor(
  cause: { userId: string; reference: string; signature: string; slot: bigint; at: Date },
  postings: readonly Posting[],
): FillRow[] {
  return postings.flatMap((posting): FillRow[] => {
    if (posting.bookId === null || posting.asset === SOL) return [];
    const { bookId, asset: mint, amount } = posting;
    return [
      {
        ...cause,
        reference: `${cause.reference}:${mint}:${bookId}`,
        bookId,
        mint,
        fill:
          amount > 0n ? { kind: 'received', tokens: baseUnits(amount) } : { kind: 'sent', tokens: baseUnits(-amount) },
      },
    ];
  });
}

async function markFinalized(
  sql: Sql,
  group: readonly MovementRow[],
  movements: readonly Movement[],
  slot: bigint,
): Promise<MovementRow[]> {
  const { userId, walletId, walletAddress, signature, at } = group[0]!;
  const vanished = group.filter((row) => !movements.some((movement) => movement.asset === row.asset));
  const rows = vanished.length === 0 ? [] : await setOrphaned(sql, vanished);
  for (const { asset, decimals, amount } of movements) {
    const [row] = await sql.query<{ id: string }>(
      `insert into wallet_movement
         (user_id, wallet_address, signature, asset, decimals, amount, slot, at, wallet_id, status, finalized_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'finalized', now())
       on conflict on constraint wallet_movement_once do update
         set status = 'finalized', finalized_at = now(), amount = excluded.amount, slot = excluded.slot
       returning id`,
      [userId, walletAddress, signature, asset, decimals, amount, slot, at, walletId],
    );
    rows.push({
      id: row!.id,
      userId,
      walletId,
      walletAddress,
      signature,
      asset,
      decimals,
      amount,
      slot,
      at,
      status: 'finalized',
    });
  }
  return rows;
}

function orphanGroup(database: Database, group: readonly MovementRow[]): Promise<MovementRow[]> {
  return database.transaction((sql) => setOrphaned(sql, group));
}

async function setOrphaned(sql: Sql, group: readonly MovementRow[]): Promise<MovementRow[]> {
  await sql.query(`update wallet_movement set status = 'orphaned' where id = any($1::uuid[]) and status = 'seen'`, [
    group.map((row) => row.id),
  ]);
  return group.map((row) => ({ ...row, status: 'orphaned' }));
}
