import type { BaseUnits } from '@hunter/domain/base-units';
import { decideCopySale, type CopySaleDecision } from '@hunter/domain/copying';
import { saleCost } from '@hunter/domain/follow-protection';
import { lamports, type Lamports } from '@hunter/domain/lamports';
import { liquidationValue, type Pool } from '@hunter/domain/swap-maths';
import type { Sql } from '../../platform/postgres.ts';
import { NETWORK_FEE_LAMPORTS } from '../costs.ts';

/** Everything about one follow that deciding its part of a sale needs. */
export type SaleCandidate = {
  followId: string;
  userId: string;
  bookId: string;
  status: 'opening' | 'active';
  freeLamports: Lamports;
  freeTokens: BaseUnits;
};

/** All open follows of a strategy in one query. Those that are closing sell by themselves. */
export function loadSaleCandidates(sql: Sql, strategyId: string, mint: string): Promise<SaleCandidate[]> {
  return sql.query<SaleCandidate>(
    `select f.id as "followId", f.user_id as "userId", f.book_id as "bookId", f.status,
       coalesce(c.amount, 0) as "freeLamports", coalesce(k.amount, 0) as "freeTokens"
     from follow f
       left join balance c on c.book_id = f.book_id and c.account = 'cash' and c.asset = 'SOL'
       left join balance k on k.book_id = f.book_id and k.account = 'cash' and k.asset = $2
     where f.strategy_id = $1 and f.status in ('opening', 'active') order by f.id`,
    [strategyId, mint],
  );
}

export function decideSale(
  candidate: SaleCandidate,
  creator: { soldTokens: BaseUnits; heldTokensBefore: BaseUnits },
  pool: Pool | undefined,
): CopySaleDecision {
  return decideCopySale({
    // A follow that is still buying its first coins took the weights from before this order.
    joinedBefore: candidate.status === 'active',
    creatorSoldTokens: creator.soldTokens,
    creatorHeldTokensBefore: creator.heldTokensBefore,
    ownHeldTokens: candidate.freeTokens,
    ownLiquidationLamports: pool === undefined ? lamports(0n) : liquidationValue(pool, candidate.freeTokens),
    ownFreeLamports: candidate.freeLamports,
    feeLamports: NETWORK_FEE_LAMPORTS,
  });
}

/** What a part of a sale takes from the follow's cost budget. */
export function costOfSale(tokens: BaseUnits, pool: Pool | undefined): Lamports {
  return pool === undefined ? NETWORK_FEE_LAMPORTS : saleCost(tokens, pool, NETWORK_FEE_LAMPORTS);
}
