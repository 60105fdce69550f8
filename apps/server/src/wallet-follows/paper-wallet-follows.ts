import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printSol, type Lamports } from '@hunter/domain/numbers/lamports';
import type { Sql } from '../platform/postgres.ts';
import { chooseSettings, DEFAULT_SETTINGS, printSettings, type SettingsJson } from './settings.ts';
import { replayFollow } from './simulate-wallet-follow.ts';
import type { WalletFollows } from './wallet-follow.ts';

const OPEN_MAX = 20;
const SHOWN_MAX = 100;

type View = CallReply<'startPaperWalletFollow'>;
type Result = Pick<View, 'equity' | 'pnl' | 'changeRate' | 'walletChangeRate' | 'copied' | 'skipped' | 'replayedSince'>;
type Row = {
  id: string;
  address: string;
  name: string;
  amount: Lamports;
  settings: SettingsJson;
  startedAt: Date;
  endedAt: Date | null;
  /** Of what ended with an earlier version, since when it was replayed was not kept. */
  result: (Omit<Result, 'replayedSince'> & Partial<Result>) | null;
};

const SELECT_PAPER = `select id, address, name, amount_lamports as amount, settings, started_at as "startedAt",
  ended_at as "endedAt", result from paper_wallet_follow`;

export async function startPaperWalletFollow(
  deps: WalletFollows,
  userId: string,
  { address, name, amount, settings }: CallParsedRequest<'startPaperWalletFollow'>,
): Promise<View> {
  const chosen = chooseSettings(DEFAULT_SETTINGS, settings);
  const id = randomUUID();
  await deps.database.transaction(async (sql) => {
    // One after another for a user, so that two at once cannot pass the limit together.
    await sql.query(`select pg_advisory_xact_lock(hashtextextended($1, 52))`, [userId]);
    const open = await sql.query<{ address: string }>(
      `select address from paper_wallet_follow where user_id = $1 and ended_at is null`,
      [userId],
    );
    if (open.some((row) => row.address === address)) throw new AppError('ALREADY_FOLLOWING');
    if (open.length >= OPEN_MAX) throw new AppError('TOO_MANY_PAPER_FOLLOWS', { most: OPEN_MAX });
    await sql.write(
      `insert into paper_wallet_follow (id, user_id, address, name, amount_lamports, settings, started_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, userId, address, name, amount, JSON.stringify(chosen), new Date(deps.clock.nowMs())],
    );
  });
  return viewPaper(deps, await loadPaper(deps.database, userId, id));
}

export async function endPaperWalletFollow(deps: WalletFollows, userId: string, id: string): Promise<View> {
  const row = await loadPaper(deps.database, userId, id);
  if (row.result === null) {
    await deps.database.write(
      `update paper_wallet_follow set ended_at = $2, result = $3 where id = $1 and ended_at is null`,
      [id, new Date(deps.clock.nowMs()), JSON.stringify(await replay(deps, row))],
    );
  }
  return viewPaper(deps, await loadPaper(deps.database, userId, id));
}

export async function loadMyPaperWalletFollows(
  deps: WalletFollows,
  userId: string,
): Promise<CallReply<'getMyPaperWalletFollows'>> {
  const rows = await deps.database.query<Row>(
    `${SELECT_PAPER} where user_id = $1 order by ended_at is not null, started_at desc, id limit ${SHOWN_MAX}`,
    [userId],
  );
  const lists: View[] = [];
  for (const row of rows) lists.push(await viewPaper(deps, row));
  return { lists };
}

async function loadPaper(sql: Sql, userId: string, id: string): Promise<Row> {
  const rows = await sql.query<Row>(`${SELECT_PAPER} where id = $1 and user_id = $2`, [id, userId]);
  if (!rows[0]) throw new AppError('NOT_FOUND');
  return rows[0];
}

async function viewPaper(deps: WalletFollows, row: Row): Promise<View> {
  return {
    id: row.id,
    address: row.address,
    name: row.name,
    amount: printSol(row.amount),
    settings: printSettings(row.settings),
    startTime: row.startedAt.getTime(),
    endTime: row.endedAt?.getTime() ?? null,
    replayedSince: null,
    ...(row.result ?? (await replay(deps, row))),
  };
}

async function replay(deps: WalletFollows, { address, amount, settings, startedAt }: Row): Promise<Result> {
  const sinceMs = startedAt.getTime();
  const done = await replayFollow(deps, { address, amount, settings, sinceMs });
  const { equity, pnl, changeRate, walletChangeRate, copied, skipped, since } = done;
  const replayedSince = since > sinceMs ? since : null;
  return { equity, pnl, changeRate, walletChangeRate, copied, skipped, replayedSince };
}
