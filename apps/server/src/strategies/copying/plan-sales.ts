import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { decideCopySale, type CopySaleDecision } from '@hunter/domain/copying/copying';
import { saleCost } from '@hunter/domain/copying/follow-protection';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import type { Pool } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import { loadCashOf } from '../../ledger/balances.ts';
import type { Sql } from '../../platform/postgres.ts';
import { NETWORK_FEE_LAMPORTS } from '../costs.ts';

/** Everything about one follow that deciding its part of a sale needs. */
export type SaleCandidate = {
  followId: string;
  userId: string;
  bookId: string;
  status: 'opening' | 'active';
  freeTokens: BaseUnits;
};

/**
 * All open follows of a strategy, those that are still joining included: a creator's sale leaves nobody with the coin. Those that
 * are closing sell by themselves, before.
 */
export async function loadSaleCandidates(sql: Sql, strategyId: string, mint: Address): Promise<SaleCandidate[]> {
  const follows = await sql.query<Omit<SaleCandidate, 'freeTokens'>>(
    `select id as "followId", user_id as "userId", book_id as "bookId", status from follow
     where strategy_id = $1 and status in ('opening', 'active') order by id`,
    [strategyId],
  );
  const bookIds = follows.map(({ bookId }) => bookId);
  const freeTokens = await loadCashOf(sql, bookIds, mint);
  return follows.map((follow) => ({
    ...follow,
    freeTokens: baseUnits(freeTokens.get(follow.bookId) ?? 0n),
  }));
}

export function decideSale(
  candidate: SaleCandidate,
  creator: { soldTokens: BaseUnits; heldTokensBefore: BaseUnits },
): CopySaleDecision {
  return decideCopySale({
    creatorSoldTokens: creator.soldTokens,
    creatorHeldTokensBefore: creator.heldTokensBefore,
    ownHeldTokens: candidate.freeTokens,
  });
}

/** What a part of a sale takes from the follow's cost budget. */
export function costOfSale(tokens: BaseUnits, pool: Pool | undefined): Lamports {
  return pool === undefined ? NETWORK_FEE_LAMPORTS : saleCost(tokens, pool, NETWORK_FEE_LAMPORTS);
}
