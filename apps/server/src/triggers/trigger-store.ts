import { AppError } from '@hunter/contract/app-error';
import type { ProtectiveLevel } from '@hunter/domain/triggers/protective-level';
import {
  TRIGGERS_PER_DAY_MAX,
  TRIGGERS_PER_USER_MAX,
  type Bound,
  type Level,
  type Schedule,
  type Trailing,
  type TriggerAmount,
  type TriggerRule,
} from '@hunter/domain/triggers/trigger';
import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';
import { dueAt, type Firing, type Protect, type Trigger } from './trigger.ts';

/** Inside the row's JSON, integers are decimal text. */
type Texts<T> = {
  [Key in keyof T]: T[Key] extends bigint ? string : T[Key] extends Bound | null ? Texts<Bound> | null : T[Key];
};

type Row = Omit<Trigger, 'rule' | 'group' | 'position' | 'wantedLevel'> & {
  kind: TriggerRule['kind'];
  side: TriggerRule['side'];
  level: Texts<Level> | null;
  wantedLevel: Texts<ProtectiveLevel> | null;
  amount: (Texts<TriggerAmount> & { ofUnits?: string }) | null;
  trailing: (Omit<Texts<Trailing>, 'high'> & { high: string | null }) | null;
  schedule: Texts<Schedule> | null;
  firesAt: Date | null;
  expiresAt: Date | null;
  groupId: string | null;
  groupKind: 'one-cancels-other' | 'ladder' | null;
  positionOpenedAt: Date | null;
  tripId: bigint | null;
};

const COLUMNS = `id, user_id as "userId", book_id as "bookId", book_kind as "bookKind", mint, kind, side, state, level,
  wanted_level as "wantedLevel", amount, trail as "trailing", schedule, protect, slippage_bps as "slippageBps",
  hold_lamports as "holdLamports", holds, group_id as "groupId", group_kind as "groupKind",
  entry_order_id as "entryOrderId", position_opened_at as "positionOpenedAt", trip_id as "tripId",
  fires_at as "firesAt", expires_at as "expiresAt", retry_at as "retryAt", firings, order_id as "orderId",
  order_error as "orderError", first_fired_at as "firstFiredAt", fired_at as "firedAt", first_price as "firstPrice",
  fired_price as "firedPrice", created_at as "createdAt", ended_at as "endedAt", outcome, cancel_wanted as "isCancelWanted"`;

const boundOf = (texts: Texts<Bound>): Bound => ({ unit: texts.unit, value: BigInt(texts.value) });

function triggerOf(row: Row): Trigger {
  const { kind, side, level, amount, trailing, schedule, firesAt, expiresAt, groupId, groupKind, ...rest } = row;
  const { positionOpenedAt, tripId, wantedLevel, ...plain } = rest;
  return {
    ...plain,
    wantedLevel: wantedLevel && { ...wantedLevel, value: BigInt(wantedLevel.value) },
    group: groupId && groupKind ? { id: groupId, kind: groupKind } : null,
    position: positionOpenedAt && { openedAt: positionOpenedAt, tripId },
    rule: {
      kind,
      side,
      level: level && { ...boundOf(level), when: level.when },
      amount: amount && amountOf(amount),
      trailing: trailing && {
        bps: BigInt(trailing.bps),
        activation: trailing.activation && boundOf(trailing.activation),
        isActive: trailing.isActive,
        high: trailing.high === null ? null : BigInt(trailing.high),
      },
      schedule: schedule && {
        ...schedule,
        lowest: schedule.lowest && boundOf(schedule.lowest),
        highest: schedule.highest && boundOf(schedule.highest),
      },
      firesAtMs: firesAt?.getTime() ?? null,
      expiresAtMs: expiresAt?.getTime() ?? null,
    },
  };
}

function amountOf({ unit, value, ofUnits }: NonNullable<Row['amount']>): TriggerAmount {
  if (unit === 'percent-bought') return { unit, value: BigInt(value), ofUnits: BigInt(ofUnits ?? '0') };
  return { unit, value: BigInt(value) };
}

const time = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** By the names of the columns. */
function columnsOf(trigger: Trigger): Record<string, unknown> {
  const { rule, group, position } = trigger;
  return {
    id: trigger.id,
    user_id: trigger.userId,
    book_id: trigger.bookId,
    book_kind: trigger.bookKind,
    mint: trigger.mint,
    kind: rule.kind,
    side: rule.side,
    state: trigger.state,
    level: rule.level,
    wanted_level: trigger.wantedLevel,
    amount: rule.amount,
    trail: rule.trailing,
    schedule: rule.schedule,
    protect: trigger.protect satisfies Protect | null,
    slippage_bps: trigger.slippageBps,
    hold_lamports: trigger.holdLamports,
    holds: trigger.holds,
    group_id: group?.id ?? null,
    group_kind: group?.kind ?? null,
    entry_order_id: trigger.entryOrderId,
    position_opened_at: position?.openedAt ?? null,
    trip_id: position?.tripId ?? null,
    fires_at: time(rule.firesAtMs),
    expires_at: time(rule.expiresAtMs),
    retry_at: trigger.retryAt,
    due_at: dueAt(trigger),
    firings: trigger.firings,
    order_id: trigger.orderId,
    order_error: trigger.orderError,
    first_fired_at: trigger.firstFiredAt,
    fired_at: trigger.firedAt,
    first_price: trigger.firstPrice,
    fired_price: trigger.firedPrice,
    created_at: trigger.createdAt,
    ended_at: trigger.endedAt,
    outcome: trigger.outcome,
    cancel_wanted: trigger.isCancelWanted,
  };
}

const CHANGING = [
  'state',
  'level',
  'wanted_level',
  'amount',
  'trail',
  'schedule',
  'slippage_bps',
  'hold_lamports',
  'holds',
  'position_opened_at',
  'trip_id',
  'expires_at',
  'retry_at',
  'due_at',
  'firings',
  'order_id',
  'order_error',
  'first_fired_at',
  'fired_at',
  'first_price',
  'fired_price',
  'ended_at',
  'outcome',
  'cancel_wanted',
];

const printRows = (rows: readonly unknown[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

export async function insertTriggers(sql: Sql, triggers: readonly Trigger[]): Promise<void> {
  if (triggers.length === 0) return;
  const rows = triggers.map(columnsOf);
  const columns = Object.keys(rows[0]!).join(', ');
  // Named, so that a column which a newer program has added gets its default.
  await sql.write(
    `insert into order_trigger (${columns}) select ${columns} from jsonb_populate_recordset(null::order_trigger, $1::jsonb)`,
    [printRows(rows)],
  );
}

/** Whoever changes triggers has locked them in the same transaction. Firings are written with what fired. */
export async function saveTriggers(
  sql: Sql,
  triggers: readonly Trigger[],
  firings: readonly Firing[] = [],
): Promise<void> {
  if (triggers.length === 0) return;
  const rows = firings.map(({ triggerId, orderId, amountIn, minOut, ...rest }) => ({
    ...rest,
    trigger_id: triggerId,
    order_id: orderId,
    amount_in: amountIn,
    min_out: minOut,
  }));
  await sql.write(
    `with fired as (
       insert into trigger_firing (trigger_id, firing, order_id, amount_in, min_out, price, at)
       select trigger_id, firing, order_id, amount_in, min_out, price, at
       from jsonb_populate_recordset(null::trigger_firing, $2::jsonb)
     )
     update order_trigger t set ${CHANGING.map((name) => `${name} = v.${name}`).join(', ')}
     from jsonb_populate_recordset(null::order_trigger, $1::jsonb) v where t.id = v.id`,
    [printRows(triggers.map(columnsOf)), printRows(rows)],
  );
}

/** What the last firing of each trigger asked for, by trigger. */
export async function loadFirings(sql: Sql, orderIds: readonly string[]): Promise<Map<string, Firing>> {
  const rows = await sql.query<Firing>(
    `select trigger_id as "triggerId", firing, order_id as "orderId", amount_in as "amountIn", min_out as "minOut", price, at
     from trigger_firing where order_id = any($1::uuid[])`,
    [orderIds],
  );
  return new Map(rows.map((row) => [row.triggerId, row]));
}

async function select(sql: Sql, rest: string, values: readonly unknown[]): Promise<Trigger[]> {
  return (await sql.query<Row>(`select ${COLUMNS} from order_trigger ${rest}`, values)).map(triggerOf);
}

/** Locked in the order of their ids, together with everything of their one-cancels-other groups that has not ended. */
export function lockTriggers(sql: Sql, ids: readonly string[]): Promise<Trigger[]> {
  return select(
    sql,
    `where id in (
       select unnest($1::uuid[]) union
       select other.id from order_trigger own join order_trigger other on other.group_id = own.group_id
       where own.id = any($1::uuid[]) and own.group_kind = 'one-cancels-other' and other.state <> 'ended')
     order by id for update`,
    [ids],
  );
}

/** What may fire, or may be resumed. Paged, lowest id first. */
export function loadOpen(sql: Sql, states: readonly string[], afterId: string, limit: number): Promise<Trigger[]> {
  return select(sql, `where state = any($1::text[]) and id > $2 order by id limit $3`, [states, afterId, limit]);
}

/** Those whose order, or the buy they were written with, is on its way. */
export function loadUnderWay(sql: Sql, limit: number): Promise<Trigger[]> {
  return select(sql, `where state in ('firing', 'waiting') order by id limit $1`, [limit]);
}

export function loadDue(sql: Sql, now: Date, limit: number, without: readonly string[]): Promise<Trigger[]> {
  return select(sql, `where due_at <= $1 and id <> all($3::uuid[]) order by due_at limit $2`, [now, limit, without]);
}

export function loadTriggers(sql: Sql, ids: readonly string[]): Promise<Trigger[]> {
  return select(sql, `where id = any($1::uuid[])`, [ids]);
}

export function loadOfOrders(sql: Sql, orderIds: readonly string[]): Promise<Trigger[]> {
  return select(
    sql,
    `where (state = 'firing' and order_id = any($1::uuid[])) or (state = 'waiting' and entry_order_id = any($1::uuid[]))`,
    [orderIds],
  );
}

/** Those that one of these orders was placed for. */
export function loadFiredWith(sql: Sql, orderIds: readonly string[]): Promise<Trigger[]> {
  return select(sql, `where id in (select trigger_id from trigger_firing where order_id = any($1::uuid[]))`, [
    orderIds,
  ]);
}

/** Those that fired or ended since then and are not firing now. */
export function loadRecent(sql: Sql, since: Date): Promise<Trigger[]> {
  return select(sql, `where (fired_at > $1 or ended_at > $1) and state in ('open', 'paused', 'ended')`, [since]);
}

/** Everything that these fired since then. */
export function loadFiringsSince(
  sql: Sql,
  triggerIds: readonly string[],
  since: Date,
): Promise<{ triggerId: string; orderId: string }[]> {
  return sql.query(
    `select trigger_id as "triggerId", order_id as "orderId" from trigger_firing
     where trigger_id = any($1::uuid[]) and at > $2`,
    [triggerIds, since],
  );
}

/** Those of a token in these books that have not ended. */
export function loadOfBooks(sql: Sql, mints: readonly Address[], bookIds: readonly string[]): Promise<Trigger[]> {
  return select(sql, `where state <> 'ended' and mint = any($1::text[]) and book_id = any($2::uuid[])`, [
    mints,
    bookIds,
  ]);
}

export type TriggerPage = { triggers: Trigger[]; total: number };

export async function loadPage(
  sql: Sql,
  userId: string,
  request: { state: 'open' | 'ended'; mint: Address | null; pageNo: number; pageSize: number },
): Promise<TriggerPage> {
  const where = `where user_id = $1 and (state = 'ended') = $2 and ($3::text is null or mint = $3)`;
  const given = [userId, request.state === 'ended', request.mint];
  const triggers = await select(sql, `${where} order by created_at desc, id limit $4 offset $5`, [
    ...given,
    request.pageSize,
    (request.pageNo - 1) * request.pageSize,
  ]);
  const [count] = await sql.query<{ total: number }>(
    `select count(*)::int as total from order_trigger ${where}`,
    given,
  );
  return { triggers, total: count!.total };
}

/** Of one user, not ended, narrowed by token and book. */
export function loadOpenOf(
  sql: Sql,
  userId: string,
  { mint = null, bookId = null }: { mint?: string | null; bookId?: string | null } = {},
): Promise<Trigger[]> {
  return select(
    sql,
    `where user_id = $1 and state <> 'ended' and ($2::text is null or mint = $2) and ($3::uuid is null or book_id = $3)`,
    [userId, mint, bookId],
  );
}

/**
 * Throws TRIGGER_LIMIT and TRIGGERS_PER_DAY where the user has or placed more than he may, with those that this transaction has written. Asked for after whatever
 * else the transaction locks.
 */
export async function requireWithinLimit(sql: Sql, userId: string): Promise<void> {
  // One user's requests count one after another, so that two at once do not both find room.
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('triggers ' || $1, 0))`, [userId]);
  const [row] = await sql.query<{ open: number; placed: number }>(
    `select (select count(*)::int from order_trigger where user_id = $1 and state <> 'ended') as open,
       (select count(*)::int from order_trigger
        where user_id = $1 and created_at > clock_timestamp() - interval '1 day') as placed`,
    [userId],
  );
  if (row!.placed > TRIGGERS_PER_DAY_MAX) throw new AppError('TRIGGERS_PER_DAY', { most: TRIGGERS_PER_DAY_MAX });
  if (row!.open > TRIGGERS_PER_USER_MAX) throw new AppError('TRIGGER_LIMIT', { most: TRIGGERS_PER_USER_MAX });
}
