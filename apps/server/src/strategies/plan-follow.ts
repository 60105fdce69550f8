import { COPY_MINIMUM_LAMPORTS } from '@hunter/domain/copying/copying';
import { refuseCoin, type CopyableCoin } from '@hunter/domain/copying/copyable-coin';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { followLimits, roundPrice, type FollowSettings, type Limit } from '@hunter/domain/copying/follow-protection';
import { planFollow, type FollowPlan } from '@hunter/domain/copying/follow-plan';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { depthLimit } from '@hunter/domain/copying/round-depth';
import { smallestSensibleAmount } from '@hunter/domain/copying/smallest-sensible-amount';
import type { Pool } from '@hunter/domain/market/swap-maths';
import { AppError } from '@hunter/contract/app-error';
import { holdingValue, loadHoldings, type Holdings, type Pools } from './book-holdings.ts';
import { NETWORK_FEE_LAMPORTS } from './costs.ts';
import { loadCopyableCoin, loadPeople, loadWalletsToBuy } from './copying/load-copyable-coin.ts';
import type { Strategies } from './strategies.ts';
import type { Strategy } from './strategy-store.ts';

const costs = {
  feeLamports: NETWORK_FEE_LAMPORTS,
  minimumLamports: COPY_MINIMUM_LAMPORTS,
};

export type FollowOutlook = { book: Holdings; pools: Pools; plan: FollowPlan; smallestLamports: Lamports };

/** What following with this amount would buy now, from the strategy's book as it stands. */
export async function planFollowNow(
  deps: Strategies,
  strategy: Strategy,
  mode: 'sol' | 'position',
  amountLamports: Lamports,
  settings: FollowSettings,
): Promise<FollowOutlook> {
  const book = (await loadHoldings(deps.database, [strategy.bookId])).get(strategy.bookId)!;
  const mints = [...book.tokens.keys()];
  const people = await loadPeople(deps.database, strategy.id);
  const [pools, linked] = await Promise.all([deps.pools.load(mints), loadWalletsToBuy(deps, people)]);
  const positions = await Promise.all(
    mints.map(async (mint) => {
      const liquidationLamports = holdingValue(pools, mint, book.tokens.get(mint)!);
      if (liquidationLamports === null) throw new AppError('UNAVAILABLE');
      const coin = await loadCopyableCoin(deps, linked, mint, pools.get(mint));
      const refusal = refuseCoin(coin);
      const limits = refusal === null ? joinLimits(settings, amountLamports, coin, pools.get(mint)!) : [];
      return { mint, liquidationLamports, refusal, limits };
    }),
  );
  // Deposits are the strategy's money too, but nothing that a follower could buy.
  const strategyFreeLamports = lamports(book.lamports + book.rentLamports);
  const smallestLamports = smallestSensibleAmount({
    ...costs,
    strategyFreeLamports,
    strategyPositionsLamports: positions.map((position) => position.liquidationLamports),
  });
  const plan =
    mode === 'sol'
      ? planFollow({ ...costs, amountLamports, strategyFreeLamports, strategyPositions: positions })
      : { wanted: [], purchases: [], skipped: [], leftoverLamports: amountLamports };
  return { book, pools, plan, smallestLamports };
}

/** A follow that begins has used nothing of its budgets. The whole amount gives the highest price that its purchase can have. */
export function joinLimits(
  settings: FollowSettings,
  amount: Lamports,
  coin: Pick<CopyableCoin, 'ageMs' | 'reference'>,
  pool: Pool,
): readonly Limit[] {
  const depth: Limit = { reason: 'depth', lamports: depthLimit(pool, baseUnits(0n)) };
  const spend = depth.lamports < amount ? depth.lamports : amount;
  const price = roundPrice(pool, spend, coin.reference!, NETWORK_FEE_LAMPORTS);
  if (price === null) return [depth];
  const none = lamports(0n);
  const state = {
    equityLamports: amount,
    coinLamports: none,
    runUpUsedLamports: none,
    runUpUsedTotalLamports: none,
    costHourLamports: none,
    costDayLamports: none,
  };
  return [depth, ...followLimits(settings, state, { ageMs: coin.ageMs, poolLamports: pool.solReserve }, price)];
}
