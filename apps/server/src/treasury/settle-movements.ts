import { baseUnits } from '@hunter/domain/numbers/base-units';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { ChainTransaction } from '@hunter/solana/rpc-replies';
import type { TellUser } from '../accounts/tell-user.ts';
import { depositBookOf, loadBooksInWallets, type BookInWallet } from '../ledger/books.ts';
import { coverOutflow } from '../ledger/cover-outflow.ts';
import { postEntries, SOL, type Asset, type Posting } from '../ledger/journal.ts';
import { recordFills, type FillRow } from '../ledger/positions.ts';
import { withSentCosts } from '../ledger/sent-costs.ts';
import { lockFreeBalances } from '../ledger/wallet-balance.ts';
import type { WalletRange } from '../ledger/wallet-part.ts';
import { recordAudit } from '../platform/audit.ts';
import type { Log } from '../platform/log.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import { readTransactions } from '../platform/read-transactions.ts';
import { movementsOf, type Movement } from './movements-of-transaction.ts';
import type { RaiseOutflowAlarm } from './outflow-alarm.ts';
import { loadTakenByIssuer } from './taken-by-issuer.ts';
import { tellDeposits } from './tell-deposits.ts';
import { loadOpenMovements, recordSeen, symbolOf, type MovementRow, type TokenSymbols } from './wallet-movements.ts';

const BATCH_MAX = 500;
/** A transaction can land within 150 blocks; twice that after its slot it is gone for good when nobody knows it. */
const ORPHANED_AFTER_SLOTS = 300n;

export type SettleDeps = {
  database: Database;
  log: Log;
  tell: TellUser;
  symbols: TokenSymbols;
  /** Money left a wallet without our signature, whether all of it can be posted or not: told once, or again after a crash. */
  alarm: RaiseOutflowAlarm;
  rpc: Pick<RpcClient, 'getEpochInfo' | 'getParsedAccountInfo' | 'getSignatureStatuses' | 'getTransactions'>;
};

export type SettleResult = {
  settled: MovementRow[];
  /** How many only wait for their finality. What cannot be posted or read now is open as well, and nobody waits for it. */
  open: number;
};

/** One round over everything of these wallets that was seen and is not final yet. */
export async function settleMovements(deps: SettleDeps, wallets: WalletRange): Promise<SettleResult> {
  const { database, rpc, log } = deps;
  const result: SettleResult = { settled: [], open: 0 };
  const rows = await loadOpenMovements(database, BATCH_MAX, wallets);
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
  const { transactions, unreadable } = await readTransactions(rpc, final, 'finalized');
  const bySignature = new Map(transactions.flatMap((one) => (one === null ? [] : [[one.signature, one] as const])));

  for (const group of groupByTransactionAndWallet(rows)) {
    const { signature, walletAddress } = group[0]!;
    const transaction = bySignature.get(signature);
    try {
      if (unreadable.has(signature)) throw unreadable.get(signature);
      if (transaction) await settleGroup(deps, group, transaction, result);
      else if (!gone.has(signature)) result.open += group.length;
      else if (!isKnownFinal(group)) result.settled.push(...(await orphanGroup(database, group)));
    } catch (error) {
      // One that cannot be posted or read does not stop the others.
      log.error({ signature, walletAddress, err: error }, 'posting a movement failed; retrying with the next pass');
    }
  }
  return result;
}

/** A part of it was posted: that a node has forgotten the transaction since says nothing. */
function isKnownFinal(group: readonly MovementRow[]): boolean {
  return group.some((row) => row.alarmedAt !== null);
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
  deps: SettleDeps,
  group: readonly MovementRow[],
  transaction: ChainTransaction,
  result: SettleResult,
): Promise<void> {
  const { userId, walletId, walletAddress, signature, at } = group[0]!;
  const movements = movementsOf(transaction, address(walletAddress));
  const isFirst = group.every((row) => row.alarmedAt === null);
  const taken = isFirst
    ? await loadTakenByIssuer(deps.rpc, transaction, address(walletAddress), movements)
    : new Set<Asset>();
  const outcome = await deps.database.transaction(async (sql) => {
    const locked = await sql.query(
      `select 1 from wallet_movement where id = any($1::uuid[]) and status = 'seen' order by id for update`,
      [group.map((row) => row.id)],
    );
    if (locked.length !== group.length) return null;
    // What only the final fork shows has a row as well, which says how much of it is posted.
    const unseen = movements.filter(({ asset }) => group.every((row) => row.asset !== asset));
    const cause = { userId, walletId, walletAddress, signature, slot: transaction.slot, at };
    const open = [
      ...group,
      ...(await recordSeen(
        sql,
        unseen.map((movement) => ({ ...movement, ...cause })),
      )),
    ];
    const target = await depositBookOf(sql, walletId);
    const posted = new Map(open.map((row) => [row.asset, row.posted]));
    const left = movements.map((movement) => ({
      ...movement,
      amount: movement.amount - (posted.get(movement.asset) ?? 0n),
    }));
    const { postings, parts } = await postingsFor(sql, walletId, target.id, left);
    // What was posted before is part of the name: each part is posted once.
    const before = [...posted.values()].reduce((sum, amount) => sum + (amount < 0n ? -amount : amount), 0n);
    const reference = `${signature}:${walletAddress}${before === 0n ? '' : `:${before}`}`;
    const isOut = movements.some((movement) => movement.amount < 0n);
    const kind = isOut ? 'external-out' : 'deposit';
    const entry = { kind, reference, signature, slot: transaction.slot, at, postings } as const;
    const [fresh] = await postEntries(sql, postings.some(({ amount }) => amount !== 0n) ? [entry] : []);
    if (fresh) {
      // What nobody claims is nobody's position.
      const claimed = postings.filter(({ bookId }) => target.isClaimed || bookId !== target.id);
      const books = await loadBooksInWallets(
        sql,
        claimed.flatMap(({ bookId }) => bookId ?? []),
      );
      const fills = fillsFor({ reference, signature, slot: transaction.slot, at }, claimed, books);
      await recordFills(sql, await withSentCosts(sql, fills));
    }
    // The key of a strategy's wallet is nobody's, and what it holds is many people's: that one is a matter of the operator alone.
    if (isOut && isFirst)
      await recordOutflow(deps, sql, { userId, signature, movements, taken, isTold: target.isClaimed });
    const isWhole = left.every(({ asset, amount }) => parts.get(asset) === amount);
    const rows = isWhole ? await markFinalized(sql, open, movements, transaction.slot) : open;
    if (!isWhole) await savePosted(sql, open, parts);
    else if (target.isClaimed) await tellDeposits(sql, deps.symbols, rows);
    // Before the commit: of what is posted by a process that dies right after it, nobody would be told any more.
    if (isFirst)
      for (const row of rows)
        if (row.status !== 'orphaned' && row.amount < 0n) deps.alarm(row, taken.has(row.asset) ? 'issuer' : 'key');
    return { isWhole, rows };
  });
  if (outcome === null) return;
  const { isWhole, rows } = outcome;
  if (isWhole) result.settled.push(...rows);
}

type Outflow = {
  userId: string;
  signature: string;
  movements: readonly Movement[];
  /** By the issuers of these tokens. */
  taken: ReadonlySet<Asset>;
  isTold: boolean;
};

async function recordOutflow(deps: SettleDeps, sql: Sql, outflow: Outflow): Promise<void> {
  const { userId, signature, movements, taken, isTold } = outflow;
  const out = movements.filter(({ amount }) => amount < 0n);
  const names = await deps.symbols(out.map(({ asset }) => asset));
  const withKey = out.filter(({ asset }) => !taken.has(asset));
  if (withKey.length > 0) {
    await recordAudit(sql, { userId, event: 'external-outflow', address: '', detail: signature });
    const amount = printAmounts(withKey, names);
    if (isTold) await deps.tell(sql, userId, { kind: 'external-outflow', amount, hash: signature });
  }
  // Whoever sends a token that the market does not know can take it back as often as he likes: that is listed, not told.
  const ofMarket = out.filter(({ asset }) => taken.has(asset) && names.has(asset));
  if (ofMarket.length === 0 || !isTold) return;
  await recordAudit(sql, { userId, event: 'issuer-outflow', address: '', detail: signature });
  const amount = printAmounts(ofMarket, names);
  await deps.tell(sql, userId, { kind: 'issuer-outflow', amount, hash: signature });
}

/** Tokens with their mint: a symbol is chosen by whoever made it, and may be "SOL". */
function printAmounts(out: readonly Movement[], names: ReadonlyMap<string, string>): string {
  const amounts = out.map(({ asset, amount, decimals }) => {
    const mint = names.has(asset) && asset !== SOL ? ` (${symbolOf(asset, new Map())})` : '';
    return `${printDecimal(-amount, decimals)} ${symbolOf(asset, names)}${mint}`;
  });
  return amounts.join(', ');
}

async function savePosted(sql: Sql, group: readonly MovementRow[], parts: ReadonlyMap<string, bigint>): Promise<void> {
  await sql.write(
    `update wallet_movement m set posted = m.posted + v.part, alarmed_at = coalesce(m.alarmed_at, now())
     from unnest($1::uuid[], $2::numeric[]) v (id, part) where m.id = v.id`,
    [group.map((row) => row.id), group.map((row) => parts.get(row.asset) ?? 0n)],
  );
}

/** `parts` says how much of each asset they post: of an outflow as much as is free. */
async function postingsFor(
  sql: Sql,
  walletId: string,
  depositBookId: string,
  movements: readonly Movement[],
): Promise<{ postings: Posting[]; parts: Map<string, bigint> }> {
  const parts = new Map<string, bigint>();
  const out = movements.filter((movement) => movement.amount < 0n);
  const assets = out.map(({ asset }) => asset);
  const free = out.length === 0 ? [] : await lockFreeBalances(sql, [walletId], assets);
  const postings: Posting[] = [];
  for (const { asset, amount } of movements) {
    const taken = coverOutflow(
      free.filter((row) => row.asset === asset),
      amount < 0n ? -amount : 0n,
    );
    for (const part of taken) postings.push({ bookId: part.bookId, account: 'cash', asset, amount: -part.amount });
    if (amount > 0n) postings.push({ bookId: depositBookId, account: 'cash', asset, amount });
    const part = amount > 0n ? amount : -taken.reduce((sum, one) => sum + one.amount, 0n);
    postings.push({ bookId: null, account: 'external', asset, amount: -part });
    parts.set(asset, part);
  }
  return { postings, parts };
}

/** Tokens that came from outside have no known cost; positions learn of them in the transaction that posts them. */
function fillsFor(
  cause: { reference: string; signature: string; slot: bigint; at: Date },
  postings: readonly Posting[],
  books: ReadonlyMap<string, Pick<BookInWallet, 'userId'>>,
): FillRow[] {
  return postings.flatMap((posting): FillRow[] => {
    if (posting.bookId === null || posting.asset === SOL) return [];
    const { bookId, asset: mint, amount } = posting;
    return [
      {
        ...cause,
        reference: `${cause.reference}:${mint}:${bookId}`,
        // In a strategy's wallet the books are of many people.
        userId: books.get(bookId)!.userId,
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
    const [row] = await sql.write<{ id: string }>(
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
      posted: amount,
      alarmedAt: group[0]!.alarmedAt,
      status: 'finalized',
    });
  }
  return rows;
}

function orphanGroup(database: Database, group: readonly MovementRow[]): Promise<MovementRow[]> {
  return database.transaction((sql) => setOrphaned(sql, group));
}

async function setOrphaned(sql: Sql, group: readonly MovementRow[]): Promise<MovementRow[]> {
  await sql.write(`update wallet_movement set status = 'orphaned' where id = any($1::uuid[]) and status = 'seen'`, [
    group.map((row) => row.id),
  ]);
  return group.map((row) => ({ ...row, status: 'orphaned' }));
}
