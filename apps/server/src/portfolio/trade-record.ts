import type { CallReply } from '@hunter/contract/calls';
import { printPercentOf } from '@hunter/domain/numbers/decimal';
import { baseUnits, printTokens } from '@hunter/domain/numbers/base-units';
import { lamports, printSol as sol } from '@hunter/domain/numbers/lamports';
import { priceOfTrade, printPriceSol } from '@hunter/domain/numbers/price';
import { tradeRecordRow } from '@hunter/domain/record/round-trip';
import type { Ratio } from '@hunter/domain/market/swap-maths';
import { loadBooks } from '../ledger/books.ts';
import { SELECT_TRIP, tripOf, type TripRow } from '../ledger/positions.ts';
import { bookRef, tokenRef } from './account-reads.ts';
import type { Trading } from '../trading/trading.ts';

export type TradeRecordPage = Extract<CallReply<'getMyTradeRecord'>, { type: 'trade' }>;

/** One row per round trip, newest first. */
export async function loadTradeRecord(
  trading: Trading,
  userId: string,
  { pageNo, pageSize }: { pageNo: number; pageSize: number },
): Promise<TradeRecordPage> {
  const rows = await trading.database.query<TripRow>(
    `${SELECT_TRIP} where t.user_id = $1 order by t.opened_at desc, t.id desc limit $2 offset $3`,
    [userId, pageSize, (pageNo - 1) * pageSize],
  );
  const counted = await trading.database.query<{ total: bigint }>(
    `select count(*) as total from round_trip where user_id = $1`,
    [userId],
  );
  const lists = await viewTrips(trading, userId, rows);
  return { type: 'trade', lists, total: Number(counted[0]!.total), pageNo, pageSize };
}

type TripKey = { openedKey: string; id: bigint };
const NEWEST: TripKey = { openedKey: 'infinity', id: 0n };

/** The whole record, newest first, in parts. Each goes on behind the last row before it, so what is opened meanwhile moves nothing. */
export async function* loadWholeTradeRecord(
  trading: Trading,
  userId: string,
  partRows: number,
): AsyncGenerator<TradeRecordPage['lists']> {
  let before = NEWEST;
  for (;;) {
    // A time as text keeps the microseconds that a Date would lose.
    const rows: (TripRow & TripKey)[] = await trading.database.query<TripRow & TripKey>(
      `select q.*, q."openedAt"::text as "openedKey" from (
         ${SELECT_TRIP} where t.user_id = $1 and (t.opened_at, t.id) < ($2::timestamptz, $3::bigint)
         order by t.opened_at desc, t.id desc limit $4
       ) q order by q."openedAt" desc, q.id desc`,
      [userId, before.openedKey, before.id, partRows],
    );
    yield await viewTrips(trading, userId, rows);
    if (rows.length < partRows) return;
    before = rows.at(-1)!;
  }
}

async function viewTrips(
  trading: Trading,
  userId: string,
  rows: readonly TripRow[],
): Promise<TradeRecordPage['lists']> {
  const books = new Map((await loadBooks(trading.database, userId)).map((book) => [book.id, book]));
  const facts = await trading.tokens.load(rows.map((row) => row.mint));
  const values = await trading.pools.values(rows.map((row) => ({ mint: row.mint, tokens: row.quantity })));
  return rows.map((row, index) => {
    const trip = tripOf(row);
    const token = facts.get(row.mint);
    const decimals = token?.decimals ?? null;
    const value = values[index] ?? null;
    const record = tradeRecordRow(trip, value ?? lamports(0n));
    const priced = value !== null;
    const { tokenName, ...ref } = tokenRef(row.mint, token);
    return {
      ...ref,
      name: tokenName,
      ...bookRef(books.get(row.bookId)!),
      openTime: trip.openedAtMs,
      closeTime: trip.closedAtMs,
      openPrice: printRatio(record.openPrice, decimals),
      closePrice: record.closePrice === null ? null : printRatio(record.closePrice, decimals),
      pnl: priced ? sol(record.pnlLamports) : null,
      pnlPercent:
        priced && record.totalBuyLamports > 0n
          ? printPercentOf(record.pnlLamports, record.totalBuyLamports, 2, 'nearest')
          : null,
      totalBuyAmount: printTokens(record.totalBuyTokens, decimals),
      totalBuyValue: sol(record.totalBuyLamports),
      totalSellAmount: printTokens(record.totalSellTokens, decimals),
      totalSellValue: sol(record.totalSellLamports),
      currentBalance: printTokens(record.balanceTokens, decimals),
      realizedProfit: sol(record.realizedLamports),
      unrealizedProfit: priced ? sol(record.unrealizedLamports) : null,
    };
  });
}

/** A sale whose fee ate its proceeds has no price to speak of. */
function printRatio(price: Ratio, decimals: number | null): string | null {
  if (decimals === null || price.denominator <= 0n || price.numerator < 0n) return null;
  return printPriceSol(priceOfTrade(lamports(price.numerator), baseUnits(price.denominator), decimals));
}
