import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { FollowMode } from '@hunter/domain/copying/copying';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { printSol, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Sql } from '../../platform/postgres.ts';
import {
  chooseSettings,
  DEFAULT_SETTINGS,
  printSettings,
  SETTINGS_COLUMNS,
  settingsOf,
  type SettingsRow,
} from '../follow-settings.ts';
import { parseMultiplier } from '../follow-strategy.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategy, loadStrategyById } from '../strategy-store.ts';
import { runSimulation, viewSimulation } from './simulate.ts';

const OPEN_MAX = 20;

type PaperRow = SettingsRow & {
  id: string;
  strategyId: string;
  mode: FollowMode;
  amount: Lamports;
  multiplierBps: number;
  startedAt: Date;
  endedAt: Date | null;
};
type PaperView = CallReply<'startPaperFollow'>;

const SELECT_PAPER = `select f.id, f.strategy_id as "strategyId", f.mode, f.amount_lamports as amount,
  f.multiplier_bps as "multiplierBps", f.started_at as "startedAt", f.ended_at as "endedAt", ${SETTINGS_COLUMNS}
  from paper_follow f`;

export async function startPaperFollow(
  deps: Strategies,
  userId: string,
  request: CallParsedRequest<'startPaperFollow'>,
): Promise<PaperView> {
  const strategy = await loadStrategy(deps.database, request.slug);
  if (strategy.status !== 'running') throw new AppError('STRATEGY_ENDED');
  const settings = chooseSettings(DEFAULT_SETTINGS, request.protection);
  const id = randomUUID();
  await deps.database.transaction(async (sql) => {
    // One after another for a user, so that two at once cannot pass the limit together.
    await sql.query(`select pg_advisory_xact_lock(hashtextextended($1, 27))`, [userId]);
    await refuseAnother(sql, userId, strategy.id);
    await sql.query(
      `insert into paper_follow (id, user_id, strategy_id, mode, amount_lamports, multiplier_bps, run_up_bps, coin_cap_bps,
         cap_per_trade_lamports, stop_loss_bps, take_profit_bps, started_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        id,
        userId,
        strategy.id,
        request.mode,
        request.amount,
        parseMultiplier(request.multiplier),
        settings.runUpBps,
        settings.coinCapBps,
        settings.capPerTradeLamports,
        settings.stopLossBps,
        settings.takeProfitBps,
        new Date(deps.clock.nowMs()),
      ],
    );
  });
  return viewPaper(deps, await loadPaper(deps.database, userId, id));
}

async function refuseAnother(sql: Sql, userId: string, strategyId: string): Promise<void> {
  const open = await sql.query<{ strategyId: string }>(
    `select strategy_id as "strategyId" from paper_follow where user_id = $1 and ended_at is null`,
    [userId],
  );
  if (open.some((row) => row.strategyId === strategyId)) throw new AppError('ALREADY_FOLLOWING');
  if (open.length >= OPEN_MAX) throw new AppError('TOO_MANY_PAPER_FOLLOWS', { most: OPEN_MAX });
}

export async function endPaperFollow(deps: Strategies, userId: string, id: string): Promise<PaperView> {
  await loadPaper(deps.database, userId, id);
  await deps.database.query(
    `update paper_follow set ended_at = $3 where id = $1 and user_id = $2 and ended_at is null`,
    [id, userId, new Date(deps.clock.nowMs())],
  );
  return viewPaper(deps, await loadPaper(deps.database, userId, id));
}

export async function loadMyPaperFollows(
  deps: Strategies,
  userId: string,
  { pageNo, pageSize }: CallParsedRequest<'getMyPaperFollows'>,
): Promise<CallReply<'getMyPaperFollows'>> {
  const rows = await deps.database.query<PaperRow>(
    `${SELECT_PAPER} where f.user_id = $1 order by f.ended_at is not null, f.started_at desc, f.id limit $2 offset $3`,
    [userId, pageSize, (pageNo - 1) * pageSize],
  );
  const [count] = await deps.database.query<{ total: number }>(
    `select count(*)::int as total from paper_follow where user_id = $1`,
    [userId],
  );
  const lists: PaperView[] = [];
  for (const row of rows) lists.push(await viewPaper(deps, row));
  return { lists, total: count!.total, pageNo, pageSize };
}

async function loadPaper(sql: Sql, userId: string, id: string): Promise<PaperRow> {
  const rows = await sql.query<PaperRow>(`${SELECT_PAPER} where f.id = $1 and f.user_id = $2`, [id, userId]);
  if (!rows[0]) throw new AppError('NOT_FOUND');
  return rows[0];
}

async function viewPaper(deps: Strategies, row: PaperRow): Promise<PaperView> {
  const strategy = await loadStrategyById(deps.database, row.strategyId);
  const simulation = await runSimulation(deps, strategy, {
    mode: row.mode,
    amountLamports: row.amount,
    multiplierBps: BigInt(row.multiplierBps),
    settings: settingsOf(row),
    sinceMs: row.startedAt.getTime(),
    untilMs: row.endedAt?.getTime() ?? null,
  });
  const view = viewSimulation(strategy.slug, row.mode, row.amount, simulation);
  const endedAt = view.endedAt ?? row.endedAt?.getTime() ?? strategy.endedAt?.getTime() ?? null;
  return {
    id: row.id,
    slug: strategy.slug,
    strategyName: strategy.name,
    mode: row.mode,
    amount: printSol(row.amount),
    multiplier: printDecimal(BigInt(row.multiplierBps), 4),
    protection: printSettings(row),
    startTime: row.startedAt.getTime(),
    endTime: endedAt,
    equity: view.equity,
    pnl: view.pnl,
    changeRate: view.changeRate,
    strategyChangeRate: view.strategyChangeRate,
    copied: view.copied,
    skipped: view.skipped,
    endedBy: view.endedBy ?? (row.endedAt !== null ? 'follower' : strategy.endedAt !== null ? 'strategy-end' : null),
  };
}
