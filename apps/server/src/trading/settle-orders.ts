import type { ErrorName } from '@hunter/contract/error-catalogue';
import { divCeil } from '@hunter/domain/rounding';
import { postEntries, SOL } from '../ledger/journal.ts';
import { lockFreeBalances } from '../ledger/wallet-balance.ts';
import { recordFills } from '../ledger/positions.ts';
import type { Sql } from '../platform/postgres.ts';
import { domainFill, type ChainFill } from './chain-fill.ts';
import { enqueueAll, type FillRecorded } from './order-events.ts';
import type { Order } from './order.ts';
import { fillEntry, coverShortfall, missingLamports, type CashBalance } from './order-postings.ts';
import { ORDER_COLUMNS, orderEnded } from './order-store.ts';

export type Settlement = {
  orderId: string;
  fill: ChainFill;
  tokenProgram: string;
  venueFeeBps: number;
  /** When the chain executed it. */
  at: Date;
};

/**
 * Posts what the chain says about landed transactions, many at once: journal, fills, positions, round trips, order and the
 * news for other areas in one transaction. Whoever calls sees to it that each transaction comes here once.
 */
export async function settleOrders(sql: Sql, settlements: readonly Settlement[]): Promise<Order[]> {
  const orders = await sql.query<Order>(
    `select ${ORDER_COLUMNS} from trade_order o join book k on k.id = o.book_id
     where o.id = any($1::uuid[]) order by o.id for update of o`,
    [settlements.map(({ orderId }) => orderId)],
  );
  const byId = new Map(orders.map((order) => [order.id, order]));
  const open = settlements.map((settlement) => ({ order: byId.get(settlement.orderId)!, settlement }));
  for (const { order } of open) {
    if (order.state !== 'sent') throw new Error(`order ${order.id} is ${order.state} while its transaction is open`);
  }
  await post(sql, open);
  return open.map(({ order }) => order);
}

type Open = { order: Order; settlement: Settlement };

async function post(sql: Sql, open: readonly Open[]): Promise<void> {
  const balances = await lockCashBalances(sql, open);
  await postEntries(
    sql,
    open.map(({ order, settlement }) => {
      const cover = coverShortfall(order, settlement.fill, balances.get(order.walletId) ?? []);
      return fillEntry(order, settlement.fill, settlement.at, cover);
    }),
  );
  await recordFills(
    sql,
    open.map(({ order, settlement }) => ({
      reference: order.id,
      userId: order.userId,
      bookId: order.bookId,
      mint: order.mint,
      fill: domainFill(order.side, settlement.fill),
      at: settlement.at,
      orderId: order.id,
      signature: settlement.fill.signature,
      slot: settlement.fill.slot,
    })),
  );
  for (const { order, settlement } of open) applyToOrder(order, settlement);
  await saveOrders(sql, open);
  const filled = open.filter(({ order }) => order.state === 'confirmed');
  await enqueueAll(sql, 'fill-recorded', 'fills', filled.map(fillRecorded));
  const failed = open.filter(({ order }) => order.state === 'failed');
  await enqueueAll(
    sql,
    'order-failed',
    'orders',
    failed.map(({ order }) => orderEnded(order)),
  );
}

/** The books of wallets whose transaction took more than was set aside for it, personal ones first; nearly always none. */
async function lockCashBalances(sql: Sql, open: readonly Open[]): Promise<Map<string, CashBalance[]>> {
  const short = open.filter(({ order, settlement }) => missingLamports(order, settlement.fill) > 0n);
  if (short.length === 0) return new Map();
  const walletIds = short.map(({ order }) => order.walletId);
  const free = (await lockFreeBalances(sql, walletIds, [SOL])).filter(({ kind }) => kind !== 'unclaimed');
  free.sort((left, right) => Number(right.kind === 'personal') - Number(left.kind === 'personal'));
  const rows = free.map(({ walletId, bookId, amount }) => ({ walletId, bookId, cashLamports: amount }));
  return Map.groupBy(rows, ({ walletId }) => walletId);
}

function applyToOrder(order: Order, { fill, venueFeeBps, at }: Settlement): void {
  order.state = fill.failed ? 'failed' : 'confirmed';
  order.error = fill.failed ? ('TRADE_FAILED' satisfies ErrorName) : null;
  order.signature = fill.signature;
  order.slot = fill.slot;
  order.feeLamports = fill.feeLamports;
  order.settledAt = at;
  if (fill.failed) return;
  order.filledIn = order.side === 'buy' ? fill.lamports : fill.tokens;
  order.filledOut = order.side === 'buy' ? fill.tokens : fill.lamports;
  order.rentLamports = fill.rentLamports;
  order.venueFeeLamports = venueFee(order.side, fill.lamports, venueFeeBps);
}

/** The venue takes its share of what comes in; on a sale that is seen in SOL only through what is left. Rounds up. */
function venueFee(side: 'buy' | 'sell', lamports: bigint, feeBps: number): bigint {
  const bps = BigInt(feeBps);
  const whole = side === 'buy' ? 10_000n : 10_000n - bps;
  return divCeil(lamports * bps, whole);
}

/** The order and, where this transaction made one, the token account, which belongs to the book that paid for it. */
async function saveOrders(sql: Sql, open: readonly Open[]): Promise<void> {
  const created = open.filter(({ settlement }) => settlement.fill.createdAccount !== null);
  await sql.query(
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

function fillRecorded({ order, settlement }: Open): FillRecorded {
  const { error: _, ...event } = orderEnded(order);
  const { fill } = settlement;
  return {
    ...event,
    signature: fill.signature,
    slot: fill.slot.toString(),
    tokens: fill.tokens.toString(),
    lamports: fill.lamports.toString(),
    feeLamports: fill.feeLamports.toString(),
    atMs: settlement.at.getTime(),
  };
}
