import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { Database } from '../platform/postgres.ts';
import { addWatchedAddresses, type WatchedAddress } from './watched-addresses.ts';

type Wallet = Pick<WatchedAddress, 'userId' | 'walletId' | 'walletAddress'>;

/**
 * Watches the token accounts that the wallet has by now. Only associated ones: any other may have been made by a stranger, who can
 * still take back what is in it. Answers those that were not watched before.
 */
export async function watchTokenAccounts(
  { database, rpc }: { database: Database; rpc: Pick<RpcClient, 'getTokenAccountsByOwner'> },
  { userId, walletId, walletAddress }: Wallet,
): Promise<WatchedAddress[]> {
  const lists = await Promise.all(
    [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(async (programId) => {
      const { value } = await rpc.getTokenAccountsByOwner(walletAddress, { programId });
      return value.filter(({ address, mint }) => address === associatedTokenAddress(walletAddress, mint, programId));
    }),
  );
  const rows = lists.flat().map(({ address }) => ({ address, userId, walletId, walletAddress }));
  return addWatchedAddresses(database, rows);
}
