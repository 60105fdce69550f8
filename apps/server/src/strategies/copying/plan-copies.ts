import { baseUnits, type BaseUnits } from '@hunter/domain/base-units';
import { COPY_MINIMUM_LAMPORTS, decideCopy, type CopyDecision, type FollowMode } from '@hunter/domain/copying';
import { lamports, type Lamports } from '@hunter/domain/lamports';
import { larger } from '@hunter/domain/rounding';
import { liquidationValue, type Pool, type Side } from '@hunter/domain/swap-maths';
import type { Sql } from '../../platform/postgres.ts';
import { NETWORK_FEE_LAMPORTS, RENT_LAMPORTS, SELL_RESERVE_LAMPORTS } from '../costs.ts';

/** Everything about one follow that deciding its copy needs. */
export type CopyCandidate = {
  followId: string;
  userId: string;
  bookId: string;
  mode: FollowMode;
  status: 'opening' | 'active';
  amountLamports: Lamports;
  multiplierBps: number;
  freeLamports: Lamports;
  freeTokens: BaseUnits;
  hasTokenAccount: boolean;
  /** `position` only: what earlier buys have used of the committed amount. */
  usedLamports: Lamports;
};

/** All open follows of a strategy in one query. Those that are closing are not part of the round at all. */
export async function loadCandidates(sql: Sql, strategyId: string, mint: string, side: Side): Promise<CopyCandidate[]> {
  return sql.query<CopyCandidate>(
    `select f.id as "followId", f.user_id as "userId", f.book_id as "bookId", f.mode, f.status,
       f.amount_lamports as "amountLamports", f.multiplier_bps as "multiplierBps",
       coalesce(c.amount, 0) as "freeLamports", coalesce(k.amount, 0) as "freeTokens",
       (a.user_id is not null) as "hasTokenAccount", coalesce(u.used, 0)::numeric(40, 0) as "usedLamports"
     from follow f
       left join balance c on c.book_id = f.book_id and c.account = 'cash' and c.asset = 'SOL'
       left join balance k on k.book_id = f.book_id and k.account = 'cash' and k.asset = $2
       left join token_account a on a.user_id = f.user_id and a.mint = $2
       left join lateral (
         select sum(coalesce(y.filled_in, y.amount_in)) as used from copy y
         where y.follow_id = f.id and y.side = 'buy' and y.state <> 'skipped'
       ) u on f.mode = 'position' and $3 = 'buy'
     where f.strategy_id = $1 and f.status in ('opening', 'active') order by f.id`,
    [strategyId, mint, side],
  );
}

/** Lamports to spend or tokens to sell, and the whole of which it is a part. */
export type CreatorOrder =
  | { side: 'buy'; amountIn: Lamports; before: Lamports }
  | { side: 'sell'; amountIn: BaseUnits; before: BaseUnits };

export function creatorOrder(side: Side, amountIn: bigint, before: bigint): CreatorOrder {
  return side === 'buy'
    ? { side, amountIn: lamports(amountIn), before: lamports(before) }
    : { side, amountIn: baseUnits(amountIn), before: baseUnits(before) };
}

export function decideCandidate(
  candidate: CopyCandidate,
  creator: CreatorOrder,
  token: { atRisk: boolean; pool: Pool | undefined },
): CopyDecision {
  const situation = {
    follow: {
      mode: candidate.mode,
      // A follow that is still buying its first coins took the weights from before this order.
      joinedBefore: candidate.status === 'active',
      multiplierBps: BigInt(candidate.multiplierBps),
      committedLeftLamports: lamports(larger(0n, candidate.amountLamports - candidate.usedLamports)),
    },
    tokenAtRisk: token.atRisk,
    ownFreeLamports: candidate.freeLamports,
    costs: {
      feeLamports: NETWORK_FEE_LAMPORTS,
      rentLamports: candidate.hasTokenAccount ? lamports(0n) : RENT_LAMPORTS,
      reserveLamports: SELL_RESERVE_LAMPORTS,
    },
    minimumLamports: COPY_MINIMUM_LAMPORTS,
  };
  if (creator.side === 'buy') {
    return decideCopy({
      ...situation,
      side: 'buy',
      creatorSpendLamports: creator.amountIn,
      creatorFreeLamportsBefore: creator.before,
    });
  }
  return decideCopy({
    ...situation,
    side: 'sell',
    creatorSoldTokens: creator.amountIn,
    creatorHeldTokensBefore: creator.before,
    ownHeldTokens: candidate.freeTokens,
    ownLiquidationLamports: token.pool ? liquidationValue(token.pool, candidate.freeTokens) : lamports(0n),
  });
}
