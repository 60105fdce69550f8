import { baseUnits } from '@hunter/domain/numbers/base-units';
import { depositBookOf, loadBooksInWallets, lockBooksOf } from '../ledger/books.ts';
import { coverOutflow } from '../ledger/cover-outflow.ts';
import { postEntries, SOL, type Posting, type Asset } from '../ledger/journal.ts';
import { recordFills, type FillRow } from '../ledger/positions.ts';
import { withSentCosts } from '../ledger/sent-costs.ts';
import { lockFreeBalances } from '../ledger/wallet-balance.ts';
import { loadWallet } from '../ledger/wallets.ts';
import { recordAudit } from '../platform/audit.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import type { compareWallet, ComparedWallet } from './compare-wallet.ts';

// How an alarm that books and chain differ ends when nothing explains it: an operator proposes a settlement with its cause and, where
// two are needed, another one approves it. Then the books are made equal to the chain by an entry that names the settlement. The alarm
// says what the difference was when it was raised; settled is what it is now, with the books locked, if that is what the operator saw.

export type Proposal = {
  walletId: string;
  asset: Asset;
  /** What the operator was shown: what the chain has more than the books. */
  difference: bigint;
  /** Whose the difference is; else the personal book, or in a strategy's wallet the unclaimed one. */
  bookId: string | null;
  cause: string;
  operator: string;
};

export type SettlementView = { id: bigint; amount: bigint; isPosted: boolean };

export class SettlementRefused extends Error {}

/** Books and chain of a wallet as they are now; see `compareWallet`. */
export type Compare = (sql: Sql, wallet: ComparedWallet) => ReturnType<typeof compareWallet>;

/** Proposes to settle an open alarm, and posts it at once where one operator is enough. */
export async function proposeSettlement(
  database: Database,
  compare: Compare,
  proposal: Proposal,
  { operatorsNeeded }: { operatorsNeeded: 1 | 2 },
): Promise<SettlementView> {
  return database.transaction(async (sql) => {
    const { walletId, asset, difference: amount, bookId, cause, operator } = proposal;
    if (cause.trim() === '') throw new SettlementRefused('a settlement needs its cause');
    await lockDifference(sql, compare, proposal);
    if (bookId !== null) {
      const book = (await loadBooksInWallets(sql, [bookId])).get(bookId);
      if (book?.walletId !== walletId) throw new SettlementRefused('the book is not in this wallet');
    }
    await sql.write(`delete from difference_settlement where wallet_id = $1 and asset = $2 and posted_at is null`, [
      walletId,
      asset,
    ]);
    const [row] = await sql.write<{ id: bigint }>(
      `insert into difference_settlement (wallet_id, asset, amount, book_id, cause, proposed_by)
       values ($1, $2, $3, $4, $5, $6) returning id`,
      [walletId, asset, amount, bookId, cause, operator],
    );
    const { id } = row!;
    const detail = `${id} ${asset} ${amount} of wallet ${walletId}: ${cause}`;
    await recordAudit(sql, { userId: null, event: 'settlement-proposed', address: operator, detail });
    if (operatorsNeeded === 2) return { id, amount, isPosted: false };
    await post(sql, { id, walletId, asset, amount, bookId, cause }, operator);
    return { id, amount, isPosted: true };
  });
}

/** By another person than the one who proposed it. */
export async function approveSettlement(
  database: Database,
  compare: Compare,
  id: bigint,
  operator: string,
): Promise<SettlementView> {
  return database.transaction(async (sql) => {
    const [row] = await sql.query<Open & { proposedBy: string }>(
      `select id, wallet_id as "walletId", asset, amount, book_id as "bookId", cause, proposed_by as "proposedBy"
       from difference_settlement where id = $1 and posted_at is null for update`,
      [id],
    );
    if (!row) throw new SettlementRefused('there is no such proposal, or it is settled');
    if (row.proposedBy === operator) throw new SettlementRefused('another operator has to approve it');
    const { amount } = row;
    await lockDifference(sql, compare, { ...row, difference: amount });
    await post(sql, row, operator);
    return { id, amount, isPosted: true };
  });
}

type Open = { id: bigint; walletId: string; asset: Asset; amount: bigint; bookId: string | null; cause: string };

/** Refuses unless the alarm is open and the difference is the one that was shown; it stays that until the transaction ends. */
async function lockDifference(
  sql: Sql,
  compare: Compare,
  { walletId, asset, difference: shown }: Pick<Proposal, 'walletId' | 'asset' | 'difference'>,
): Promise<void> {
  const [alarm] = await sql.query(
    `select 1 from reconciliation_alarm where wallet_id = $1 and asset = $2 and resolved_at is null for update`,
    [walletId, asset],
  );
  if (!alarm) throw new SettlementRefused('there is no open alarm for this wallet and asset');
  await lockBooksOf(sql, walletId);
  await lockFreeBalances(sql, [walletId], [asset]);
  const now = await compare(sql, await loadWallet(sql, walletId));
  if (now === null) throw new SettlementRefused('something is on its way in this wallet; try again in a minute');
  const found = now.assets.find((one) => one.asset === asset);
  const difference = (found?.chain ?? 0n) - (found?.books ?? 0n);
  if (difference !== shown) {
    throw new SettlementRefused(
      `the difference is ${difference} now and not ${shown} any more; look at its cause again`,
    );
  }
}

async function post(sql: Sql, { id, walletId, asset, amount, bookId, cause }: Open, operator: string): Promise<void> {
  const lines = amount > 0n ? [{ bookId: bookId ?? (await depositBookOf(sql, walletId)).id, amount }] : [];
  if (amount < 0n) {
    const free = (await lockFreeBalances(sql, [walletId], [asset])).filter(
      (row) => bookId === null || row.bookId === bookId,
    );
    const taken = coverOutflow(free, -amount);
    const missing = taken.reduce((left, one) => left - one.amount, -amount);
    lines.push(...taken.map((one) => ({ bookId: one.bookId, amount: -one.amount })));
    if (missing > 0n) throw new SettlementRefused(`the books have ${missing} less than what is missing`);
  }
  const reference = String(id);
  const postings = lines.map((line): Posting => ({ ...line, account: 'cash', asset }));
  const outside: Posting = { bookId: null, account: 'external', asset, amount: -amount };
  await postEntries(sql, [{ kind: 'settlement', reference, memo: cause, postings: [...postings, outside] }]);
  const bookIds = lines.map((line) => line.bookId);
  const books = await loadBooksInWallets(sql, bookIds);
  const fills = lines.flatMap((line): FillRow[] => {
    const book = books.get(line.bookId)!;
    if (asset === SOL || book.kind === 'unclaimed') return [];
    const tokens = baseUnits(line.amount < 0n ? -line.amount : line.amount);
    const fill = { kind: line.amount > 0n ? ('received' as const) : ('sent' as const), tokens };
    const { userId } = book;
    return [
      {
        reference: `settlement ${id} ${line.bookId}`,
        userId,
        bookId: line.bookId,
        mint: asset,
        fill,
        at: new Date(systemClock.nowMs()),
      },
    ];
  });
  await recordFills(sql, await withSentCosts(sql, fills));
  await sql.write(`update difference_settlement set approved_by = $2, posted_at = now() where id = $1`, [id, operator]);
  await sql.write(
    `update reconciliation_alarm set resolved_at = now() where wallet_id = $1 and asset = $2 and resolved_at is null`,
    [walletId, asset],
  );
  const detail = `${id} ${asset} ${amount} of wallet ${walletId}: ${cause}`;
  await recordAudit(sql, { userId: null, event: 'settlement-posted', address: operator, detail });
}

/** An alarm that waits for an operator, with the settlement that was proposed for it and waits for another one. */
export type OpenAlarm = {
  walletId: string;
  asset: Asset;
  books: bigint;
  chain: bigint;
  since: Date;
  proposal: { id: bigint; by: string; cause: string } | null;
};

export async function loadOpenAlarms(sql: Sql): Promise<OpenAlarm[]> {
  const rows = await sql.query<
    Omit<OpenAlarm, 'proposal'> & { id: bigint | null; by: string | null; cause: string | null }
  >(
    `select a.wallet_id as "walletId", a.asset, a.books, a.chain, a.seen_at as since, s.id, s.proposed_by as by, s.cause
     from reconciliation_alarm a
       left join difference_settlement s on s.wallet_id = a.wallet_id and s.asset = a.asset and s.posted_at is null
     where a.resolved_at is null order by a.seen_at`,
  );
  return rows.map(({ id, by, cause, ...alarm }) => ({
    ...alarm,
    proposal: id === null ? null : { id, by: by!, cause: cause! },
  }));
}
