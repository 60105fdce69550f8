import type { CallReply } from '@hunter/contract/calls';
import { useStream } from '../../data/stream.ts';
import { useApiQuery } from '../../data/use-api-query.ts';

export type TokenInfo = CallReply<'getTokenBaseInfo'>;

/** Counts and safety change slowly and are polled; price, market cap and the like come live with `useLivePrice`. */
const REFRESH_EVERY_MS = 15_000;

export function useTokenInfo(address: string) {
  const query = useApiQuery(
    'getTokenBaseInfo',
    { tokenContractAddress: address },
    { refetchIntervalMs: REFRESH_EVERY_MS, quiet: true },
  );
  useStream('price', address, noop, () => void query.refetch());
  return query;
}

function noop(): void {}
