import { useCallback } from 'react';
import { useMyStream } from '../../data/stream.ts';
import { refreshCalls } from '../../data/use-api-query.ts';

/** Fetches again what a trade of the user changes, here or in another tab. Returns the same for use after an own trade. */
export function useOwnChanges(address: string): () => void {
  const refresh = useCallback(() => {
    void refreshCalls('getMyTokenAmount', 'getMyPositions', 'getMyAccount');
    // Of the chart's marks and of the list. All trades of the token come by the stream and are in no query.
    void refreshCalls('getTokenTransactionData');
  }, []);
  useMyStream(
    'orders',
    ({ status, tokenContractAddress }) => {
      if (tokenContractAddress === address && status !== 'pending' && status !== 'sent') refresh();
    },
    refresh,
  );
  useMyStream('positions', ({ tokenContractAddresses }) => {
    if (tokenContractAddresses.includes(address)) refresh();
  });
  // SOL that arrives or leaves changes what can be spent, and nothing else on this page.
  useMyStream('balance', () => {
    void refreshCalls('getMyTokenAmount');
  });
  return refresh;
}
