import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../data/api.ts';
import { liveClock } from '../../live-clock.ts';
import { stream } from '../../data/stream.ts';
import { TRADES_KEPT_MAX, withTrades } from './trade-list.ts';
import type { TokenTrade } from './trade-list.ts';

const PAGE = 50;

export type LiveTrades = {
  trades: readonly TokenTrade[];
  loading: boolean;
  /** Why the newest page is not there. Trades that happen now do not make up for it. */
  error: unknown;
  /** New trades that wait because the list is paused. */
  waiting: number;
  loadOlder: () => void;
  retry: () => void;
};

/**
 * The trades of a token: the newest page, older ones on demand, and those that happen now. `paused` holds the new ones
 * back. For one token only: another one needs a component of its own (a key).
 */
export function useLiveTrades(address: string, paused: boolean): LiveTrades {
  const [state, setState] = useState<{ trades: readonly TokenTrade[]; loading: boolean; error: unknown }>({
    trades: [],
    loading: true,
    error: null,
  });
  const [waiting, setWaiting] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const pausedNow = useRef(paused);
  const flushNow = useRef<() => void>(() => {});
  const older = useRef<{ cursor: string | null; busy: boolean }>({ cursor: null, busy: false });

  useEffect(() => {
    const abort = new AbortController();
    let arrived: TokenTrade[] = [];
    let callOff: () => void = () => {};
    let isLoaded = false;

    const flush = () => {
      if (pausedNow.current) return setWaiting(arrived.length);
      const added = arrived;
      arrived = [];
      setWaiting(0);
      if (added.length > 0) setState((before) => ({ ...before, trades: withTrades(before.trades, added) }));
    };
    flushNow.current = flush;

    const loadNewest = async () => {
      try {
        const reply = await api.call(
          'getTokenTransactionData',
          { tokenContractAddress: address, limit: PAGE },
          { signal: abort.signal, quiet: true },
        );
        older.current.cursor ??= reply.nextCursor;
        isLoaded = true;
        setState((before) => ({ trades: withTrades(before.trades, reply.lists), loading: false, error: null }));
      } catch (error) {
        if (!abort.signal.aborted && !isLoaded) setState((before) => ({ ...before, loading: false, error }));
      }
    };
    void loadNewest();
    const leave = stream.subscribe('trades', address, {
      onData: (trades) => {
        arrived.push(...trades);
        if (arrived.length > TRADES_KEPT_MAX) arrived = arrived.slice(-TRADES_KEPT_MAX);
        callOff = liveClock.atNext('trades', flush);
      },
      onGap: () => void loadNewest(),
    });
    return () => {
      abort.abort();
      leave();
      callOff();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the attempt counts retries, each of which starts anew.
  }, [address, attempt]);

  useEffect(() => {
    pausedNow.current = paused;
    if (!paused) flushNow.current();
  }, [paused]);

  const loadOlder = useCallback(() => {
    const { cursor, busy } = older.current;
    if (cursor === null || busy) return;
    older.current.busy = true;
    api
      .call('getTokenTransactionData', { tokenContractAddress: address, limit: PAGE, cursor }, { quiet: true })
      .then((reply) => {
        older.current = { cursor: reply.nextCursor, busy: false };
        setState((before) => ({ ...before, trades: withTrades(before.trades, reply.lists) }));
      })
      .catch(() => {
        // Scrolling there again asks again.
        older.current.busy = false;
      });
  }, [address]);

  const retry = useCallback(() => {
    setState({ trades: [], loading: true, error: null });
    setAttempt((count) => count + 1);
  }, []);

  return { ...state, waiting, loadOlder, retry };
}
