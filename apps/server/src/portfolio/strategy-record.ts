import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printDecimal, printPercentOf } from '@hunter/domain/numbers/decimal';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { loadHoldings, mintsOf, openEquity } from '../strategies/book-holdings.ts';
import type { Strategies } from '../strategies/strategies.ts';

type StrategyRecord = Extract<CallReply<'getMyTradeRecord'>, { type: 'strategy' }>;

type RecordRow = {
  slug: string;
  name: string;
  role: 'creator' | 'follower';
  bookId: string;
  openedAt: Date;
  closedAt: Date | null;
  amount: bigint;
  isOpening: boolean;
  isOver: boolean;
  /** Of a follow also what was taken out while it runs; of a strategy null before its end. */
  returned: bigint | null;
};

const ROWS = `
  select s.slug, s.name, 'creator' as role, s.book_id as "bookId", s.published_at as "openedAt", s.ended_at as "closedAt",
    s.capital_lamports as amount, s.status = 'publishing' as "isOpening", s.status = 'ended' as "isOver",
    case when s.status = 'ended' then (select sum(e.lamports) from strategy_event e
      where e.strategy_id = s.id and e.kind = 'flow' and e.side = 'out')::numeric(40, 0) end as returned
  from strategy s where s.user_id = $1
  union all
  select s.slug, s.name, 'follower', f.book_id, f.opened_at, f.closed_at, f.amount_lamports, f.status = 'opening',
    f.status = 'closed', f.returned_lamports
  from follow f join strategy s on s.id = f.strategy_id where f.user_id = $1`;

/** Strategies the user created and followed, newest first, with what they brought. */
export async function loadStrategyRecord(
  deps: Strategies,
  userId: string,
  { pageNo, pageSize }: CallParsedRequest<'getMyTradeRecord'>,
): Promise<StrategyRecord> {
  const [rows, counted] = await Promise.all([
    deps.database.query<RecordRow>(`select * from (${ROWS}) r order by "openedAt" desc, "bookId" limit $2 offset $3`, [
      userId,
      pageSize,
      (pageNo - 1) * pageSize,
    ]),
    deps.database.query<{ total: number }>(`select count(*)::int as total from (${ROWS}) r`, [userId]),
  ]);
  const open = rows.filter((row) => !row.isOver);
  const bookIds = open.map((row) => row.bookId);
  const holdings = await loadHoldings(deps.database, bookIds);
  const pools = await deps.pools.load(mintsOf(holdings.values())).catch(() => new Map());
  const lists = rows.map((row) => {
    const book = holdings.get(row.bookId);
    const left = book ? openEquity(row, book, pools) : row.returned === null ? null : 0n;
    const pnl = left === null ? null : left + (row.returned ?? 0n) - row.amount;
    return {
      slug: row.slug,
      strategyName: row.name,
      role: row.role,
      bookId: row.bookId,
      bookKind: row.role === 'creator' ? ('strategy' as const) : ('follow' as const),
      openTime: row.openedAt.getTime(),
      closeTime: row.closedAt?.getTime() ?? null,
      openAmount: printDecimal(row.amount, SOL_DECIMALS),
      totalPnl: pnl === null ? null : printDecimal(pnl, SOL_DECIMALS),
      changeRate: pnl === null ? null : printPercentOf(pnl, row.amount, 4, 'nearest'),
    };
  });
  return { type: 'strategy', lists, total: counted[0]!.total, pageNo, pageSize };
}
