import type { Address } from '@hunter/domain/address';
import { followerFeeMax } from '@hunter/domain/copying/allocation';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import type { CopySkipReason } from '@hunter/domain/copying/copy-skip';
import type { CopyableCoin } from '@hunter/domain/copying/copyable-coin';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import type { FollowMode } from '@hunter/domain/copying/copying';
import { planBuyRound, type BuyFollower, type PlannedBuy } from '@hunter/domain/copying/round-plan';
import type { Pool } from '@hunter/domain/market/swap-maths';
import type { Sql } from '../../platform/postgres.ts';
import { loadUsedBudgets, NOTHING_USED, type UsedBudgets } from '../../trading/rounds/allocation-store.ts';
import { holdingValue, knownEquity, type Holdings, type Pools } from '../book-holdings.ts';
import { NETWORK_FEE_LAMPORTS, STAKE_FACTORS } from '../costs.ts';
import { SETTINGS_COLUMNS, settingsOf, type SettingsRow } from '../follow-settings.ts';
import type { Strategy } from '../strategy-store.ts';

/** An open follow with what its protection needs to know. */
export type BuyCandidate = SettingsRow &
  UsedBudgets & {
    followId: string;
    userId: string;
    bookId: string;
    mode: FollowMode;
    status: 'opening' | 'active';
    paused: boolean;
    multiplierBps: number;
  };

/** All open follows of a strategy, with what they used of their budgets. Those that are closing are left out. */
export async function loadBuyCandidates(
  sql: Sql,
  { id: strategyId, bookId }: Pick<Strategy, 'id' | 'bookId'>,
  mint: Address,
  now: Date,
): Promise<BuyCandidate[]> {
  const loading = sql.query<Omit<BuyCandidate, keyof UsedBudgets>>(
    `select f.id as "followId", f.user_id as "userId", f.book_id as "bookId", f.mode, f.status, f.paused,
       f.multiplier_bps as "multiplierBps", ${SETTINGS_COLUMNS}
     from follow f where f.strategy_id = $1 and f.status in ('opening', 'active') order by f.id`,
    [strategyId],
  );
  const [follows, used] = await Promise.all([loading, loadUsedBudgets(sql, bookId, mint, now)]);
  return follows.map((follow) => ({ ...follow, ...(used.get(follow.followId) ?? NOTHING_USED) }));
}

export type BuyPlanInput = {
  candidates: readonly BuyCandidate[];
  /** `freeLamports` is what his book could spend, the float left out. */
  creator: {
    bookId: string;
    tier: keyof typeof STAKE_FACTORS;
    spendLamports: Lamports;
    freeLamports: Lamports;
  };
  mint: Address;
  coin: CopyableCoin;
  /** Why nobody may buy it along, whatever the follow. */
  refusal: CopySkipReason | null;
  /** Of every book that takes part, the creator's included. */
  holdings: ReadonlyMap<string, Holdings>;
  pools: Pools;
};

export type BuyDecision = PlannedBuy | { followId: string; kind: 'skip'; wantedLamports: null; reason: CopySkipReason };

/** In the order of the candidates. What concerns the coin or the follow as a whole comes first, then the plan of the round. */
export function planBuys(input: BuyPlanInput): BuyDecision[] {
  const { candidates, refusal } = input;
  const pool = input.pools.get(input.mint);
  const skips = new Map(candidates.map((candidate) => [candidate.followId, skipOf(candidate) ?? refusal]));
  const taking = candidates.filter(({ followId }) => skips.get(followId) === null);
  const planned = new Map(
    pool === undefined ? [] : planTogether(input, taking, pool).map((buy) => [buy.followId, buy] as const),
  );
  return candidates.map(({ followId }) => {
    return planned.get(followId) ?? { followId, kind: 'skip', wantedLamports: null, reason: skips.get(followId)! };
  });
}

function skipOf({ status, paused }: BuyCandidate): CopySkipReason | null {
  // A follow that is still buying its first coins took the weights from before this order.
  if (status !== 'active') return 'joined-later';
  return paused ? 'paused' : null;
}

function planTogether(input: BuyPlanInput, candidates: readonly BuyCandidate[], pool: Pool): PlannedBuy[] {
  const { creator, mint, coin, holdings, pools } = input;
  const own = holdings.get(creator.bookId)!;
  const held = [...holdings.values()].reduce((sum, book) => sum + (book.tokens.get(mint) ?? 0n), 0n);
  return planBuyRound({
    creator: {
      spendLamports: creator.spendLamports,
      freeLamports: creator.freeLamports,
      equityLamports: lamports(knownEquity(own, pools)),
    },
    stakeFactor: STAKE_FACTORS[creator.tier],
    coin: { ageMs: coin.ageMs, poolLamports: pool.solReserve },
    pool,
    reference: coin.reference!,
    heldTokens: baseUnits(held),
    networkFeeLamports: NETWORK_FEE_LAMPORTS,
    followers: candidates.map((candidate) => followerOf(candidate, holdings.get(candidate.bookId)!, mint, pools)),
  });
}

export function followerOf(candidate: BuyCandidate, book: Holdings, mint: Address, pools: Pools): BuyFollower {
  return {
    followId: candidate.followId,
    mode: candidate.mode,
    multiplierBps: BigInt(candidate.multiplierBps),
    freeLamports: lamports(book.freeLamports),
    spendableLamports: lamports(book.freeLamports - followerFeeMax(book.freeLamports)),
    settings: settingsOf(candidate),
    state: {
      equityLamports: lamports(knownEquity(book, pools)),
      coinLamports: lamports(holdingValue(pools, mint, baseUnits(book.tokens.get(mint) ?? 0n)) ?? 0n),
      runUpUsedLamports: lamports(candidate.runUpUsed),
      runUpUsedTotalLamports: lamports(candidate.runUpUsedTotal),
      costHourLamports: lamports(candidate.costHour),
      costDayLamports: lamports(candidate.costDay),
    },
  };
}
