import { addFollowSums, followSumsOf, NO_FOLLOWS, type FollowSums } from '@hunter/domain/record/creator-score';
import { countedReturns, type CountedReturn, type FollowOutcome } from '@hunter/domain/record/follower-return';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import { larger } from '@hunter/domain/numbers/rounding';
import type { Sql } from '../../platform/postgres.ts';
import { lamportMsUntil } from '../../treasury/transfers/transfer-store.ts';

type Follow = {
  id: string;
  strategyId: string;
  amount: Lamports;
  returned: Lamports | null;
  openedAt: Date;
  /** SOL × time as transfers say it; null for a follow of versions that knew no transfers. */
  lamportMs: bigint | null;
};
export type OpenFollow = Follow & { bookId: string; status: 'opening' | 'active' | 'closing' };
type ClosedFollow = Follow & { closedAt: Date };

/** What the follows say together that are over; there may be many more of them than open ones. */
type ClosedFollows = { readonly returns: readonly CountedReturn[]; readonly sums: FollowSums };

export type Follows = { readonly open: readonly OpenFollow[]; readonly closed: ClosedFollows };

const NO_CLOSED: ClosedFollows = { returns: [], sums: NO_FOLLOWS };

/**
 * The follows of each of these strategies. One that is over does not change any more: where a mark shortly before has `known` them, only
 * those are read that were open then. Null where none has.
 */
export async function loadFollows(
  sql: Sql,
  strategyIds: readonly string[],
  now: Date,
  known: (strategyId: string) => Follows | null,
): Promise<Map<string, Follows>> {
  const open = Map.groupBy(await loadOpen(sql, strategyIds, now), ({ strategyId }) => strategyId);
  const strategies = strategyIds.map((id) => {
    const own = open.get(id) ?? [];
    return { id, own, before: known(id), openIds: new Set(own.map((follow) => follow.id)) };
  });
  const unknown = strategies.flatMap(({ id, before }) => (before === null ? [id] : []));
  const ended = strategies.flatMap(({ before, openIds }) => (before?.open ?? []).filter(({ id }) => !openIds.has(id)));
  const closed = await loadClosed(
    sql,
    unknown,
    ended.map(({ id }) => id),
  );
  const closedOf = Map.groupBy(closed, ({ strategyId }) => strategyId);
  return new Map(
    strategies.map(({ id, own, before, openIds }) => {
      // What was closed between the two reads is still among the open ones.
      const fresh = (closedOf.get(id) ?? []).filter((follow) => !openIds.has(follow.id));
      return [id, { open: own, closed: closedAfter(before?.closed ?? NO_CLOSED, fresh) }];
    }),
  );
}

async function loadOpen(sql: Sql, strategyIds: readonly string[], now: Date): Promise<OpenFollow[]> {
  return sql.query<OpenFollow>(
    `select id, strategy_id as "strategyId", book_id as "bookId", status, amount_lamports as amount,
       returned_lamports as returned, opened_at as "openedAt", ${lamportMsUntil('f.book_id', '$2::timestamptz')} as "lamportMs"
     from follow f where strategy_id = any($1::uuid[]) and status <> 'closed'`,
    [strategyIds, now],
  );
}

async function loadClosed(sql: Sql, strategyIds: readonly string[], ids: readonly string[]): Promise<ClosedFollow[]> {
  if (strategyIds.length === 0 && ids.length === 0) return [];
  return sql.query<ClosedFollow>(
    `select id, strategy_id as "strategyId", amount_lamports as amount, returned_lamports as returned,
       opened_at as "openedAt", closed_at as "closedAt", ${lamportMsUntil('f.book_id', 'f.closed_at')} as "lamportMs"
     from follow f where (strategy_id = any($1::uuid[]) or id = any($2::uuid[])) and status = 'closed' and returned_lamports is not null`,
    [strategyIds, ids],
  );
}

function closedAfter(known: ClosedFollows, follows: readonly ClosedFollow[]): ClosedFollows {
  if (follows.length === 0) return known;
  const outcomes = follows.map((follow): FollowOutcome => ({
    depositedLamports: follow.amount,
    valueLamports: follow.returned!,
    startedAtMs: follow.openedAt.getTime(),
    untilMs: follow.closedAt.getTime(),
    lamportMs: lamportMsOf(follow, follow.closedAt.getTime()),
  }));
  return {
    returns: countedReturns(outcomes, known.returns),
    sums: addFollowSums(known.sums, followSumsOf(outcomes)),
  };
}

export function lamportMsOf({ lamportMs, amount, openedAt }: Follow, untilMs: number): bigint {
  return larger(0n, lamportMs ?? amount * BigInt(untilMs - openedAt.getTime()));
}
