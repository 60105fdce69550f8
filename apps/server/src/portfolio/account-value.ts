import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { costedShare, heldTokens, type Position } from '@hunter/domain/record/position';
import type { Rate } from '@hunter/domain/numbers/rate';
import { totalReturn } from '@hunter/domain/record/total-return';
import type { Address } from '@hunter/solana/address';
import type { Book } from '../ledger/books.ts';
import { OUTSIDE_KINDS, SOL, STANDS } from '../ledger/journal.ts';
import { positionOf, SELECT_POSITION, type PositionRow } from '../ledger/positions.ts';
import type { WalletKind } from '../ledger/wallets.ts';
import type { Sql } from '../platform/postgres.ts';
import type { Trading } from '../trading/trading.ts';

export type ValuedHolding = { mint: Address; position: Position; value: Lamports | null };

export type BookValue = {
  book: Pick<Book, 'id' | 'userId' | 'kind' | 'name' | 'status'>;
  walletKind: WalletKind;
  /** Free SOL. */
  cash: bigint;
  held: bigint;
  /** Refundable deposits in token accounts. */
  rent: bigint;
  holdings: ValuedHolding[];
};

export type AccountValue = {
  books: BookValue[];
  /** Null, as what follows from it, where a holding cannot be priced just now: an unknown value is not a loss. */
  equity: Lamports | null;
  profit: bigint | null;
  rate: Rate | null;
  deposited: Lamports;
  withdrawn: Lamports;
};

type Deps = { database: Sql; pools: Pick<Trading['pools'], 'values'> };

/** SOL with its deposits, and every token at what selling it now returns; null where one cannot be priced. */
export function valueOfBook({ cash, held, rent, holdings }: BookValue): bigint | null {
  let value = cash + held + rent;
  for (const holding of holdings) {
    if (holding.value === null) return null;
    value += holding.value;
  }
  return value;
}

/** Accounts at this moment, in four queries however many they are. Every user asked for is in the answer. */
export async function loadAccountValues(deps: Deps, userIds: readonly string[]): Promise<Map<string, AccountValue>> {
  const [{ books, positions }, flows] = await Promise.all([
    loadValuedBooks(deps, userIds),
    loadFlows(deps.database, userIds),
  ]);
  const owners = new Map(books.map(({ book }) => [book.id, book.userId]));
  const proceeds = new Map<string, bigint>();
  for (const row of positions) {
    const userId = owners.get(row.bookId);
    if (userId) proceeds.set(userId, (proceeds.get(userId) ?? 0n) + row.outsideProceedsLamports);
  }
  return new Map(
    userIds.map((userId) => {
      const own = books.filter(({ book }) => book.userId === userId);
      return [userId, accountOf(own, proceeds.get(userId) ?? 0n, flows.get(userId))];
    }),
  );
}

/** The users' books with what is in them, and all their positions, closed ones too. */
async function loadValuedBooks(
  { database, pools }: Deps,
  userIds: readonly string[],
): Promise<{ books: BookValue[]; positions: PositionRow[] }> {
  const [books, positions] = await Promise.all([
    loadBookSums(database, userIds),
    database.query<PositionRow>(`${SELECT_POSITION} where p.user_id = any($1::uuid[])`, [userIds]),
  ]);
  const open = positions.filter((row) => heldTokens(positionOf(row)) > 0n);
  const values = await pools.values(open.map((row) => ({ mint: row.mint, tokens: heldTokens(positionOf(row)) })));
  const byId = new Map(books.map((each) => [each.book.id, each]));
  open.forEach((row, index) => {
    const holding = { mint: row.mint, position: positionOf(row), value: values[index] ?? null };
    // What somebody sent and nobody prices is worth nothing that can be said, and must not make the rest unknown.
    const isDust = holding.value === null && holding.position.quantity === 0n;
    if (!isDust) byId.get(row.bookId)?.holdings.push(holding);
  });
  return { books, positions };
}

type Flows = { deposited: Lamports; withdrawn: Lamports };
const NO_FLOWS: Flows = { deposited: lamports(0n), withdrawn: lamports(0n) };

/** `outsideProceeds` is what tokens from outside brought when sold: money that never was a profit. */
function accountOf(books: BookValue[], outsideProceeds: bigint, flows: Flows = NO_FLOWS): AccountValue {
  let equity = 0n;
  let outside = outsideProceeds;
  let isPriced = true;
  for (const book of books) {
    const value = valueOfBook(book);
    if (value === null) isPriced = false;
    equity += value ?? 0n;
    for (const { position, value: worth } of book.holdings) {
      if (worth !== null) outside += worth - costedShare(position, worth);
    }
  }
  if (!isPriced) return { books, equity: null, profit: null, rate: null, ...flows };
  const { profitLamports, rate } = totalReturn({
    equityLamports: lamports(equity),
    depositedLamports: flows.deposited,
    withdrawnLamports: flows.withdrawn,
    outsideLamports: outside,
  });
  return { books, equity: lamports(equity), profit: profitLamports, rate, ...flows };
}

type SumRow = BookValue['book'] & { walletKind: WalletKind; cash: bigint; held: bigint; rent: bigint };

async function loadBookSums(sql: Sql, userIds: readonly string[]): Promise<BookValue[]> {
  const rows = await sql.query<SumRow>(
    `select k.id, k.user_id as "userId", k.kind, k.name, k.status, w.kind as "walletKind",
       coalesce(sum(b.amount) filter (where b.account = 'cash'), 0)::numeric(40, 0) as cash,
       coalesce(sum(b.amount) filter (where b.account = 'held'), 0)::numeric(40, 0) as held,
       coalesce(sum(b.amount) filter (where b.account = 'rent'), 0)::numeric(40, 0) as rent
     from book k join wallet w on w.id = k.wallet_id left join balance b on b.book_id = k.id and b.asset = $2
     where k.user_id = any($1::uuid[]) and k.kind <> 'unclaimed' group by k.id, w.kind order by k.created_at, k.id`,
    [userIds, SOL],
  );
  return rows.map(({ walletKind, cash, held, rent, ...book }) => ({
    book,
    walletKind,
    cash,
    held,
    rent,
    holdings: [],
  }));
}

/**
 * SOL that came from outside and went there since a moment, by the journal; tokens that went there count with what they had cost. Of what
 * came to a wallet of many people, or left it, each has the lines of his own books; a withdrawal is without its fee. What the chain took
 * back is not counted.
 */
export async function loadFlows(
  sql: Sql,
  userIds: readonly string[],
  since: Date = new Date(0),
): Promise<Map<string, Flows>> {
  const rows = await sql.query<Flows & { userId: string }>(
    `with own as (
       select k.user_id, e.id, e.kind, p.amount from posting p join book k on k.id = p.book_id
       join journal_entry e on e.id = p.entry_id
       where k.user_id = any($1::uuid[]) and k.kind <> 'unclaimed' and p.asset = $2 and e.kind in ${OUTSIDE_KINDS} and e.at > $3
         and ${STANDS}
     ), moved as (
       select user_id, amount from own where kind <> 'withdrawal'
       union all
       select w.user_id, -p.amount from (select distinct user_id, id from own where kind = 'withdrawal') w
         join posting p on p.entry_id = w.id
       where p.book_id is null and p.asset = $2 and p.account in ('external', 'chain')
     )
     select moved.user_id as "userId", coalesce(sum(amount) filter (where amount > 0), 0)::numeric(40, 0) as deposited,
       (coalesce(-sum(amount) filter (where amount < 0), 0) + (
         select coalesce(sum(w.cost_lamports), 0) from withdrawal w where w.user_id = moved.user_id and w.created_at > $3) + (
         select coalesce(sum(f.cost_lamports), 0) from fill f where f.user_id = moved.user_id and f.kind = 'sent' and f.at > $3
           and not exists (select 1 from fill_undone d where d.reference = f.reference)))::numeric(40, 0) as withdrawn
     from moved group by moved.user_id`,
    [userIds, SOL, since],
  );
  return new Map(rows.map(({ userId, ...flows }) => [userId, flows]));
}

/** The first SOL that came from outside, by the journal. */
export async function loadFirstDeposit(sql: Sql, userId: string): Promise<{ at: Date; lamports: Lamports } | null> {
  const [first] = await sql.query<{ at: Date; lamports: Lamports }>(
    `select e.at, p.amount as lamports from posting p join book k on k.id = p.book_id join journal_entry e on e.id = p.entry_id
     where k.user_id = $1 and k.kind <> 'unclaimed' and p.asset = $2 and p.amount > 0 and e.kind in ${OUTSIDE_KINDS} and ${STANDS}
     order by e.at, e.id limit 1`,
    [userId, SOL],
  );
  return first ?? null;
}

/** In lamports; each null where a holding in it cannot be priced just now. */
export type Worth = { equity: bigint | null; committed: bigint | null };

/**
 * Everything the account has, and of it the value in strategies and follows beyond the SOL of the personal wallet. The book of
 * a followed wallet lies in the personal wallet, so its SOL is part of the balance already.
 */
export async function loadWorth(deps: Deps, userId: string): Promise<Worth> {
  const { books } = await loadValuedBooks(deps, [userId]);
  const sum = (values: readonly (bigint | null)[]): bigint | null =>
    values.reduce((total, value) => (total === null || value === null ? null : total + value), 0n);
  return {
    equity: sum(books.map(valueOfBook)),
    committed: sum(
      books
        .filter(({ book }) => book.kind !== 'personal')
        .map((book) => valueOfBook(book.walletKind === 'personal' ? { ...book, cash: 0n, held: 0n } : book)),
    ),
  };
}
