import { useCallback } from 'react';
import { useStream } from '../../data/stream.ts';
import { useUser } from '../../data/session.ts';
import { refreshCalls } from '../../data/use-api-query.ts';

/** Fetches again what a trade of the user changes, here or in another tab. Returns the same for use after an own trade. */
export function useOwnChanges(address: string): () => void {
  const refresh = useCallback(() => {
    void refreshCalls('getMyTokenAmount', 'getMyPositions', 'getMyAccount');
    // Of the chart's marks and of the list. All trades of the token come by the stream and are in no query.
    void refreshCalls('getTokenTransactionData');
  }, []);
  const me = useUser((user) => (user === null ? null : 'me'));
  useStream(
    'orders',
    me,
    ({ status, tokenContractAddress }) => {
      if (tokenContractAddress === address && status !== 'pending' && status !== 'sent') refresh();
    },
    refresh,
  );
  useStream('positions', me, ({ tokenContractAddresses }) => {
    if (tokenContractAddresses.includes(address)) refresh();
  });
  // SOL that arrives or leaves changes what can be spent, and nothing else on this page.
  useStream('balance', me, () => {
    void refreshCalls('getMyTokenAmount');
  });
  return refresh;
}
