import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest } from '@hunter/contract/calls';
import type { Address } from '@hunter/solana/address';
import { requireNotFrozen } from '../accounts/freeze.ts';
import { loadBookOf, loadPersonalBook, lockBook, openBook } from '../ledger/books.ts';
import { moveSol } from '../ledger/transfers.ts';
import { loadPersonalWallet, loadWalletByAddress, lockPersonalWallet } from '../ledger/wallets.ts';
import { newestSeq } from '../market/wallets/watched-trades.ts';
import { violates, type Sql } from '../platform/postgres.ts';
import { rowValues } from '../platform/columns-of.ts';
import { emptyBook } from '../strategies/empty-book.ts';
import { loadOwnStrategy } from '../strategies/strategy-store.ts';
import { loadOpenOrders } from '../trading/open-orders.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { chooseSettings, DEFAULT_SETTINGS } from './settings.ts';
import { SELECT_WALLET_FOLLOW, type WalletFollow, type WalletFollows } from './wallet-follow.ts';

const OPEN_MAX = 10;

export async function followWallet(
  deps: WalletFollows,
  userId: string,
  request: CallParsedRequest<'followWallet'>,
  requestKey: string,
): Promise<WalletFollow> {
  const { database, clock } = deps;
  const { address, name, slug } = request;
  const wallet = await loadPersonalWallet(database, userId);
  // A strategy that follows its own wallet would buy again whatever it has bought.
  if ((await loadWalletByAddress(database, address))?.userId === userId)
    throw new AppError('INVALID_INPUT', { field: 'address', reason: 'choice' });
  if ((request.amount === undefined) === (slug === undefined)) {
    throw new AppError('INVALID_INPUT', { field: 'amount', reason: 'required' });
  }
  const settings = chooseSettings(DEFAULT_SETTINGS, request.settings);
  const id = requestOrderId('wallet-follow', userId, requestKey);
  const strategy = slug === undefined ? null : await loadOwnStrategy(database, userId, slug);
  if (strategy !== null && strategy.status !== 'running') throw new AppError('STRATEGY_ENDED');
  await database.transaction(async (sql) => {
    await lockPersonalWallet(sql, userId);
    await requireNotFrozen(sql, userId, 'for share');
    if ((await sql.query(`select 1 from wallet_follow where id = $1`, [id])).length > 0) return;
    await refuseTooMany(sql, userId);
    const personal = await loadPersonalBook(sql, userId);
    const book =
      strategy?.bookId ?? (await openBook(sql, { userId, walletId: wallet.walletId, kind: 'wallet-follow', name })).id;
    const to = { id: book, userId, kind: 'wallet-follow' as const };
    if (strategy === null) await moveSol(sql, personal, to, request.amount!, `wallet-follow:${id}`);
    await insertFollow(sql, {
      id,
      userId,
      bookId: book,
      address,
      name,
      settings,
      amountLamports: request.amount ?? 0n,
      seenSeq: await newestSeq(sql),
      startedAt: new Date(clock.nowMs()),
    });
  });
  deps.balanceChanged(userId);
  return loadOwn(database, userId, id);
}

async function refuseTooMany(sql: Sql, userId: string): Promise<void> {
  const open = await sql.query(`select 1 from wallet_follow where user_id = $1 and ended_at is null`, [userId]);
  if (open.length >= OPEN_MAX) throw new AppError('TOO_MANY_WALLET_FOLLOWS', { most: OPEN_MAX });
}

type NewFollow = Pick<
  WalletFollow,
  'id' | 'userId' | 'bookId' | 'address' | 'name' | 'settings' | 'amountLamports' | 'seenSeq' | 'startedAt'
>;

async function insertFollow(sql: Sql, follow: NewFollow): Promise<void> {
  try {
    await sql.write(
      `insert into wallet_follow (id, user_id, book_id, address, name, settings, amount_lamports, seen_seq, started_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...rowValues(follow, 'id', 'userId', 'bookId', 'address', 'name'),
        JSON.stringify(follow.settings),
        follow.amountLamports,
        follow.seenSeq,
        follow.startedAt,
      ],
    );
  } catch (cause) {
    if (violates(cause, 'wallet_follow_of_book')) throw new AppError('ALREADY_FOLLOWING', undefined, { cause });
    throw cause;
  }
}

export async function updateWalletFollow(
  { database }: WalletFollows,
  userId: string,
  { id, paused, name, settings }: CallParsedRequest<'updateWalletFollow'>,
): Promise<WalletFollow> {
  await database.transaction(async (sql) => {
    const before = await loadOwn(sql, userId, id, 'for update');
    if (before.endedAt !== null) throw new AppError('NOT_FOLLOWING');
    if (paused === false) await requireNotFrozen(sql, userId, 'for share');
    await sql.write(`update wallet_follow set paused = $2, name = $3, settings = $4 where id = $1`, [
      id,
      paused ?? before.paused,
      name ?? before.name,
      JSON.stringify(chooseSettings(before.settings, settings)),
    ]);
  });
  return loadOwn(database, userId, id);
}

/** Of a frozen account: whoever began them, they buy again only after their owner has looked at them. */
export async function pauseWalletFollows({ database }: Pick<WalletFollows, 'database'>, userId: string): Promise<void> {
  await database.write(`update wallet_follow set paused = true where user_id = $1 and ended_at is null`, [userId]);
}

/** Nothing is traded: what the book holds moves to the personal book of the same wallet. */
export async function endWalletFollow(deps: WalletFollows, userId: string, id: string): Promise<WalletFollow> {
  const { database, clock, pools } = deps;
  const follow = await loadOwn(database, userId, id);
  if (follow.endedAt !== null) return follow;
  const tokens = await database.query<{ mint: Address }>(`select distinct mint from wallet_copy where follow_id = $1`, [
    id,
  ]);
  const known = await pools.load(tokens.map(({ mint }) => mint)).catch(() => new Map());
  await database.transaction(async (sql) => {
    const now = new Date(clock.nowMs());
    const rows = await sql.query(`select 1 from wallet_follow where id = $1 and ended_at is null for update`, [id]);
    if (rows.length === 0) return;
    // An order that comes at this moment is seen below, or finds the book closed.
    if (await isOwnBook(sql, follow)) await lockBook(sql, follow.bookId);
    // A copy under way has money set aside, which cannot move.
    if ((await loadOpenOrders(sql, [follow.bookId])).length > 0) throw new AppError('TRADE_UNDER_WAY');
    let returned: bigint | null = null;
    if (await isOwnBook(sql, follow)) {
      const personal = await loadPersonalBook(sql, userId);
      const from = { id: follow.bookId, userId, kind: 'wallet-follow' as const };
      const emptied = await emptyBook(sql, from, personal, known, now);
      // What cannot be priced now is not worth nothing: its result stays unknown.
      const isPriced = emptied.tokens.every(({ mint }) => known.has(mint));
      const whole = emptied.tokens.reduce<bigint>((sum, { valueLamports }) => sum + valueLamports, emptied.lamports);
      returned = isPriced ? whole : null;
    }
    await sql.write(`update wallet_follow set ended_at = $2, returned_lamports = $3 where id = $1`, [
      id,
      now,
      returned,
    ]);
    await sql.write(
      `update wallet_copy set state = 'skipped', reason = 'expired' where follow_id = $1 and state in ('planned', 'waiting')`,
      [id],
    );
  });
  deps.balanceChanged(userId);
  return loadOwn(database, userId, id);
}

async function isOwnBook(sql: Sql, { bookId, userId }: WalletFollow): Promise<boolean> {
  return (await loadBookOf(sql, userId, bookId))?.kind === 'wallet-follow';
}

/** Another user's looks as if it did not exist. */
export async function loadOwn(
  sql: Sql,
  userId: string,
  id: string,
  lock: 'for update' | '' = '',
): Promise<WalletFollow> {
  const rows = await sql.query<WalletFollow>(`${SELECT_WALLET_FOLLOW} where f.id = $1 and f.user_id = $2 ${lock}`, [
    id,
    userId,
  ]);
  if (!rows[0]) throw new AppError('NOT_FOUND');
  return rows[0];
}
