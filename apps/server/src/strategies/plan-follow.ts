import { COPY_MINIMUM_LAMPORTS } from '@hunter/domain/copying';
import { planFollow, type FollowPlan } from '@hunter/domain/follow-plan';
import { lamports, type Lamports } from '@hunter/domain/lamports';
import { smallestSensibleAmount } from '@hunter/domain/smallest-sensible-amount';
import { AppError } from '@hunter/contract/app-error';
import { holdingValue, loadHoldings, type Holdings, type Pools } from './book-holdings.ts';
import { NETWORK_FEE_LAMPORTS, RENT_LAMPORTS, SELL_RESERVE_LAMPORTS } from './costs.ts';
import type { Strategies } from './strategies.ts';
import type { Strategy } from './strategy-store.ts';

const costs = {
  feeLamports: NETWORK_FEE_LAMPORTS,
  rentLamports: RENT_LAMPORTS,
  reserveLamports: SELL_RESERVE_LAMPORTS,
  minimumLamports: COPY_MINIMUM_LAMPORTS,
};

export type FollowOutlook = { book: Holdings; pools: Pools; plan: FollowPlan; smallestLamports: Lamports };

/** What following with this amount would buy now, from the strategy's book as it stands. */
export async function planFollowNow(
  parts: Strategies,
  strategy: Strategy,
  mode: 'sol' | 'position',
  amountLamports: Lamports,
): Promise<FollowOutlook> {
  const book = (await loadHoldings(parts.database, [strategy.bookId])).get(strategy.bookId)!;
  const mints = [...book.tokens.keys()];
  const pools = await parts.pools.load(mints);
  const positions = await Promise.all(
    mints.map(async (mint) => {
      const liquidationLamports = holdingValue(pools, mint, book.tokens.get(mint)!);
      if (liquidationLamports === null) throw new AppError('UNAVAILABLE');
      return { mint, liquidationLamports, atRisk: await parts.isRisky(mint) };
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
      : { purchases: [], skipped: [], leftoverLamports: amountLamports };
  return { book, pools, plan, smallestLamports };
}
