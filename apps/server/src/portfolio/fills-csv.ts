import { printTokens, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { printSol } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import type { Trading } from '../trading/trading.ts';
import { FILL_FEES, FROM_FILL_FEES } from './fees-paid.ts';
import { csvCell } from './trade-record-csv.ts';

/** Each page looks at all fills, so there are few. */
const PAGE = 5_000;

type FillLine = {
  id: bigint;
  bookId: string;
  at: Date;
  kind: string;
  mint: Address;
  bookKind: string;
  bookName: string;
  tokens: BaseUnits;
  lamports: bigint;
  network: bigint;
  priority: bigint;
  venue: bigint;
  signature: string | null;
  orderId: string | null;
};

const TITLES = [
  'Time (UTC)',
  'Type',
  'Symbol',
  'Token address',
  'Account type',
  'Account',
  'Token amount',
  'SOL amount',
  'Network fee (SOL)',
  'Priority fee (SOL)',
  'Swap fee (SOL, inside the price)',
  'Transaction',
  'Order',
];

/** All fills of a user, his parts of rounds among them, newest first; page by page, so that a long history needs no memory. */
export async function* fillsCsv(trading: Pick<Trading, 'database' | 'tokens'>, userId: string): AsyncGenerator<string> {
  yield line(TITLES);
  // The fills of one round share an id.
  let before: { id: bigint; bookId: string } | null = null;
  for (;;) {
    const rows: FillLine[] = await trading.database.query<FillLine>(
      `select f.id, f.book_id as "bookId", f.at, f.kind, f.mint, k.kind as "bookKind", k.name as "bookName", f.tokens, f.lamports, ${FILL_FEES},
         f.signature, f.order_id as "orderId"
       ${FROM_FILL_FEES} join book k on k.id = f.book_id
       where f.user_id = $1 and ($2::bigint is null or (f.id, f.book_id) < ($2, $3::uuid))
       order by f.id desc, f.book_id desc limit ${PAGE}`,
      [userId, before?.id ?? null, before?.bookId ?? null],
    );
    const facts = await trading.tokens.load(rows.map(({ mint }) => mint));
    for (const row of rows) {
      const token = facts.get(row.mint);
      yield line([
        row.at.toISOString(),
        row.kind,
        token?.symbol ?? '',
        row.mint,
        row.bookKind,
        row.bookName,
        printTokens(row.tokens, token?.decimals ?? null) ?? '',
        printSol(row.lamports),
        printSol(row.network),
        printSol(row.priority),
        printSol(row.venue),
        row.signature ?? '',
        row.orderId ?? '',
      ]);
    }
    if (rows.length < PAGE) return;
    before = rows.at(-1)!;
  }
}

function line(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
