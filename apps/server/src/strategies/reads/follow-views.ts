import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printDecimal, printPercentOf } from '@hunter/domain/numbers/decimal';
import { printSol as sol } from '@hunter/domain/numbers/lamports';
import { loadHoldings, mintsOf, openEquity } from '../book-holdings.ts';
import { SELECT_FOLLOW, type Follow } from '../follow-store.ts';
import { printSettings } from '../follow-settings.ts';
import type { Strategies } from '../strategies.ts';
import { symbolOf, type Facts } from './coin-refs.ts';

export type FollowView = CallReply<'followStrategy'>;

/** Follows with what they are worth now, or what came back from them. Null where a coin cannot be priced at the moment. */
export async function viewFollows(deps: Strategies, follows: readonly Follow[]): Promise<FollowView[]> {
  const open = follows.filter((follow) => follow.status !== 'closed');
  const bookIds = open.map((follow) => follow.bookId);
  const holdings = await loadHoldings(deps.database, bookIds);
  const pools = await deps.pools.load(mintsOf(holdings.values())).catch(() => new Map());
  const facts = await deps.tokens.load([...new Set(open.flatMap(({ plan }) => plan.map(({ mint }) => mint)))]);
  return follows.map((follow) => {
    const book = holdings.get(follow.bookId);
    const opening = { isOpening: follow.status === 'opening', amount: follow.amountLamports };
    const equity = book ? openEquity(opening, book, pools) : follow.returnedLamports;
    const returned = book ? (follow.returnedLamports ?? 0n) : 0n;
    const pnl = equity === null ? null : equity + returned - follow.amountLamports;
    return {
      id: follow.id,
      slug: follow.slug,
      strategyName: follow.strategyName,
      mode: follow.mode,
      status: follow.status,
      amount: sol(follow.amountLamports),
      multiplier: printDecimal(BigInt(follow.multiplierBps), 4),
      bookId: follow.bookId,
      equity: equity === null ? null : sol(equity),
      pnl: pnl === null ? null : sol(pnl),
      changeRate: pnl === null ? null : printPercentOf(pnl, follow.amountLamports, 4, 'nearest'),
      openTime: follow.openedAt.getTime(),
      closeTime: follow.closedAt?.getTime() ?? null,
      progress: { done: follow.progressDone, total: follow.progressTotal },
      paused: follow.paused,
      protection: printSettings(follow),
      closedBy: follow.closedBy,
      joinUntil: follow.joinUntil?.getTime() ?? null,
      notBought: book ? notBought(follow, facts) : [],
    };
  });
}

/** Coins that joining could not buy, or not wholly, at its last try. */
function notBought({ plan }: Follow, facts: Facts): FollowView['notBought'] {
  return plan.flatMap(({ mint, reason }) =>
    reason === undefined ? [] : [{ tokenContractAddress: mint, tokenSymbol: symbolOf(facts, mint), reason }],
  );
}

export async function viewFollow(deps: Strategies, follow: Follow): Promise<FollowView> {
  const [view] = await viewFollows(deps, [follow]);
  return view!;
}

export async function loadMyFollows(
  deps: Strategies,
  userId: string,
  { pageNo, pageSize }: CallParsedRequest<'getMyFollows'>,
): Promise<CallReply<'getMyFollows'>> {
  const [follows, counted] = await Promise.all([
    deps.database.query<Follow>(
      `${SELECT_FOLLOW} where f.user_id = $1 order by (f.status = 'closed'), f.opened_at desc, f.id limit $2 offset $3`,
      [userId, pageSize, (pageNo - 1) * pageSize],
    ),
    deps.database.query<{ total: number }>(`select count(*)::int as total from follow where user_id = $1`, [userId]),
  ]);
  return { lists: await viewFollows(deps, follows), total: counted[0]!.total, pageNo, pageSize };
}
