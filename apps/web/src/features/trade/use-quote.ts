import type { CallReply, CallRequest } from '@hunter/contract/calls';
import { useEffect, useState } from 'react';
import { useApiQuery } from '../../data/use-api-query.ts';
import { isAmount } from './trade-amounts.ts';

export type Quote = CallReply<'quote'>;

const DEBOUNCE_MS = 250;
/** Quotes are good for ten seconds; a new one comes before that. */
const REFRESH_EVERY_MS = 8_000;

export type QuoteState = {
  /** The quote for exactly these inputs, or the one before it while `fresh` is false. */
  quote: Quote | null;
  fresh: boolean;
  loading: boolean;
  error: unknown;
  refreshInSeconds: number | null;
};

/** A live quote. Changing an input cancels the one on its way; what is shown meanwhile is marked as not fresh. */
export function useQuote(request: CallRequest<'quote'> | null): QuoteState {
  const key = JSON.stringify(request);
  const [settled, setSettled] = useState<{ key: string; request: CallRequest<'quote'> | null }>({ key, request });
  useEffect(() => {
    if (settled.key === key) return undefined;
    const timer = setTimeout(() => setSettled({ key, request }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
    // The key stands for the request, which is a new object with every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, settled.key]);

  const asked = settled.request;
  const enabled = asked !== null && isAmount(asked.amount);
  const query = useApiQuery('quote', asked ?? { tokenContractAddress: '', side: 'buy', amount: '0' }, {
    enabled,
    refetchIntervalMs: REFRESH_EVERY_MS,
    staleTimeMs: 0,
    keepPrevious: true,
    quiet: true,
  });
  const now = useSecondClock(enabled);
  const wanted = request !== null && isAmount(request.amount);
  const usable = wanted && query.data && query.data.side === request.side && !query.isError;
  const upToDate = settled.key === key && !query.isPlaceholderData;
  return {
    quote: usable ? query.data : null,
    fresh: upToDate && query.data !== undefined && query.data.expiresAt > now - REFRESH_EVERY_MS,
    loading: wanted && (query.isFetching || !upToDate),
    error: wanted && upToDate ? query.error : null,
    refreshInSeconds:
      enabled && query.dataUpdatedAt > 0
        ? Math.max(0, Math.ceil((query.dataUpdatedAt + REFRESH_EVERY_MS - now) / 1_000))
        : null,
  };
}

function useSecondClock(running: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
