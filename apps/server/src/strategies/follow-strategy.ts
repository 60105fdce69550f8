import { AppError } from '@hunter/contract/app-error';
import { parseDecimal } from '@hunter/domain/numbers/decimal';
import { lamports, printSol, type Lamports } from '@hunter/domain/numbers/lamports';
import { loadCash, spendableLamports } from '../ledger/balances.ts';
import { closeBook, loadPersonalBook, openBook } from '../ledger/books.ts';
import { SOL } from '../ledger/journal.ts';
import { larger, smaller } from '@hunter/domain/numbers/rounding';
import { waitAtMost } from '../platform/clock.ts';
import { violates, type Sql } from '../platform/postgres.ts';
import { refusal } from '../trading/order-engine.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { placeTransfer } from '../treasury/transfers/place-transfer.ts';
import { loadCommitsUnderWay } from '../treasury/transfers/transfer-store.ts';
import { joinFollows } from './copying/join-follows.ts';
import { STAKE_FACTORS } from './costs.ts';
import { countFollowers, loadFollowById, tellFollow, type Follow, type FollowPlanRow } from './follow-store.ts';
import { chooseSettings, DEFAULT_SETTINGS, settingsOf, settingsValues } from './follow-settings.ts';
import { openOnce } from './open-once.ts';
import { planFollowNow } from './plan-follow.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategy, lockStrategy, type Strategy } from './strategy-store.ts';

export type NewFollow = {
  slug: string;
  mode: 'sol' | 'position';
  amount: Lamports;
  multiplier: string;
  protection?: Parameters<typeof chooseSettings>[1];
};

const MULTIPLIER_BPS_MAX = 100_000n;
/** How long what a limit leaves over is tried again. */
const JOIN_MS = 24 * 3_600_000;
/** How long the caller waits for the first purchases after the SOL has arrived. */
const JOIN_REPLY_MS = 5_000;

/** `requestKey` names the request: the same again gives the first follow. */
export async function followStrategy(
  deps: Strategies,
  userId: string,
  request: NewFollow,
  requestKey: string,
): Promise<Follow> {
  const { database } = deps;
  const strategy = await loadStrategy(database, request.slug);
  const id = requestOrderId('follow', userId, strategy.id, requestKey);
  await openOnce(
    async () => (await database.query(`select 1 from follow where id = $1`, [id])).length > 0,
    () => openFollow(deps, strategy, { ...request, id, userId }),
  );
  await continueOpening(deps, await loadFollowById(database, id));
  return loadFollowById(database, id);
}

/** Throws INVALID_INPUT for what is out of bounds. */
export function parseMultiplier(text: string): bigint {
  const bps = parseDecimal(text, 4);
  if (bps <= 0n || bps > MULTIPLIER_BPS_MAX) {
    throw new AppError('INVALID_INPUT', { field: 'multiplier', reason: 'range' });
  }
  return bps;
}

async function openFollow(
  deps: Strategies,
  strategy: Strategy,
  request: NewFollow & { id: string; userId: string },
): Promise<void> {
  const { id, userId, amount, mode } = request;
  const { database, clock } = deps;
  if (strategy.userId === userId) throw new AppError('FOLLOW_OWN');
  requireOpen(strategy);
  const multiplierBps = parseMultiplier(request.multiplier);
  const settings = chooseSettings(DEFAULT_SETTINGS, request.protection ?? {});
  const personal = await loadPersonalBook(database, userId);
  const free = spendableLamports(await loadCash(database, personal.id, SOL), 'personal');
  if (amount > free) throw new AppError('FOLLOW_AMOUNT_EXCEEDS');
  const { book, plan, smallestLamports } = await planFollowNow(deps, strategy, mode, amount, settingsOf(settings));
  if (amount < smallestLamports) {
    throw new AppError('AMOUNT_TOO_SMALL', { minimum: `${printSol(lamports(smallestLamports))} SOL` });
  }
  const rows: FollowPlanRow[] = plan.wanted.map(({ mint, lamports: wanted }) => ({
    mint,
    lamports: wanted.toString(),
    heldTokens: book.tokens.get(mint)!.toString(),
  }));
  const now = new Date(clock.nowMs());
  try {
    await database.transaction(async (sql) => {
      requireOpen(await lockStrategy(sql, strategy.id, 'follower'));
      await requireRoom(sql, strategy, amount);
      const own = await openBook(sql, { userId, walletId: strategy.walletId, kind: 'follow', name: strategy.name });
      await sql.write(
        `insert into follow (id, user_id, strategy_id, book_id, mode, status, amount_lamports, multiplier_bps, plan,
           opened_at, run_up_bps, coin_cap_bps, cap_per_trade_lamports, stop_loss_bps, take_profit_bps)
         values ($1, $2, $3, $4, $5, 'opening', $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          id,
          userId,
          strategy.id,
          own.id,
          mode,
          amount,
          multiplierBps,
          JSON.stringify(rows),
          now,
          ...settingsValues(settings),
        ],
      );
      const leg = { fromBookId: personal.id, toBookId: own.id, asset: SOL, amount };
      await placeTransfer(sql, { id: commitId(id), kind: 'commit', legs: [leg] }, now);
      await countFollowers(sql, strategy.id);
    });
  } catch (error) {
    if (violates(error, 'follow_one_active')) throw new AppError('ALREADY_FOLLOWING', undefined, { cause: error });
    if (error instanceof AppError && error.errorName === 'INSUFFICIENT_BALANCE') {
      throw new AppError('FOLLOW_AMOUNT_EXCEEDS', undefined, { cause: error });
    }
    throw error;
  }
  deps.due.add(strategy.id);
  deps.balanceChanged(userId);
}

/** The transfer that brings the follow's SOL. */
export function commitId(followId: string): string {
  return requestOrderId('commit', followId);
}

/** Waits for the SOL to arrive, then lets the follow join. Taken up again after a crash, it finds the transfer it placed. */
export function continueOpening(deps: Strategies, follow: Follow): Promise<void> {
  return deps.work.run(`open ${follow.id}`, () => open(deps, follow));
}

async function open(deps: Strategies, follow: Follow): Promise<void> {
  if (follow.status !== 'opening') return;
  const { database, clock } = deps;
  const commit = await deps.transfers.run(commitId(follow.id));
  if (commit.state === 'held' || commit.state === 'sent') return;
  if (commit.state === 'failed' || commit.state === 'dead') {
    await closeUnfunded(deps, follow);
    throw refusal(commit.error ?? 'TRADE_FAILED');
  }
  const nowMs = clock.nowMs();
  const hasPlan = follow.plan.some((row) => row.lamports !== undefined);
  await database.write(
    `update follow set status = case when $4 then status else 'active' end, join_at = $2, join_until = $3
     where id = $1 and status = 'opening' and join_at is null`,
    [follow.id, hasPlan ? new Date(nowMs) : null, hasPlan ? new Date(nowMs + JOIN_MS) : null, hasPlan],
  );
  deps.balanceChanged(follow.userId);
  deps.due.add(follow.strategyId);
  tellFollow(deps, await loadFollowById(database, follow.id));
  if (hasPlan) await waitAtMost(clock, JOIN_REPLY_MS, joinInBackground(deps, follow));
}

function joinInBackground(deps: Strategies, follow: Follow): Promise<void> {
  return joinFollows(deps, follow.strategyId).catch((error: unknown) =>
    deps.log.warn({ err: error, followId: follow.id }, 'joining failed; retrying with the next pass'),
  );
}

/** The SOL never left the personal wallet: the follow ends as if it had not begun. */
async function closeUnfunded(deps: Strategies, follow: Follow): Promise<void> {
  await deps.database.transaction(async (sql) => {
    await lockStrategy(sql, follow.strategyId, 'follower');
    await sql.write(
      `update follow set status = 'closed', closed_at = $2, returned_lamports = amount_lamports where id = $1`,
      [follow.id, new Date(deps.clock.nowMs())],
    );
    await closeBook(sql, follow.bookId, new Date(deps.clock.nowMs()));
    await countFollowers(sql, follow.strategyId);
  });
  deps.balanceChanged(follow.userId);
  tellFollow(deps, await loadFollowById(deps.database, follow.id));
}

/** Throws STRATEGY_FULL. One after another for a strategy, so that two at once do not both find the same room. */
export async function requireRoom(sql: Sql, strategy: Strategy, amount: Lamports): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('room ' || $1, 0))`, [strategy.id]);
  const room = await loadRoom(sql, strategy);
  if (amount > room) throw new AppError('STRATEGY_FULL', { room: `${printSol(room)} SOL` });
}

/**
 * How much more SOL may follow beside what the creator has at stake. What was taken out of a follow makes room again: otherwise anybody
 * could fill a strategy with the same few SOL, which he adds and takes out in turn.
 */
export async function loadRoom(sql: Sql, strategy: Strategy): Promise<Lamports> {
  const coming = await loadCommitsUnderWay(sql);
  // What is added to a follow is part of its amount once it has arrived.
  const [row] = await sql.query<{ equity: bigint; funds: bigint }>(
    `select t.equity_lamports as equity, ((select coalesce(sum(greatest(0, f.amount_lamports - coalesce(f.returned_lamports, 0))), 0) from follow f
         where f.strategy_id = t.strategy_id and f.status in ('opening', 'active'))
       + (select coalesce(sum(c.lamports), 0) from unnest($2::uuid[], $3::numeric[]) c (book_id, lamports)
         join follow f on f.book_id = c.book_id where f.strategy_id = t.strategy_id and f.status = 'active'))::numeric(40, 0) as funds
     from strategy_stats t where t.strategy_id = $1`,
    [strategy.id, coming.map(({ bookId }) => bookId), coming.map(({ lamports: each }) => each)],
  );
  const stake = smaller(strategy.capitalLamports, row!.equity);
  return lamports(larger(0n, stake * STAKE_FACTORS[strategy.tier] - row!.funds));
}

function requireOpen({ status }: Strategy): void {
  if (status === 'publishing') throw new AppError('TRADE_UNDER_WAY');
  if (status !== 'running') throw new AppError('STRATEGY_ENDED');
}
