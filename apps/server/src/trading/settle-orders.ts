import type { Address } from '@hunter/solana/address';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { Allocation } from '@hunter/domain/copying/allocation';
import { inAndOut, solAndTokens } from '@hunter/domain/market/swap-maths';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { larger } from '@hunter/domain/numbers/rounding';
import { coverOutflow } from '../ledger/cover-outflow.ts';
import { postEntries, SOL, type JournalEntry } from '../ledger/journal.ts';
import { lockFreeBalances } from '../ledger/wallet-balance.ts';
import { applyFills, recordFills, type FillRow } from '../ledger/positions.ts';
import { postRoundFill } from '../ledger/round-entries.ts';
import { replaceFills } from '../ledger/undo-fills.ts';
import type { Sql } from '../platform/postgres.ts';
import { domainFill, type ChainFill } from './chain-fill.ts';
import { enqueueFills, enqueueRounds, type FillRecorded } from './order-events.ts';
import type { HeldPart, Order } from './order.ts';
import { controlLines, fillEntry, coverShortfall, missingLamports, type CashBalance } from './order-postings.ts';
import { lockOrders } from './order-store.ts';
import { loadParts, packShares, saveFills, skipParts } from './rounds/allocation-store.ts';
import { reopenOrders } from './undo-orders.ts';
import { shareFill, wholeOrder } from './rounds/round.ts';
import { venueFee } from './venue-fee.ts';

export type Settlement = {
  orderId: string;
  fill: ChainFill;
  tokenProgram: Address;
  venueFeeBps: number;
  /** When the chain executed it. */
  at: Date;
  /** Another outcome was posted before; this one is final and comes in its place. */
  isFinal?: boolean;
};

/**
 * Posts what the chain says about landed transactions, many at once: journal, fills, positions, round trips, order and the
 * news for other areas in one transaction. Whoever calls sees to it that each transaction comes here once. Of rounds in `known` the
 * parts are not read again.
 */
export async function settleOrders(
  sql: Sql,
  settlements: readonly Settlement[],
  known: ReadonlyMap<string, readonly HeldPart[]> = new Map(),
): Promise<Order[]> {
  const reversals = await reopenOrders(
    sql,
    settlements.filter(({ isFinal }) => isFinal),
  );
  const orderIds = settlements.map(({ orderId }) => orderId);
  const orders = await lockOrders(sql, orderIds);
  const byId = new Map(orders.map((order) => [order.id, order]));
  const unknown = orders.filter(({ isRound, id }) => isRound && !known.has(id)).map(({ id }) => id);
  const allocated = new Map([...known, ...(await loadParts(sql, unknown))]);
  const open = settlements.map((settlement): Open => {
    const order = byId.get(settlement.orderId)!;
    const held = order.isRound ? (allocated.get(order.id) ?? []) : [wholeOrder(order)];
    const shares = shareFill(order, held, settlement.fill);
    return { order, settlement, parts: held.map((part, index) => ({ part, share: shares[index]! })) };
  });
  for (const { order } of open) {
    if (order.state !== 'sent') throw new Error(`order ${order.id} is ${order.state} while its transaction is open`);
  }
  await post(sql, open, reversals);
  return open.map(({ order }) => order);
}

type Open = { order: Order; settlement: Settlement; parts: { part: HeldPart; share: Allocation }[] };

async function post(sql: Sql, open: readonly Open[], reversals: readonly JournalEntry[]): Promise<void> {
  const { shared = [], whole = [] } = Object.groupBy(open, (each) => (isShared(each) ? 'shared' : 'whole'));
  await postWhole(sql, whole, reversals);
  for (const each of shared) await postShared(sql, each);
  for (const each of open) applyToOrder(each);
  const filled = open.filter(({ order }) => order.state === 'confirmed');
  await Promise.all([saveOrders(sql, open), endRounds(sql, open), enqueueFills(sql, filled.map(fillRecorded))]);
}

/** A round that traded posts by its allocations. One that failed or comes instead of another outcome is rare, and has its lines. */
function isShared({ order, settlement: { fill, isFinal }, parts }: Open): boolean {
  if (!order.isRound || fill.failed || isFinal) return false;
  return parts.length > 0 && parts.every(({ share }) => share.amountIn > 0n && share.amountOut > 0n);
}

async function postShared(sql: Sql, each: Open): Promise<void> {
  const { order, settlement, parts } = each;
  const { fill, at } = settlement;
  const [amountIn, amountOut] = inAndOut(order.side, fill.lamports, fill.tokens);
  const { signature, slot, feeLamports } = fill;
  const postings = controlLines(order, fill);
  const shares = packShares(parts);
  await postRoundFill(sql, {
    orderId: order.id,
    at,
    signature,
    slot,
    amountIn,
    amountOut,
    feeLamports,
    shares,
    postings,
  });
  if (order.side === 'sell') await applyFills(sql, fillRows(each));
}

async function postWhole(sql: Sql, open: readonly Open[], reversals: readonly JournalEntry[]): Promise<void> {
  const balances = await lockCashBalances(sql, open);
  const covers = new Map<string, ReadonlyMap<string, Lamports>>();
  for (const each of open) covers.set(each.order.id, await coverOf(sql, each, balances));
  const entries = open.map(({ order, settlement: { fill, at, isFinal }, parts }) => {
    const cover = covers.get(order.id);
    const entry = fillEntry(order, parts, fill, at, cover);
    return isFinal ? { ...entry, reference: againReference(order.id, fill) } : entry;
  });
  // In one statement with what they take the place of: only the difference has to be there.
  await postEntries(sql, [...reversals, ...entries]);
  const { again = [], first = [] } = Object.groupBy(open, ({ settlement }) => (settlement.isFinal ? 'again' : 'first'));
  await recordFills(sql, first.flatMap(fillRows));
  await replaceFills(sql, again.flatMap(fillRows));
  for (const { order, settlement, parts } of open) {
    if (order.isRound && !settlement.fill.failed) await saveFills(sql, order.id, parts);
  }
}

/** What other books of the wallet pay of what its transaction took, by book. */
async function coverOf(
  sql: Sql,
  each: Open,
  balances: ReadonlyMap<string, CashBalance[]>,
): Promise<ReadonlyMap<string, Lamports>> {
  const { order, settlement, parts } = each;
  if (!order.isRound) return coverShortfall(order, settlement.fill, balances.get(order.walletId) ?? []);
  const unborne = unborneOf(each);
  if (!settlement.fill.failed || unborne === 0n) return new Map();
  // The fee of a round that failed is its creator's; where he has spent all of his SOL on such fees, the round must end nevertheless.
  const free = await lockFreeBalances(sql, [order.walletId], [SOL]);
  const isOwn = ({ bookId }: { bookId: string }): boolean => bookId === order.bookId;
  const own = parts.find(({ part }) => isOwn(part));
  const has = (free.find(isOwn)?.amount ?? 0n) + (own ? own.part.holdLamports - own.share.feeLamports : 0n);
  const taken = coverOutflow(
    free.filter((row) => !isOwn(row)),
    larger(0n, unborne - has),
  );
  return new Map(taken.map(({ bookId, amount }) => [bookId, lamports(amount)]));
}

/** Of the fee, what no part bears. */
function unborneOf({ settlement: { fill }, parts }: Open): Lamports {
  return lamports(parts.reduce<bigint>((rest, { share }) => rest - share.feeLamports, fill.feeLamports));
}

/** Of an outcome that took the place of another; the first one has the order's id. */
function againReference(id: string, { slot }: ChainFill): string {
  return `${id}:${slot}`;
}

/** A part that neither traded nor paid anything has nothing to record. What nobody else bears of the fee is the own book's. */
function fillRows(each: Open): FillRow[] {
  const { order, settlement, parts } = each;
  const { fill, at, isFinal } = settlement;
  const { id: orderId, userId, bookId, mint, side } = order;
  const name = isFinal ? againReference(orderId, fill) : orderId;
  const row = { mint, at, orderId, signature: fill.signature, slot: fill.slot };
  const rows = parts.flatMap(({ part, share }): FillRow[] => {
    if (fill.failed && share.feeLamports === 0n) return [];
    const reference = part.bookId === bookId ? name : `${name} ${part.bookId}`;
    const own = { reference, userId: part.userId, bookId: part.bookId };
    return [{ ...row, ...own, fill: domainFill(side, fill.failed, share) }];
  });
  const unborne = unborneOf(each);
  if (unborne === 0n) return rows;
  const rest = { kind: 'failed', feeLamports: unborne } as const;
  return [...rows, { ...row, reference: `${name} rest`, userId, bookId, fill: rest }];
}

async function endRounds(sql: Sql, open: readonly Open[]): Promise<void> {
  const rounds = open.filter(({ order }) => order.isRound);
  await skipParts(
    sql,
    rounds.flatMap(({ order }) => (order.state === 'failed' ? [order] : [])),
  );
  await enqueueRounds(
    sql,
    rounds.map(({ order }) => order.id),
  );
}

/** The books of wallets whose transaction took more than was set aside for it, personal ones first; nearly always none. */
async function lockCashBalances(sql: Sql, open: readonly Open[]): Promise<Map<string, CashBalance[]>> {
  const short = open.filter(({ order, settlement }) => !order.isRound && missingLamports(order, settlement.fill) > 0n);
  if (short.length === 0) return new Map();
  const walletIds = short.map(({ order }) => order.walletId);
  const free = (await lockFreeBalances(sql, walletIds, [SOL])).filter(({ kind }) => kind !== 'unclaimed');
  free.sort((left, right) => Number(right.kind === 'personal') - Number(left.kind === 'personal'));
  const rows = free.map(({ walletId, bookId, amount }) => ({ walletId, bookId, cashLamports: amount }));
  return Map.groupBy(rows, ({ walletId }) => walletId);
}

/** Of a round, the order has the part of the one who asked, and of all where several join or leave. */
function applyToOrder({ order, settlement: { fill, venueFeeBps, at }, parts }: Open): void {
  order.state = fill.failed ? 'failed' : 'confirmed';
  order.error = fill.failed ? ('TRADE_FAILED' satisfies ErrorName) : null;
  order.signature = fill.signature;
  order.slot = fill.slot;
  order.settledAt = at;
  order.participants = parts.map(({ part }) => part.userId);
  const own = parts.find(({ part }) => part.bookId === order.bookId)?.share;
  order.feeLamports = own?.feeLamports ?? fill.feeLamports;
  if (fill.failed) return;
  const [amountIn, amountOut] = own ? [own.amountIn, own.amountOut] : inAndOut(order.side, fill.lamports, fill.tokens);
  const [moved] = solAndTokens(order.side, amountIn, amountOut);
  order.filledIn = amountIn;
  order.filledOut = amountOut;
  order.rentLamports = fill.rentLamports;
  order.venueFeeLamports = venueFee(order.side, moved, venueFeeBps);
}

/** The order and, where this transaction made one, the token account, which belongs to the book that paid for it. */
async function saveOrders(sql: Sql, open: readonly Open[]): Promise<void> {
  const created = open.filter(({ settlement }) => settlement.fill.createdAccount !== null);
  await sql.write(
    `with v as (
       select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::numeric[], $7::numeric[],
         $8::numeric[], $9::numeric[], $10::numeric[], $11::timestamptz[])
         v (id, state, error, signature, slot, filled_in, filled_out, fee, venue_fee, rent, at)
     ), accounts as (
       insert into token_account (wallet_id, mint, address, token_program, book_id, rent_lamports)
       select * from unnest($12::uuid[], $13::text[], $14::text[], $15::text[], $16::uuid[], $17::numeric[])
       on conflict (wallet_id, mint) do update set book_id = excluded.book_id, rent_lamports = excluded.rent_lamports
     )
     update trade_order o set state = v.state, error = v.error, signature = v.signature, slot = v.slot,
       filled_in = v.filled_in, filled_out = v.filled_out, fee_lamports = v.fee, venue_fee_lamports = v.venue_fee,
       rent_lamports = v.rent, settled_at = v.at
     from v where o.id = v.id`,
    [
      open.map(({ order }) => order.id),
      open.map(({ order }) => order.state),
      open.map(({ order }) => order.error),
      open.map(({ order }) => order.signature),
      open.map(({ order }) => order.slot),
      open.map(({ order }) => order.filledIn),
      open.map(({ order }) => order.filledOut),
      open.map(({ order }) => order.feeLamports),
      open.map(({ order }) => order.venueFeeLamports),
      open.map(({ order }) => order.rentLamports),
      open.map(({ settlement }) => settlement.at),
      created.map(({ order }) => order.walletId),
      created.map(({ order }) => order.mint),
      created.map(({ settlement }) => settlement.fill.createdAccount),
      created.map(({ settlement }) => settlement.tokenProgram),
      created.map(({ order }) => order.bookId),
      created.map(({ settlement }) => settlement.fill.rentLamports),
    ],
  );
}

function fillRecorded({ order, settlement: { fill, at } }: Open): FillRecorded {
  const { id: orderId, userId, bookId, kind, mint, side } = order;
  const [sol, tokens] = solAndTokens(side, order.filledIn!, order.filledOut!);
  return {
    orderId,
    userId,
    bookId,
    kind,
    mint,
    side,
    signature: fill.signature,
    slot: fill.slot.toString(),
    tokens: tokens.toString(),
    lamports: sol.toString(),
    feeLamports: order.feeLamports!.toString(),
    atMs: at.getTime(),
  };
}
