import { mayFollowersBuy } from '@hunter/domain/copying/conflict-of-interest';
import { refuseCoin, type CopyableCoin, type CoinRefusal } from '@hunter/domain/copying/copyable-coin';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import { lockCoinsOfCreators } from '../../ledger/creator-coins.ts';
import { lastBoughtAt } from '../../ledger/recent-buys.ts';
import type { Sql } from '../../platform/postgres.ts';
import { isTradingElsewhere } from '../../trading/open-orders.ts';
import type { Strategy } from '../strategy-store.ts';

export type CoinOfCreator = {
  coin: CopyableCoin;
  /** What wallets near the creator paid for it on chain within the hour and have not sold again. */
  nearbyLamports: Lamports;
};

/**
 * What concerns every follower alike: the coin, and what the creator did in it outside of the strategy. Until the transaction ends he
 * sells nothing of it elsewhere.
 */
export async function whyNotCopied(
  sql: Sql,
  strategy: Strategy,
  mint: Address,
  { coin, nearbyLamports }: CoinOfCreator,
  now: Date,
): Promise<CoinRefusal | 'creator-traded' | null> {
  const refusal = refuseCoin(coin);
  if (refusal !== null) return refusal;
  // What he has sold again he cannot sell to his followers, and the price has fallen with it.
  const other = { userId: strategy.userId, mint, exceptBookId: strategy.bookId, isHeld: true };
  const [, boughtAt] = await Promise.all([
    lockCoinsOfCreators(sql, [other]),
    lastBoughtAt(sql, { ...other, kinds: ['personal', 'strategy', 'wallet-follow'] }),
  ]);
  const purchases = { boughtAtMs: boughtAt?.getTime() ?? null, nearbyLamports };
  // What he has ordered a moment ago may trade before this does or after it, and no fill tells of it yet.
  const mayBuy = mayFollowersBuy(purchases, now.getTime()) && !(await isTradingElsewhere(sql, other));
  return mayBuy ? null : 'creator-traded';
}
