import type { CallReply, CallRequest } from '@hunter/contract/calls';
import { useEffect, useRef, useState } from 'react';
import { useApiQuery } from '../../data/use-api-query.ts';
import { isAmount } from './trade-amounts.ts';

export type Quote = CallReply<'quote'>;

const DEBOUNCE_MS = 250;
/** Quotes are good for ten seconds; a new one comes before that. */
const REFRESH_EVERY_MS = 8_000;
/** With time for the new one to arrive. */
const VALID_MS = 12_000;

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
  const { refetch } = query;
  const now = useSecondClock(enabled, refetch);
  const wanted = request !== null && isAmount(request.amount);
  const usable = wanted && query.data && query.data.side === request.side && !query.isError;
  const upToDate = settled.key === key && !query.isPlaceholderData;
  return {
    quote: usable ? query.data : null,
    // By this computer's clock alone: the server's may differ, and a tab that slept has no quote of this moment.
    fresh: upToDate && query.data !== undefined && now - query.dataUpdatedAt < VALID_MS,
    loading: wanted && (query.isFetching || !upToDate),
    error: wanted && upToDate ? query.error : null,
    refreshInSeconds:
      enabled && query.dataUpdatedAt > 0
        ? Math.max(0, Math.ceil((query.dataUpdatedAt + REFRESH_EVERY_MS - now) / 1_000))
        : null,
  };
}

/** The time by the second. Timers sleep in a hidden tab: when it is seen again, the time is right at once and `onSeen` is called. */
function useSecondClock(running: boolean, onSeen: () => unknown): number {
  const [now, setNow] = useState(() => Date.now());
  const latest = useRef(onSeen);
  useEffect(() => {
    latest.current = onSeen;
  });
  useEffect(() => {
    if (!running) return undefined;
    const tick = () => setNow(Date.now());
    const seen = () => {
      if (document.visibilityState !== 'visible') return;
      tick();
      void latest.current();
    };
    const timer = setInterval(tick, 1_000);
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [running]);
  return now;
}
