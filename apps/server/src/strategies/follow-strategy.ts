import { AppError } from '@hunter/contract/app-error';
import { parseDecimal } from '@hunter/domain/decimal';
import { lamports, printSol, type Lamports } from '@hunter/domain/lamports';
import { loadCash, spendableLamports } from '../ledger/balances.ts';
import { openBook, loadPersonalBook } from '../ledger/books.ts';
import { SOL } from '../ledger/journal.ts';
import { moveSol } from '../ledger/transfers.ts';
import { larger, smaller } from '@hunter/domain/rounding';
import { violates, type Sql } from '../platform/postgres.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { OPENING_SLIPPAGE_BPS, STAKE_FACTOR } from './costs.ts';
import {
  countFollowers,
  loadFollowById,
  setProgress,
  tellFollow,
  type Follow,
  type FollowPlanRow,
} from './follow-store.ts';
import { chooseSettings, DEFAULT_SETTINGS, settingsOf } from './follow-settings.ts';
import { planFollowNow } from './plan-follow.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategy, lockStrategy, type Strategy } from './strategy-store.ts';

export type NewFollow = {
  slug: string;
  mode: 'sol' | 'position';
  amount: Lamports;
  multiplier: string;
  slippageBps?: number | undefined;
  protection?: Parameters<typeof chooseSettings>[1];
};

const MULTIPLIER_BPS_MAX = 1_000_000n;

/** `requestKey` names the request: the same again gives the first follow. */
export async function followStrategy(
  parts: Strategies,
  userId: string,
  request: NewFollow,
  requestKey: string,
): Promise<Follow> {
  const { database } = parts;
  const strategy = await loadStrategy(database, request.slug);
  const id = requestOrderId('follow', userId, strategy.id, requestKey);
  const known = await database.query(`select 1 from follow where id = $1`, [id]);
  if (known.length === 0) await openFollow(parts, strategy, { ...request, id, userId });
  await continueOpening(parts, await loadFollowById(database, id));
  return loadFollowById(database, id);
}

async function openFollow(
  parts: Strategies,
  strategy: Strategy,
  request: NewFollow & { id: string; userId: string },
): Promise<void> {
  const { id, userId, amount, mode } = request;
  const { database, clock } = parts;
  if (strategy.userId === userId) throw new AppError('FOLLOW_OWN');
  requireOpen(strategy);
  const multiplierBps = parseDecimal(request.multiplier, 4);
  if (multiplierBps <= 0n || multiplierBps > MULTIPLIER_BPS_MAX) {
    throw new AppError('INVALID_INPUT', { field: 'multiplier', reason: 'range' });
  }
  const settings = chooseSettings(DEFAULT_SETTINGS, request.protection ?? {});
  const personal = await loadPersonalBook(database, userId);
  const free = spendableLamports(await loadCash(database, personal.id, SOL), 'personal');
  if (amount > free) throw new AppError('FOLLOW_AMOUNT_EXCEEDS');
  const { plan, smallestLamports } = await planFollowNow(parts, strategy, mode, amount, settingsOf(settings));
  if (amount < smallestLamports) {
    throw new AppError('AMOUNT_TOO_SMALL', { minimum: `${printSol(lamports(smallestLamports))} SOL` });
  }
  const rows: FollowPlanRow[] = [
    ...plan.purchases.map(({ mint, spendLamports }) => ({ mint, lamports: spendLamports.toString() })),
    ...plan.skipped,
  ];
  try {
    await database.transaction(async (sql) => {
      requireOpen(await lockStrategy(sql, strategy.id, 'follower'));
      await requireRoom(sql, strategy, amount);
      const personal = await loadPersonalBook(sql, userId);
      const { walletId } = personal;
      const book = await openBook(sql, { userId, walletId, kind: 'follow', name: strategy.name });
      await sql.query(
        `insert into follow (id, user_id, strategy_id, book_id, mode, status, amount_lamports, multiplier_bps, slippage_bps,
           plan, progress_total, opened_at, run_up_bps, coin_cap_bps, cap_per_trade_lamports, stop_loss_bps, take_profit_bps)
         values ($1, $2, $3, $4, $5, 'opening', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
        [
          id,
          userId,
          strategy.id,
          book.id,
          mode,
          amount,
          multiplierBps,
          request.slippageBps ?? OPENING_SLIPPAGE_BPS,
          JSON.stringify(rows),
          plan.purchases.length,
          new Date(clock.nowMs()),
          settings.runUpBps,
          settings.coinCapBps,
          settings.capPerTradeLamports,
          settings.stopLossBps,
          settings.takeProfitBps,
        ],
      );
      await moveSol(sql, personal, book, amount, `follow-amount:${id}`);
      await countFollowers(sql, strategy.id);
    });
  } catch (error) {
    if (violates(error, 'follow_one_active')) throw new AppError('ALREADY_FOLLOWING', undefined, { cause: error });
    if (error instanceof AppError && error.errorName === 'INSUFFICIENT_BALANCE') {
      throw new AppError('FOLLOW_AMOUNT_EXCEEDS', undefined, { cause: error });
    }
    throw error;
  }
  parts.due.add(strategy.id);
  parts.balanceChanged(userId);
}

/** Buys the first coins and makes the follow active. Taken up again after a crash, it finds the orders it placed. */
export function continueOpening(parts: Strategies, follow: Follow): Promise<void> {
  return parts.work.run(`open ${follow.id}`, () => open(parts, follow));
}

async function open(parts: Strategies, follow: Follow): Promise<void> {
  if (follow.status !== 'opening') return;
  const buys = follow.plan.filter((row) => row.lamports !== undefined);
  if (buys.length > 0) {
    tellFollow(parts, follow);
    await parts.engine.placeMany(
      buys.map(({ mint, lamports: amount }) => ({
        id: requestOrderId('open-follow', follow.id, mint),
        userId: follow.userId,
        bookId: follow.bookId,
        side: 'buy' as const,
        mint,
        amountIn: BigInt(amount!),
        slippageBps: follow.slippageBps,
        kind: 'open-follow' as const,
        fit: true,
      })),
    );
    await setProgress(parts, follow, buys.length, buys.length);
  }
  // A cancel may have come in between; then it stays closing.
  await parts.database.query(`update follow set status = 'active' where id = $1 and status = 'opening'`, [follow.id]);
  parts.due.add(follow.strategyId);
  tellFollow(parts, await loadFollowById(parts.database, follow.id));
}

async function requireRoom(sql: Sql, strategy: Strategy, amount: Lamports): Promise<void> {
  const [row] = await sql.query<{ equity: bigint; funds: bigint }>(
    `select t.equity_lamports as equity, (select coalesce(sum(f.amount_lamports), 0)::numeric(40, 0) from follow f
       where f.strategy_id = t.strategy_id and f.status in ('opening', 'active')) as funds
     from strategy_stats t where t.strategy_id = $1`,
    [strategy.id],
  );
  const stake = smaller(strategy.capitalLamports, row!.equity);
  const room = larger(0n, stake * STAKE_FACTOR - row!.funds);
  if (amount > room) throw new AppError('STRATEGY_FULL', { room: `${printSol(room)} SOL` });
}

function requireOpen({ status }: Strategy): void {
  if (status === 'publishing') throw new AppError('REQUEST_IN_PROGRESS');
  if (status !== 'running') throw new AppError('STRATEGY_ENDED');
}
