import { AppError } from '@hunter/contract/app-error';
import type { CallReply } from '@hunter/contract/calls';
import { capacityCoin, capacityLamports } from '@hunter/domain/copying/capacity';
import { printTokens } from '@hunter/domain/numbers/base-units';
import { printPercentOf } from '@hunter/domain/numbers/decimal';
import { drawdownAfter, maximumDrawdown } from '@hunter/domain/record/drawdown';
import { lamports, printSol as sol, type Lamports } from '@hunter/domain/numbers/lamports';
import { printRatePercent, rate } from '@hunter/domain/numbers/rate';
import { smaller } from '@hunter/domain/numbers/rounding';
import { navAt } from '@hunter/domain/record/unit-nav';
import type { Address } from '@hunter/solana/address';
import { equityOf, holdingValue, loadHoldings, type Holdings, type Pools } from '../strategies/book-holdings.ts';
import { loadFollowOf } from '../strategies/follow-store.ts';
import { loadRoom } from '../strategies/follow-strategy.ts';
import { loadFollowerGap } from './follower-gap.ts';
import { loadUnsoldTrips } from '../ledger/positions.ts';
import { countAtLoss } from '../strategies/performance/count-at-loss.ts';
import { weightsOf } from '../strategies/performance/coin-weights.ts';
import { performanceOf, yieldOf } from '../strategies/performance/performance.ts';
import type { Strategies } from '../strategies/strategies.ts';
import { coinRef, decimalsOf, symbolOf, type Facts } from '../strategies/reads/coin-refs.ts';
import { viewFollow } from '../strategies/reads/follow-views.ts';
import { loadCopies, loadCreatorHoldings, loadOffMarket, ROUNDS_SHOWN } from './strategy-evidence.ts';
import { FROM_CARD, printCard, printShare, SELECT_CARD, type CardRow } from './strategy-cards.ts';

type Detail = CallReply<'getStrategyDetail'>;
type DetailRow = CardRow & {
  equity: Lamports;
  rankedYield: number | null;
  countedWon: number;
  wallet: string;
  walletKind: 'personal' | 'strategy';
  followsWallet: string | null;
  publishTx: string | null;
};

/** One strategy, valued at this moment and not at its last mark. */
export async function loadStrategyDetail(deps: Strategies, slug: string, userId: string | null): Promise<Detail> {
  const rows = await deps.database.query<DetailRow>(
    `${SELECT_CARD}, t.equity_lamports as equity, t.ranked_yield as "rankedYield", t.counted_won as "countedWon",
       w.address as wallet, w.kind as "walletKind",
       (select o.address from wallet_follow o where o.book_id = s.book_id and o.ended_at is null) as "followsWallet",
       (select e.signature from strategy_event e where e.strategy_id = s.id and e.signature is not null order by e.id limit 1)
         as "publishTx"
     ${FROM_CARD} join book k on k.id = s.book_id join wallet w on w.id = k.wallet_id where s.slug = $2`,
    [userId, slug],
  );
  const row = rows[0];
  if (!row) throw new AppError('STRATEGY_NOT_FOUND');
  const book = (await loadHoldings(deps.database, [row.bookId])).get(row.bookId)!;
  const pools = await deps.pools.load([...book.tokens.keys()]).catch(() => new Map());
  // What is left after the end is nothing; the page goes on showing what there was.
  const equity = row.status === 'ended' ? row.equity : (equityOf(book, pools) ?? row.equity);
  const nav = navAt({ units: row.units, nav: rate(row.nav) }, equity);
  const yieldRate = yieldOf(nav);
  const [rounds, copies, record, holdings] = await Promise.all([
    loadRounds(deps, row.id),
    loadCopies(deps, row.id),
    loadOffMarket(deps, row.id),
    loadCreatorHoldings(deps, row),
  ]);
  const facts = await deps.tokens.load([
    ...row.coins.map(({ mint }) => mint),
    ...book.tokens.keys(),
    ...[...rounds, ...record, ...holdings].map(({ mint }) => mint),
  ]);
  const running = row.status === 'running' || row.status === 'publishing';
  const [gap, positions, follow, room] = await Promise.all([
    loadFollowerGap(deps, row, yieldRate, row.followerReturn, pools),
    loadPositions(deps, row.bookId, book, pools, facts, equity),
    userId === null ? null : loadFollowOf(deps.database, userId, row.id),
    running ? loadRoom(deps.database, row) : null,
  ]);
  const isPriced = row.status !== 'ended' && equityOf(book, pools) !== null;
  // Like the equity those of the last mark, where a pool cannot be read now.
  const coins = running && isPriced ? weightsOf(book, pools, equity) : row.coins;
  const unsoldAtLoss = isPriced
    ? countAtLoss(await loadUnsoldTrips(deps.database, [row.bookId]), pools)
    : row.unsoldAtLoss;
  return {
    ...printCard({ ...row, nav, coins, unsoldAtLoss }, facts, userId, deps.clock.nowMs()),
    description: row.description,
    bookId: row.userId === userId ? row.bookId : null,
    equity: sol(equity),
    freeSol: sol(book.freeLamports),
    // With this moment included, or a fall since the last mark would show in the yield and not here.
    maxDrawdown: printRatePercent(maximumDrawdown(drawdownAfter(performanceOf(row).drawdown, nav))),
    capacity: room === null ? null : sol(capacityOf(book, pools, room)),
    gap: gap && {
      total: printRatePercent(gap.gap)!,
      price: printRatePercent(gap.price)!,
      fees: printRatePercent(gap.fees)!,
      skipped: printRatePercent(gap.skipped)!,
      timing: printRatePercent(gap.timing)!,
    },
    positions,
    myFollow: follow && follow.status !== 'closed' ? await viewFollow(deps, follow) : null,
    rounds: rounds.map((round) => ({
      time: round.at.getTime(),
      side: round.side,
      tokenContractAddress: round.mint,
      tokenSymbol: symbolOf(facts, round.mint),
      solAmount: sol(round.lamports),
      copied: round.copied,
      skipped: round.skipped,
    })),
    copies,
    record: {
      countedTrips: row.countedTrips,
      wonTrips: row.countedWon,
      coins: row.countedCoins,
      rankedYield: printShare(row.rankedYield),
      offMarketTrips: record[0]?.total ?? 0,
      offMarket: record.map((trip) => ({
        tokenContractAddress: trip.mint,
        tokenSymbol: symbolOf(facts, trip.mint),
        openTime: trip.openedAt.getTime(),
        closeTime: trip.closedAt?.getTime() ?? null,
        reason: trip.reason,
        countsAsLost: trip.isLost,
      })),
    },
    followsWallet: row.followsWallet,
    creatorHoldings: holdings.map(({ mint, since, where }) => ({
      tokenContractAddress: mint,
      tokenSymbol: symbolOf(facts, mint),
      since: since.getTime(),
      where,
    })),
    verify: { wallet: row.wallet, walletKind: row.walletKind, publishTxHash: row.publishTx },
  };
}

/** Bounded by the prices of its coins, and by what its creator has at stake: beyond that a follow is refused. */
function capacityOf(book: Holdings, pools: Pools, room: Lamports): Lamports {
  const coins = [...book.tokens].flatMap(([mint, tokens]) => {
    const pool = pools.get(mint);
    return pool ? [capacityCoin(pool, tokens)] : [];
  });
  return smaller(room, capacityLamports(coins, lamports(book.lamports + book.rentLamports)) ?? room);
}

async function loadPositions(
  deps: Strategies,
  bookId: string,
  book: Holdings,
  pools: Pools,
  facts: Facts,
  equity: bigint,
): Promise<Detail['positions']> {
  const costs = await deps.database.query<{ mint: Address; cost: bigint }>(
    `select mint, cost_lamports as cost from position where book_id = $1 and quantity > 0`,
    [bookId],
  );
  const costOf = new Map(costs.map((row) => [row.mint, row.cost]));
  const weights = new Map(weightsOf(book, pools, equity).map(({ mint, weight }) => [mint, weight]));
  return [...new Set([...weights.keys(), ...book.tokens.keys()])].map((mint) => {
    const tokens = book.tokens.get(mint)!;
    const value = holdingValue(pools, mint, tokens);
    const cost = costOf.get(mint) ?? null;
    const profit = value === null || cost === null ? null : value - cost;
    return {
      ...coinRef(facts, { mint, weight: value === null ? null : (weights.get(mint) ?? '0') }),
      amount: printTokens(tokens, decimalsOf(facts, mint)),
      cost: cost === null ? null : sol(cost),
      value: value === null ? null : sol(value),
      profit: profit === null ? null : sol(profit),
      profitPercent: profit === null || !cost ? null : printPercentOf(profit, cost, 4, 'nearest'),
    };
  });
}

type RoundRow = { at: Date; side: 'buy' | 'sell'; mint: Address; lamports: bigint; copied: number; skipped: number };

async function loadRounds(deps: Strategies, strategyId: string): Promise<RoundRow[]> {
  // The rounds are chosen before their copies are counted: of a strategy with many followers each has as many.
  return deps.database.query<RoundRow>(
    `select o.created_at as at, o.side, o.mint, o.lamports, c.copied, c.skipped
     from (select o.id, o.created_at, o.side, o.mint, case o.side when 'buy' then o.filled_in else o.filled_out end as lamports
       from strategy s join trade_order o on o.book_id = s.book_id
       where s.id = $1 and o.filled_out is not null and o.kind not in ('join', 'exit', 'open-strategy')
       order by o.created_at desc limit ${ROUNDS_SHOWN}) o
     cross join lateral (select count(*) filter (where a.is_filled)::int as copied,
         count(*) filter (where a.reason is not null)::int as skipped
       from filled_allocation a where a.order_id = o.id and a.follow_id is not null) c
     order by o.created_at desc`,
    [strategyId],
  );
}
