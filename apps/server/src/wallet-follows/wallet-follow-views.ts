import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { baseUnits, printTokens } from '@hunter/domain/numbers/base-units';
import { parseDecimal, printDecimal, printPercentOf } from '@hunter/domain/numbers/decimal';
import { lamports, printSol } from '@hunter/domain/numbers/lamports';
import { priceOfTrade, printPriceSol } from '@hunter/domain/numbers/price';
import { gapOf, medianOf } from '@hunter/domain/wallet-follows/wallet-follow';
import { isAddress, type Address } from '@hunter/solana/address';
import { loadBuysWithPriceAfter } from '../market/wallets/past-trades.ts';
import { equityOf, loadHoldings, mintsOf } from '../strategies/book-holdings.ts';
import { loadStrategyOfBook } from '../strategies/strategy-store.ts';
import type { Order } from '../trading/order.ts';
import { loadOrders } from '../trading/order-store.ts';
import { SELECT_COPY, type WalletCopyRow } from './copy-store.ts';
import { loadOwn } from './manage-wallet-follows.ts';
import { printSettings } from './settings.ts';
import { TYPICAL_DELAY_MS } from './simulate-wallet-follow.ts';
import { SELECT_WALLET_FOLLOW, type WalletFollow, type WalletFollows } from './wallet-follow.ts';

type View = CallReply<'followWallet'>;
type Receipt = CallReply<'getWalletFollowReceipts'>['lists'][number];

const PAGE = 30;
const SAMPLE = 200;
const PREVIEW_MS = 7 * 86_400_000;

export async function loadMyWalletFollows(
  deps: WalletFollows,
  userId: string,
): Promise<CallReply<'getMyWalletFollows'>> {
  const rows = await deps.database.query<WalletFollow>(
    `${SELECT_WALLET_FOLLOW} where f.user_id = $1 order by f.ended_at is not null, f.started_at desc limit 100`,
    [userId],
  );
  const lists: View[] = [];
  for (const row of rows) lists.push(await viewWalletFollow(deps, row));
  return { lists };
}

export async function viewWalletFollow(deps: WalletFollows, follow: WalletFollow): Promise<View> {
  const strategy = await loadStrategyOfBook(deps.database, follow.bookId);
  const equity = strategy === null ? await equityNow(deps, follow) : null;
  const pnl = equity === null ? null : equity - follow.amountLamports;
  return {
    id: follow.id,
    address: follow.address,
    name: follow.name,
    bookId: follow.bookId,
    strategy: strategy === null ? null : { slug: strategy.slug, name: strategy.name },
    paused: follow.paused,
    settings: printSettings(follow.settings),
    amount: printSol(follow.amountLamports),
    equity: equity === null ? null : printSol(equity),
    pnl: pnl === null ? null : printSol(pnl),
    changeRate: pnl === null ? null : printPercentOf(pnl, follow.amountLamports, 4, 'nearest'),
    startTime: follow.startedAt.getTime(),
    endTime: follow.endedAt?.getTime() ?? null,
    ...(await figuresOf(deps, follow.id)),
  };
}

async function equityNow({ database, pools }: WalletFollows, follow: WalletFollow): Promise<bigint | null> {
  if (follow.endedAt !== null) return follow.returnedLamports;
  const holdings = await loadHoldings(database, [follow.bookId]);
  const known = await pools.load(mintsOf(holdings.values())).catch(() => new Map());
  return equityOf(holdings.get(follow.bookId)!, known);
}

type Figures = Pick<View, 'copied' | 'skipped' | 'copiedShare' | 'medianDelayMs' | 'medianDelaySlots' | 'medianGap'>;

async function figuresOf({ database }: WalletFollows, followId: string): Promise<Figures> {
  const [sums] = await database.query<{ copied: number; skipped: number; wanted: bigint; done: bigint }>(
    `select (count(*) filter (where state = 'done'))::int as copied, (count(*) filter (where state = 'skipped'))::int as skipped,
       coalesce(sum(lamports), 0)::numeric(40, 0) as wanted,
       coalesce(sum(lamports) filter (where state = 'done'), 0)::numeric(40, 0) as done
     from wallet_copy where follow_id = $1`,
    [followId],
  );
  const rows = await database.query<WalletCopyRow>(
    `${SELECT_COPY} where c.follow_id = $1 and c.state = 'done' and c.tokens > 0 order by c.seq desc limit $2`,
    [followId, SAMPLE],
  );
  const orders = await ordersOf(database, rows);
  const compared = rows.map((row) => compare(row, orders.get(row.orderId)));
  const known = <Value>(values: readonly (Value | null)[]): Value[] => values.filter((value) => value !== null);
  const gap = medianOf(known(compared.map(({ gapBps }) => gapBps)));
  return {
    copied: sums!.copied,
    skipped: sums!.skipped,
    copiedShare: sums!.wanted === 0n ? null : printPercentOf(sums!.done, sums!.wanted, 2, 'floor'),
    medianDelayMs: medianOf(known(compared.map(({ delayMs }) => delayMs))),
    medianDelaySlots: medianOf(known(compared.map(({ delaySlots }) => delaySlots))),
    medianGap: gap === null ? null : printDecimal(BigInt(gap), 2),
  };
}

async function ordersOf(sql: WalletFollows['database'], rows: readonly WalletCopyRow[]): Promise<Map<string, Order>> {
  const orderIds = rows.map(({ orderId }) => orderId);
  const orders = await loadOrders(sql, orderIds);
  return new Map(orders.map((order) => [order.id, order]));
}

type Comparison = { delayMs: number | null; delaySlots: number | null; gapBps: number | null };

/** The copy against the wallet's own trade. A higher price is worse for a buy and better for a sale. */
function compare(row: WalletCopyRow, order: Order | undefined): Comparison {
  const none: Comparison = { delayMs: null, delaySlots: null, gapBps: null };
  if (!order || order.filledIn === null || order.filledOut === null || order.settledAt === null) return none;
  const [own, tokens] = order.side === 'buy' ? [order.filledIn, order.filledOut] : [order.filledOut, order.filledIn];
  const theirs = { lamports: lamports(row.lamports), tokens: baseUnits(row.tokens) };
  const higher =
    tokens === 0n || row.tokens === 0n ? null : Number(gapOf({ numerator: own, denominator: tokens }, theirs));
  return {
    delayMs: Math.max(0, order.settledAt.getTime() - row.tradedAt.getTime()),
    delaySlots: row.slot === null || order.slot === null ? null : Number(order.slot - row.slot),
    gapBps: higher === null ? null : order.side === 'buy' ? higher : -higher,
  };
}

export async function loadReceipts(
  deps: WalletFollows,
  userId: string,
  { id, cursor }: CallParsedRequest<'getWalletFollowReceipts'>,
): Promise<CallReply<'getWalletFollowReceipts'>> {
  await loadOwn(deps.database, userId, id);
  const before = readCursor(cursor);
  const rows = await deps.database.query<WalletCopyRow>(
    `${SELECT_COPY} where c.follow_id = $1
       and ($3::timestamptz is null or (c.seen_at, c.seq, c.mint) < ($3, $4::bigint, $5::text))
     order by c.seen_at desc, c.seq desc, c.mint desc limit $2`,
    [id, PAGE, before ? new Date(before.seenAtMs) : null, before?.seq ?? null, before?.mint ?? null],
  );
  const last = rows.at(-1);
  const orders = await ordersOf(deps.database, rows);
  const facts = await deps.tokens.load(rows.map(({ mint }) => mint));
  return {
    lists: rows.map((row) => viewReceipt(row, orders.get(row.orderId), facts.get(row.mint))),
    nextCursor: rows.length === PAGE && last ? `${last.seenAt.getTime()}.${last.seq}.${last.mint}` : null,
  };
}

/** When a trade was seen, its place in the store, which is negative for one that the chain does not name, and its token. */
const CURSOR = /^(\d{1,15})\.(-?\d{1,18})\.(\w{1,50})$/;

function readCursor(cursor: string | undefined): { seenAtMs: number; seq: string; mint: Address } | null {
  if (cursor === undefined) return null;
  const match = CURSOR.exec(cursor);
  const mint = match?.[3];
  if (!match || !mint || !isAddress(mint)) throw new AppError('INVALID_INPUT', { field: 'cursor', reason: 'format' });
  return { seenAtMs: Number(match[1]), seq: match[2]!, mint };
}

function viewReceipt(
  row: WalletCopyRow,
  order: Order | undefined,
  fact: { symbol: string; decimals: number } | undefined,
): Receipt {
  const decimals = fact?.decimals ?? null;
  const { delayMs, delaySlots, gapBps } = compare(row, order);
  const filled = row.state === 'done' && order !== undefined;
  const [own, tokens] =
    !filled || order.filledIn === null || order.filledOut === null
      ? [null, null]
      : order.side === 'buy'
        ? [order.filledIn, order.filledOut]
        : [order.filledOut, order.filledIn];
  const price = (sol: bigint | null, amount: bigint | null): string | null =>
    sol === null || amount === null || amount === 0n || decimals === null
      ? null
      : printPriceSol(priceOfTrade(lamports(sol), baseUnits(amount), decimals));
  return {
    id: `${row.seq}-${row.mint}`,
    tokenContractAddress: row.mint,
    tokenSymbol: fact?.symbol ?? '',
    side: row.side,
    time: row.tradedAt.getTime(),
    solAmount: printSol(row.lamports),
    tokenAmount: decimals === null ? null : printTokens(baseUnits(row.tokens), decimals),
    price: price(row.lamports, row.tokens),
    txHash: row.signature,
    state: row.state,
    reason: row.reason,
    ownSolAmount: own === null ? null : printSol(own),
    ownTokenAmount: tokens === null || decimals === null ? null : printTokens(baseUnits(tokens), decimals),
    ownPrice: price(own, tokens),
    ownTxHash: filled ? order.signature : null,
    delayMs: filled ? delayMs : null,
    delaySlots: filled ? delaySlots : null,
    gap: !filled || gapBps === null ? null : printDecimal(BigInt(gapBps), 2),
  };
}

/** From the stored trades: what the price was a delay after each buy of the wallet. */
export async function previewWalletFollow(
  { database, clock }: Pick<WalletFollows, 'database' | 'clock'>,
  { address, maxGap }: CallParsedRequest<'previewWalletFollow'>,
): Promise<CallReply<'previewWalletFollow'>> {
  const most = Number(parseDecimal(maxGap, 2));
  const since = new Date(clock.nowMs() - PREVIEW_MS);
  const buys = await loadBuysWithPriceAfter(database, address, since, TYPICAL_DELAY_MS, SAMPLE);
  const gaps = buys.map(({ priceSol, laterPriceSol }) => Number(((laterPriceSol - priceSol) * 10_000n) / priceSol));
  const within = buys.filter((_, index) => gaps[index]! <= most);
  const sum = (rows: readonly { lamports: bigint }[]) => rows.reduce((total, row) => total + row.lamports, 0n);
  const median = medianOf(gaps);
  return {
    buys: buys.length,
    copyable: within.length,
    copyableShare: buys.length === 0 ? null : printPercentOf(sum(within), sum(buys), 2, 'floor'),
    medianGap: median === null ? null : printDecimal(BigInt(median), 2),
    delayMs: TYPICAL_DELAY_MS,
  };
}
