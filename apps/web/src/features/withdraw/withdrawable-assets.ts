import { useUser } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { SOL_ASSET } from './withdraw-form.ts';

export type WithdrawableAsset = { asset: string; symbol: string; available: string | null };

/** SOL, and the tokens of the personal wallet; what strategies and follows hold comes back by canceling. */
export function useWithdrawableAssets(): readonly WithdrawableAsset[] {
  const withdrawable = useUser((user) => user?.walletInfo?.withdrawable ?? null);
  const positions = useApiQuery('getMyPositions', { pageNo: 1, pageSize: 100 }, { quiet: true });
  const tokens = (positions.data?.lists ?? [])
    .filter((row) => row.bookKind === 'personal' && row.amount !== null)
    .map((row) => ({ asset: row.tokenContractAddress, symbol: row.tokenSymbol, available: row.amount }));
  return [{ asset: SOL_ASSET, symbol: SOL_ASSET, available: withdrawable }, ...tokens];
}
