import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { loadBookOf } from '../ledger/books.ts';
import { keyOf, loadOpenPositions } from '../ledger/positions.ts';
import { requireToken } from '../market/token-facts.ts';
import type { Sql } from '../platform/postgres.ts';
import { BUY_MINIMUM_LAMPORTS } from '../trading/order-limits.ts';
import { soldSince } from './fire-triggers.ts';
import { holdFunds, releaseFunds } from './hold-funds.ts';
import { readAmount, readBound, readPercent, refuse } from './read-request.ts';
import { change } from './settle-firing.ts';
import { ended, isPausedByFreeze, thawed, unfired, type Trigger } from './trigger.ts';
import { loadOpenOf, loadPage, loadTriggers } from './trigger-store.ts';
import { loadTriggerViews, type TriggerView } from './trigger-view.ts';
import type { Triggers } from './triggers.ts';

const CHANGEABLE: ReadonlySet<Trigger['state']> = new Set(['waiting', 'open', 'paused']);

export async function loadMyTriggers(
  deps: Triggers,
  userId: string,
  { state, tokenContractAddress, pageNo, pageSize }: CallParsedRequest<'getMyTriggers'>,
): Promise<CallReply<'getMyTriggers'>> {
  const request = { state, mint: tokenContractAddress ?? null, pageNo, pageSize };
  const { triggers, total } = await loadPage(deps.trading.database, userId, request);
  return { lists: await loadTriggerViews(deps, triggers), total, pageNo, pageSize };
}

export async function editTrigger(
  deps: Triggers,
  userId: string,
  request: CallParsedRequest<'editTrigger'>,
): Promise<TriggerView> {
  const known = await requireOwn(deps, userId, request.id);
  const { decimals } = await requireToken(deps.trading.tokens, known.mint);
  return changeOne(deps, userId, request.id, async (sql, row, now) => {
    const edited = editedFrom(row, request, decimals, now);
    if (edited.rule.amount?.unit === 'percent-bought') {
      const position = (await loadOpenPositions(sql, [row])).get(keyOf(row.bookId, row.mint));
      const ofUnits = position ? position.quantity + position.uncostedTokens : 0n;
      const amount = { ...edited.rule.amount, ofUnits: edited.rule.amount.ofUnits || ofUnits };
      return { ...edited, rule: { ...edited.rule, amount } };
    }
    const more = (edited.rule.amount?.value ?? 0n) - (row.rule.amount?.value ?? 0n);
    if (row.holdLamports === 0n || more === 0n) return edited;
    await releaseFunds(sql, [row], now);
    return holdFunds(sql, edited, row.holdLamports + more, now);
  });
}

function editedFrom(row: Trigger, request: CallParsedRequest<'editTrigger'>, decimals: number, now: Date): Trigger {
  const { rule } = row;
  const { level, amount, trailingPercent, expiresAt, slippageBps } = request;
  if (level && !rule.level) throw refuse('level', 'choice');
  if (trailingPercent !== undefined && !rule.trailing) throw refuse('trailingPercent', 'choice');
  if (typeof expiresAt === 'number' && expiresAt <= now.getTime()) throw refuse('expiresAt', 'range');
  const newAmount = amount ? readAmount(amount, rule.side, decimals) : rule.amount;
  if (rule.side === 'buy' && newAmount!.value < BUY_MINIMUM_LAMPORTS) throw refuse('amount.value', 'range');
  const isMoved = level !== undefined || trailingPercent !== undefined;
  return {
    ...(isMoved ? unfired(row) : row),
    slippageBps: slippageBps ?? row.slippageBps,
    rule: {
      ...rule,
      level: level ? { ...readBound(level, 'level.value'), when: rule.level!.when } : rule.level,
      amount: newAmount,
      trailing:
        trailingPercent === undefined
          ? rule.trailing
          : { ...rule.trailing!, bps: readPercent(trailingPercent, 9_999n, 'trailingPercent') },
      expiresAtMs: expiresAt === undefined ? rule.expiresAtMs : expiresAt,
    },
  };
}

export function pauseTrigger(deps: Triggers, userId: string, id: string): Promise<TriggerView> {
  return changeOne(deps, userId, id, async (_sql, row) => {
    if (row.state === 'waiting') throw new AppError('TRIGGER_NOT_CHANGEABLE');
    return { ...row, state: 'paused', retryAt: null };
  });
}

export async function resumeTrigger(deps: Triggers, userId: string, id: string): Promise<TriggerView> {
  const { mint, rule } = await requireOwn(deps, userId, id);
  // While it was paused nobody watched for it.
  const creator = rule.kind === 'creator-sells' ? deps.market.token(mint)?.creator : null;
  const soldAt = creator ? await deps.market.lastSale(mint, creator) : null;
  return changeOne(deps, userId, id, async (sql, row, now) => {
    if (row.state !== 'paused') return row;
    await deps.requireNotFrozen(sql, userId, 'for share');
    const retryAt = soldSince(row, soldAt?.getTime() ?? null) ? now : null;
    return { ...unfired(isPausedByFreeze(row) ? thawed(row) : row), state: 'open', retryAt };
  });
}

export function cancelTrigger(deps: Triggers, userId: string, id: string): Promise<TriggerView> {
  const cancel = async (sql: Sql, row: Trigger, now: Date): Promise<Trigger> => {
    await releaseFunds(sql, [row], now);
    return ended(row, 'canceled', now);
  };
  return changeOne(deps, userId, id, cancel, ({ outcome }) => outcome === 'canceled');
}

export async function cancelAllTriggers(
  deps: Triggers,
  userId: string,
  { tokenContractAddress, bookId }: CallParsedRequest<'cancelAllTriggers'>,
): Promise<CallReply<'cancelAllTriggers'>> {
  const { database } = deps.trading;
  if (bookId !== undefined && !(await loadBookOf(database, userId, bookId))) throw new AppError('NOT_FOUND');
  const open = await loadOpenOf(database, userId, { mint: tokenContractAddress ?? null, bookId: bookId ?? null });
  const wanted = new Set(open.map(({ id }) => id));
  const canceled = await change(deps, [...wanted], async (sql, rows, now) => {
    const all = rows.filter(({ id, state }) => wanted.has(id) && state !== 'ended');
    const still = all.filter(({ state }) => CHANGEABLE.has(state));
    await releaseFunds(sql, still, now);
    // Of the others an order is on its way, which may trade; nothing comes after it.
    const firing = all.filter(({ state }) => !CHANGEABLE.has(state));
    return [
      ...still.map((row) => ended(row, 'canceled', now)),
      ...firing.map((row) => ({ ...row, isCancelWanted: true })),
    ];
  });
  return { canceled: canceled.filter(({ state }) => state === 'ended').length };
}

/** Another user's trigger looks like one that does not exist. */
async function requireOwn(deps: Triggers, userId: string, id: string): Promise<Trigger> {
  const [trigger] = await loadTriggers(deps.trading.database, [id]);
  if (trigger?.userId !== userId) throw new AppError('NOT_FOUND');
  return trigger;
}

/** One that `isDone` says is what was asked for is answered as it is: whoever asks again got no answer the first time. */
async function changeOne(
  deps: Triggers,
  userId: string,
  id: string,
  decide: (sql: Sql, row: Trigger, now: Date) => Promise<Trigger>,
  isDone: (row: Trigger) => boolean = () => false,
): Promise<TriggerView> {
  const { mint } = await requireOwn(deps, userId, id);
  const [changed] = await change(deps, [id], async (sql, rows, now) => {
    const row = rows.find((each) => each.id === id)!;
    if (isDone(row)) return [];
    if (!CHANGEABLE.has(row.state)) throw new AppError('TRIGGER_NOT_CHANGEABLE');
    return [await decide(sql, row, now)];
  });
  deps.look(mint);
  const [view] = await loadTriggerViews(deps, [changed ?? (await requireOwn(deps, userId, id))]);
  return view!;
}
