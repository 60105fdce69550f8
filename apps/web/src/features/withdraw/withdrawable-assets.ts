import { compareDecimals } from '@hunter/domain/numbers/decimal';
import { useEffect } from 'react';
import { useUser } from '../../data/session.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import type { ListPages } from '../../data/use-api-pages.ts';
import { SOL_ASSET } from './withdraw-form.ts';

export type WithdrawableAsset = { asset: string; symbol: string; available: string | null };

type Position = ListPages<'getMyPositions'>['rows'][number];

/** SOL, and the tokens of the personal wallet; what strategies and follows hold comes back by canceling. */
export function useWithdrawableAssets(): readonly WithdrawableAsset[] {
  const withdrawable = useUser((user) => user?.walletInfo?.withdrawable ?? null);
  const positions = useApiPages('getMyPositions', { pageSize: 100 }, { quiet: true, rowKey });
  const { hasMore, loadingMore, moreFailed, loadMore } = positions;
  // All of them: the newest come first, and what strangers have sent may fill a page.
  useEffect(() => {
    if (hasMore && !loadingMore && !moreFailed) loadMore();
  });
  const tokens = positions.rows
    .filter((row) => row.bookKind === 'personal' && row.amount !== null)
    .toSorted(byWorth)
    .map((row) => ({ asset: row.tokenContractAddress, symbol: row.tokenSymbol, available: row.amount }));
  return [{ asset: SOL_ASSET, symbol: SOL_ASSET, available: withdrawable }, ...tokens];
}

const rowKey = ({ bookId, tokenContractAddress }: Position): string => `${bookId}:${tokenContractAddress}`;

/** What is worth most first; last what nobody would pay for, as most spam. */
function byWorth(left: Position, right: Position): number {
  return compareDecimals(right.value ?? '0', left.value ?? '0');
}
