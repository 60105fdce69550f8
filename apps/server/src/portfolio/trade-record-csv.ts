import { loadWholeTradeRecord, type TradeRecordPage } from './trade-record.ts';
import type { Trading } from '../trading/trading.ts';

type Row = TradeRecordPage['lists'][number];

const COLUMNS: [title: string, value: (row: Row) => string | null][] = [
  ['Name', (row) => row.name],
  ['Symbol', (row) => row.tokenSymbol],
  ['Token address', (row) => row.tokenContractAddress],
  ['Account', (row) => row.bookName],
  ['Open time', (row) => new Date(row.openTime).toISOString()],
  ['Close time', (row) => (row.closeTime === null ? null : new Date(row.closeTime).toISOString())],
  ['Open price (SOL)', (row) => row.openPrice],
  ['Close price (SOL)', (row) => row.closePrice],
  ['PnL (SOL)', (row) => row.pnl],
  ['PnL (%)', (row) => row.pnlPercent],
  ['Total buy amount', (row) => row.totalBuyAmount],
  ['Total buy value (SOL)', (row) => row.totalBuyValue],
  ['Total sell amount', (row) => row.totalSellAmount],
  ['Total sell value (SOL)', (row) => row.totalSellValue],
  ['Current balance', (row) => row.currentBalance],
  ['Realized profit (SOL)', (row) => row.realizedProfit],
  ['Unrealized profit (SOL)', (row) => row.unrealizedProfit],
];

const PART_ROWS = 100;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

export async function* tradeRecordCsv(trading: Trading, userId: string): AsyncGenerator<string> {
  yield `${COLUMNS.map(([title]) => csvCell(title)).join(',')}\r\n`;
  for await (const rows of loadWholeTradeRecord(trading, userId, PART_ROWS)) {
    for (const row of rows) yield `${COLUMNS.map(([, value]) => csvCell(value(row) ?? '')).join(',')}\r\n`;
  }
}

/** A token may be named `=HYPERLINK(…)`. What a spreadsheet would run is kept as text by a leading quote. */
export function csvCell(text: string): string {
  const dangerous = /^[\s]*[=+\-@\t\r|]/.test(text) && !PLAIN_NUMBER.test(text);
  const safe = dangerous ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
