import { baseUnits, type BaseUnits } from '@hunter/domain/base-units';
import { decideCopySale, type CopySaleDecision } from '@hunter/domain/copying';
import { saleCost } from '@hunter/domain/follow-protection';
import { lamports, type Lamports } from '@hunter/domain/lamports';
import { liquidationValue, type Pool } from '@hunter/domain/swap-maths';
import { loadCashOf } from '../../ledger/balances.ts';
import { SOL } from '../../ledger/journal.ts';
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

/** All open follows of a strategy. Those that are closing sell by themselves. */
export async function loadSaleCandidates(sql: Sql, strategyId: string, mint: string): Promise<SaleCandidate[]> {
  const follows = await sql.query<Omit<SaleCandidate, 'freeLamports' | 'freeTokens'>>(
    `select id as "followId", user_id as "userId", book_id as "bookId", status from follow
     where strategy_id = $1 and status in ('opening', 'active') order by id`,
    [strategyId],
  );
  const bookIds = follows.map(({ bookId }) => bookId);
  const freeLamports = await loadCashOf(sql, bookIds, SOL);
  const freeTokens = await loadCashOf(sql, bookIds, mint);
  return follows.map((follow) => ({
    ...follow,
    freeLamports: lamports(freeLamports.get(follow.bookId) ?? 0n),
    freeTokens: baseUnits(freeTokens.get(follow.bookId) ?? 0n),
  }));
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
