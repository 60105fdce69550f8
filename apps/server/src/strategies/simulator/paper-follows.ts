import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { FollowMode } from '@hunter/domain/copying/copying';
import { PAPER_FOLLOW_DAYS, paperEnd } from '@hunter/domain/copying/paper-follow';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { printSol, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Sql } from '../../platform/postgres.ts';
import {
  chooseSettings,
  DEFAULT_SETTINGS,
  printSettings,
  SETTINGS_COLUMNS,
  settingsOf,
  settingsValues,
  type SettingsRow,
} from '../follow-settings.ts';
import { parseMultiplier } from '../follow-strategy.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategy, loadStrategyById, type Strategy } from '../strategy-store.ts';
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
  /** Kept once it has ended: what it was replayed over is not kept as long. */
  result: Result | null;
};
type PaperView = CallReply<'startPaperFollow'>;
type Result = Pick<
  PaperView,
  'equity' | 'pnl' | 'changeRate' | 'strategyChangeRate' | 'copied' | 'skipped' | 'endedBy'
>;

const SELECT_PAPER = `select f.id, f.strategy_id as "strategyId", f.mode, f.amount_lamports as amount,
  f.multiplier_bps as "multiplierBps", f.started_at as "startedAt", f.ended_at as "endedAt", f.result,
  ${SETTINGS_COLUMNS} from paper_follow f`;

export async function startPaperFollow(
  deps: Strategies,
  userId: string,
  request: CallParsedRequest<'startPaperFollow'>,
): Promise<PaperView> {
  const strategy = await loadStrategy(deps.database, request.slug);
  if (strategy.status !== 'running') throw new AppError('STRATEGY_ENDED');
  const settings = chooseSettings(DEFAULT_SETTINGS, request.protection);
  // Those that have ended since somebody looked stand in nobody's way: looking at them writes that down.
  const refusal = await refusalOf(deps.database, userId, strategy.id);
  if (refusal !== null) await loadMyPaperFollows(deps, userId, { pageNo: 1, pageSize: OPEN_MAX });
  const id = randomUUID();
  await deps.database.transaction(async (sql) => {
    // One after another for a user, so that two at once cannot pass the limit together.
    await sql.query(`select pg_advisory_xact_lock(hashtextextended($1, 27))`, [userId]);
    const stillRefused = await refusalOf(sql, userId, strategy.id);
    if (stillRefused !== null) throw stillRefused;
    await sql.write(
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
        ...settingsValues(settings),
        new Date(deps.clock.nowMs()),
      ],
    );
  });
  return viewPaper(deps, await loadPaper(deps.database, userId, id));
}

async function refusalOf(sql: Sql, userId: string, strategyId: string): Promise<AppError | null> {
  const open = await sql.query<{ strategyId: string }>(
    `select strategy_id as "strategyId" from paper_follow where user_id = $1 and ended_at is null`,
    [userId],
  );
  if (open.some((row) => row.strategyId === strategyId)) return new AppError('ALREADY_FOLLOWING');
  return open.length >= OPEN_MAX ? new AppError('TOO_MANY_PAPER_FOLLOWS', { most: OPEN_MAX }) : null;
}

export async function endPaperFollow(deps: Strategies, userId: string, id: string): Promise<PaperView> {
  const row = await loadPaper(deps.database, userId, id);
  return viewPaper(deps, { ...row, endedAt: row.endedAt ?? new Date(deps.clock.nowMs()) });
}

/** Ends those that have lasted their time, before what they are replayed over is dropped. */
export async function endOldPaperFollows(deps: Strategies): Promise<void> {
  const rows = await deps.database.query<PaperRow>(
    `${SELECT_PAPER} where f.ended_at is null and f.started_at <= $1::timestamptz - make_interval(days => $2) order by f.id`,
    [new Date(deps.clock.nowMs()), PAPER_FOLLOW_DAYS],
  );
  for (const row of rows) {
    await viewPaper(deps, row).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'a paper follow could not be ended; trying again when tidying next'),
    );
  }
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

/** One that has ended is written down with what it became, by whoever looks first. */
async function viewPaper(deps: Strategies, row: PaperRow): Promise<PaperView> {
  const strategy = await loadStrategyById(deps.database, row.strategyId);
  const { result, endedAt } =
    row.result === null ? await replay(deps, strategy, row) : { result: row.result, endedAt: row.endedAt };
  if (row.result === null && endedAt !== null) {
    await deps.database.write(`update paper_follow set ended_at = $2, result = $3 where id = $1 and result is null`, [
      row.id,
      endedAt,
      JSON.stringify(result),
    ]);
  }
  return {
    id: row.id,
    slug: strategy.slug,
    strategyName: strategy.name,
    mode: row.mode,
    amount: printSol(row.amount),
    multiplier: printDecimal(BigInt(row.multiplierBps), 4),
    protection: printSettings(row),
    startTime: row.startedAt.getTime(),
    endTime: endedAt?.getTime() ?? null,
    ...result,
  };
}

async function replay(
  deps: Strategies,
  strategy: Strategy,
  row: PaperRow,
): Promise<{ result: Result; endedAt: Date | null }> {
  const end = paperEnd(
    {
      startedAtMs: row.startedAt.getTime(),
      endedAtMs: row.endedAt?.getTime() ?? null,
      strategyEndedAtMs: strategy.endedAt?.getTime() ?? null,
    },
    deps.clock.nowMs(),
  );
  const simulation = await runSimulation(deps, strategy, {
    mode: row.mode,
    amountLamports: row.amount,
    multiplierBps: BigInt(row.multiplierBps),
    settings: settingsOf(row),
    sinceMs: row.startedAt.getTime(),
    untilMs: end?.atMs ?? null,
  });
  const view = viewSimulation(strategy.slug, row.mode, row.amount, simulation);
  const { equity, pnl, changeRate, strategyChangeRate, copied, skipped } = view;
  const endedAtMs = view.endedAt ?? end?.atMs ?? null;
  return {
    result: { equity, pnl, changeRate, strategyChangeRate, copied, skipped, endedBy: view.endedBy ?? end?.by ?? null },
    endedAt: endedAtMs === null ? null : new Date(endedAtMs),
  };
}
