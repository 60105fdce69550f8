import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { protectiveLevel } from '@hunter/domain/triggers/protective-level';
import {
  isBoundToPosition,
  isLadderPossible,
  isStop,
  STOP_SLIPPAGE_BPS_DEFAULT,
  type TriggerRule,
} from '@hunter/domain/triggers/trigger';
import type { Book } from '../ledger/books.ts';
import { keyOf, loadOpenPositions, type OpenPosition } from '../ledger/positions.ts';
import { requireToken, type TokenFact } from '../market/token-facts.ts';
import { requireLease } from '../platform/leases.ts';
import type { Sql } from '../platform/postgres.ts';
import { BUY_MINIMUM_LAMPORTS, rentCeiling } from '../trading/order-limits.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { hasTokenAccount } from '../trading/token-accounts.ts';
import { loadSlippage, tradableBook } from '../trading/trade.ts';
import { holdFunds } from './hold-funds.ts';
import { blank } from './protect-buy.ts';
import { readTrigger, refuse, type TriggerRequest, type TriggersRequest } from './read-request.ts';
import { averageCost } from './settle-triggers.ts';
import { tellTriggers } from './tell-triggers.ts';
import type { Trigger } from './trigger.ts';
import { insertTriggers, loadTriggers, requireWithinLimit } from './trigger-store.ts';
import { loadTriggerViews } from './trigger-view.ts';
import type { Triggers } from './triggers.ts';

export type Requested = { key: string; userId: string };

/**
 * Places one or several triggers, all or none. Throws INVALID_INPUT, TOKEN_UNKNOWN, NOT_FOUND, STRATEGY_ENDED, AMOUNT_TOO_SMALL,
 * NOTHING_TO_SELL, TRIGGER_LIMIT, TRIGGERS_PER_DAY, INSUFFICIENT_BALANCE and ACCOUNT_FROZEN.
 */
export async function placeTriggers(
  deps: Triggers,
  request: TriggersRequest,
  { key, userId }: Requested,
): Promise<CallReply<'placeTrigger'>> {
  const { database } = deps.trading;
  const ids = request.triggers.map((_, place) => requestOrderId(userId, key, 'placeTrigger', String(place)));
  const known = (await loadTriggers(database, ids)).toSorted(
    (left, right) => ids.indexOf(left.id) - ids.indexOf(right.id),
  );
  // Before anything else: what refuses it now, such as a position that it has sold, was not so when it was placed.
  if (known.length > 0) return { lists: await loadTriggerViews(deps, known) };
  const drafts = await draftTriggers(deps, request, userId);
  const triggers = drafts.triggers.map((trigger, place) => ({ ...trigger, id: ids[place]! }));
  const placed = await database.transaction(async (sql) => {
    // Whoever has taken over would not know of it before he looks at all triggers again.
    await requireLease(sql, deps.lease());
    await deps.requireNotFrozen(sql, userId, 'for share');
    const written: Trigger[] = [];
    for (const [place, trigger] of triggers.entries()) {
      const holds = request.triggers[place]!.holdFunds === true;
      written.push(holds ? await holdFor(deps, sql, trigger, drafts) : trigger);
    }
    await insertTriggers(sql, written);
    await requireWithinLimit(sql, userId);
    return written;
  });
  await tellTriggers(deps, placed);
  deps.look(request.tokenContractAddress);
  return { lists: await loadTriggerViews(deps, placed) };
}

type Drafts = { triggers: Trigger[]; book: Book; token: TokenFact; position: OpenPosition | undefined };

/** The triggers that a request asks for, as they would be written now. */
export async function draftTriggers(deps: Triggers, request: TriggersRequest, userId: string): Promise<Drafts> {
  const { database, tokens, clock } = deps.trading;
  const mint = request.tokenContractAddress;
  const token = await requireToken(tokens, mint);
  const book = await tradableBook(database, userId, request.bookId);
  const position = (await loadOpenPositions(database, [{ bookId: book.id, mint }])).get(keyOf(book.id, mint));
  const slippageBps = await loadSlippage(database, userId);
  const group = request.group && request.triggers.length > 1 ? { id: randomUUID(), kind: request.group } : null;
  const now = new Date(clock.nowMs());
  const triggers = request.triggers.map((each): Trigger => {
    const rule = ruleOf(deps, each, { token, position, now });
    if (each.holdFunds === true && book.kind !== 'personal') throw refuse('holdFunds', 'choice');
    return {
      ...blank,
      id: randomUUID(),
      userId,
      bookId: book.id,
      bookKind: book.kind,
      mint: token.mint,
      state: 'open',
      rule,
      protect: each.protect ?? null,
      slippageBps: each.slippageBps ?? (isStop(rule.kind) ? STOP_SLIPPAGE_BPS_DEFAULT : slippageBps),
      group,
      position: position && isBoundToPosition(rule) ? { openedAt: position.openedAt, tripId: position.tripId } : null,
      createdAt: now,
    };
  });
  if (request.group === 'ladder' && !isLadderPossible(targetsOf(triggers))) throw refuse('triggers', 'range');
  return { triggers, book, token, position };
}

/** A stop in a ladder sells what the targets have left. */
function targetsOf(triggers: readonly Trigger[]): TriggerRule['amount'][] {
  return triggers.filter(({ rule }) => !isStop(rule.kind)).map(({ rule }) => rule.amount);
}

function ruleOf(
  { market }: Triggers,
  request: TriggerRequest,
  { token, position, now }: { token: TokenFact; position: OpenPosition | undefined; now: Date },
): TriggerRule {
  const { rule, wantedLevel, when } = readTrigger(request, token.decimals, now.getTime());
  if (rule.side === 'sell' && !position) throw new AppError('NOTHING_TO_SELL');
  if (rule.side === 'buy' && rule.amount!.value < BUY_MINIMUM_LAMPORTS) {
    throw new AppError('AMOUNT_TOO_SMALL', { minimum: `${printDecimal(BUY_MINIMUM_LAMPORTS, SOL_DECIMALS)} SOL` });
  }
  if (rule.kind === 'creator-sells' && !market.token(token.mint)?.creator) throw refuse('kind', 'choice');
  if (rule.kind === 'graduates' && market.hasGraduated(token.mint) !== false) throw refuse('kind', 'choice');
  const cost = position ? averageCost(position) : null;
  const level = wantedLevel && when && protectiveLevel(wantedLevel, when, cost, token.decimals);
  if (wantedLevel && !level) throw refuse('level.unit', 'choice');
  const held = position ? position.quantity + position.uncostedTokens : 0n;
  const amount = rule.amount?.unit === 'percent-bought' ? { ...rule.amount, ofUnits: held } : rule.amount;
  return { ...rule, level, amount };
}

/** What its order will need: the amount, the network's fee and a possible rent deposit. */
async function holdFor(
  { trading: { venue } }: Triggers,
  sql: Sql,
  trigger: Trigger,
  { book, token }: Drafts,
): Promise<Trigger> {
  const rent = (await hasTokenAccount(sql, book.walletId, token.mint)) ? 0n : rentCeiling(token.tokenProgram);
  const lamports = trigger.rule.amount!.value + venue.profile.feeReserveLamports + rent;
  return holdFunds(sql, trigger, lamports, trigger.createdAt);
}
