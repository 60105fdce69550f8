import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { RpcTransportError } from '@hunter/solana/rpc-error';
import type { SignatureRow } from '@hunter/solana/rpc-replies';
import { systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { readTransactions } from '../platform/read-transactions.ts';
import { loadOwn } from '../sending/transaction-store.ts';
import {
  counterpartiesOf,
  foreignAccountsOf,
  movementsOf,
  tokenAccountsOf,
  type ForeignAccount,
} from './movements-of-transaction.ts';
import { recordForeignAccounts, recordUnreadable } from './odd-arrivals.ts';
import { recordLinks, type WalletLink } from './wallet-links.ts';
import { loadRecordedSignatures, recordSeen, type MovementRow, type SeenMovement } from './wallet-movements.ts';
import { watchTokenAccounts } from './watch-token-accounts.ts';
import { addWatchedAddresses, loadWatched, saveReadUntil, type WatchedAddress } from './watched-addresses.ts';

const PAGE_SIZE = 1_000;
/** Beyond this an address is not one of ours: no user makes a million transactions between two looks. */
const PAGES_MAX = 1_000;
const CHUNK_SIZE = 50;

export type ScanDeps = {
  database: Database;
  log: Log;
  rpc: Pick<RpcClient, 'getSignaturesForAddress' | 'getTransactions' | 'getTokenAccountsByOwner'>;
};

/** `missing` is a transaction that the node lists and does not show yet: the address is to be scanned again. */
export type ScanResult = { seen: MovementRow[]; newAddresses: WatchedAddress[]; missing: string | null };

/**
 * Reads every transaction of an address since the last finalized one that was read, oldest first, and records what the
 * foreign ones did. Reading something twice is harmless, so the mark only ever moves over what is finalized and recorded.
 */
export async function scanAddress(deps: ScanDeps, address: Address): Promise<ScanResult> {
  const result: ScanResult = { seen: [], newAddresses: [], missing: null };
  const watched = await loadWatched(deps.database, address);
  if (!watched) return result;
  const rows = await readBack(deps, watched);
  // Own trades are not read here, and the notice of one may have been missed: what it made would hold tokens unwatched for ever.
  if (rows.length > 0 && address === watched.walletAddress) {
    result.newAddresses.push(...(await watchTokenAccounts(deps, watched)));
  }
  let marksSoFar = true;
  for (let start = 0; start < rows.length; start += CHUNK_SIZE) {
    const chunk = rows.slice(start, start + CHUNK_SIZE);
    await readChunk(deps, watched, chunk, result);
    // A missing one is asked for again, so the mark stays before it; what lies behind need not wait for it.
    const firstOpen = chunk.findIndex(
      ({ signature, confirmationStatus }) => confirmationStatus !== 'finalized' || signature === result.missing,
    );
    const lastFinal = marksSoFar ? chunk[(firstOpen === -1 ? chunk.length : firstOpen) - 1] : undefined;
    if (lastFinal) await saveReadUntil(deps.database, address, lastFinal.signature);
    if (firstOpen !== -1) marksSoFar = false;
  }
  return result;
}

async function readBack({ rpc }: ScanDeps, watched: WatchedAddress): Promise<SignatureRow[]> {
  const rows: SignatureRow[] = [];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const before = rows.at(-1)?.signature;
    const found = await rpc.getSignaturesForAddress(watched.address, {
      limit: PAGE_SIZE,
      ...(before === undefined ? {} : { before }),
      ...(watched.readUntilSignature === null ? {} : { until: watched.readUntilSignature }),
    });
    rows.push(...found);
    if (found.length < PAGE_SIZE) return rows.reverse();
  }
  throw new Error(`${watched.address} has more transactions than can be read`);
}

async function readChunk(
  { database, rpc, log }: ScanDeps,
  { userId, walletId, walletAddress }: WatchedAddress,
  chunk: readonly SignatureRow[],
  result: ScanResult,
): Promise<void> {
  const signatures = chunk.map((row) => row.signature);
  // To the receiver of what another user withdrew, that user's transaction is a deposit like any other.
  const isOwn = await loadOwn(database, signatures);
  const recorded = await loadRecordedSignatures(database, walletAddress, signatures);
  const foreign = signatures.filter((signature) => !isOwn(signature, walletAddress) && !recorded.has(signature));
  if (foreign.length === 0) return;
  const { transactions, unreadable: refused } = await readTransactions(rpc, foreign);
  // What the node shows in another shape is its own fault and may be over soon: a deposit is not given up for that.
  const unreadable = new Map([...refused].filter(([, error]) => !(error instanceof RpcTransportError)));
  for (const signature of await recordUnreadable(database, { userId, walletId }, unreadable)) {
    const facts = { walletAddress, signature, err: unreadable.get(signature) };
    log.error(facts, 'a transaction cannot be read and is passed over; reconciliation shows what it moved');
  }
  const foreignAccounts: (ForeignAccount & { signature: string })[] = [];
  const seen: SeenMovement[] = [];
  const accounts = new Set<Address>();
  const links: WalletLink[] = [];
  for (const [index, transaction] of transactions.entries()) {
    if (transaction === null) {
      if (!unreadable.has(foreign[index]!)) result.missing ??= foreign[index]!;
      continue;
    }
    const { signature, slot, blockTime } = transaction;
    const at = blockTime === null ? new Date(systemClock.nowMs()) : new Date(blockTime * 1000);
    for (const movement of movementsOf(transaction, walletAddress)) {
      seen.push({ ...movement, userId, walletId, walletAddress, signature, slot, at });
    }
    for (const account of tokenAccountsOf(transaction, walletAddress)) accounts.add(account);
    for (const account of foreignAccountsOf(transaction, walletAddress))
      foreignAccounts.push({ ...account, signature });
    for (const { address: otherAddress, isOutgoing } of counterpartiesOf(transaction, walletAddress))
      links.push({ walletAddress, otherAddress, receivedAt: isOutgoing ? null : at });
  }
  const rows = [...accounts].map((address) => ({ address, userId, walletId, walletAddress }));
  await database.transaction(async (sql) => {
    const added = await addWatchedAddresses(sql, rows);
    const fresh = await recordSeen(sql, seen);
    await recordLinks(sql, links);
    await recordForeignAccounts(sql, { userId, walletId }, foreignAccounts);
    sql.afterCommit(() => {
      result.newAddresses.push(...added);
      result.seen.push(...fresh);
    });
  });
}
