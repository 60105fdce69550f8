import { useCallback, useEffect, useRef, useState } from 'react';
import type { Dispatch, RefObject, SetStateAction } from 'react';
import { api } from '../../data/api.ts';
import { liveClock } from '../../live-clock.ts';
import { stream } from '../../data/stream.ts';
import { notBefore, TRADES_KEPT_MAX, withNewest, withOlder, withTrades } from './trade-list.ts';
import type { TokenTrade, TradeList } from './trade-list.ts';

const PAGE = 50;
const CATCH_UP_AGAIN_MS = 3_000;

type LiveTrades = {
  trades: readonly TokenTrade[];
  loading: boolean;
  /** Why the newest page is not there. Trades that happen now do not make up for it. */
  error: unknown;
  /** New trades that wait because the list is paused. */
  waiting: number;
  loadOlder: () => void;
  retry: () => void;
};

type State = TradeList & { loading: boolean; error: unknown };
const empty: State = { trades: [], cursor: null, loading: true, error: null };

/**
 * The trades of a token: the newest page, older ones on demand, and those that happen now. `paused` holds the new ones
 * back and counts them; a list that is not seen takes them when it is. For one token only: another one needs a component of its
 * own (a key).
 */
export function useLiveTrades(address: string, { paused, isSeen }: { paused: boolean; isSeen: boolean }): LiveTrades {
  const [state, setState] = useState<State>(empty);
  const [waiting, setWaiting] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const now = useRef({ paused, isSeen });
  const flushNow = useRef<() => void>(() => {});
  const loadOlder = useLoadOlder(address, state.cursor, setState);

  useEffect(() => {
    const feed = followTrades(address, now, setState, setWaiting);
    flushNow.current = feed.flush;
    return feed.leave;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the attempt counts retries, each of which starts anew.
  }, [address, attempt]);

  useEffect(() => {
    now.current = { paused, isSeen };
    flushNow.current();
  }, [paused, isSeen]);

  const retry = useCallback(() => {
    setState(empty);
    setAttempt((count) => count + 1);
  }, []);

  const { trades, loading, error } = state;
  return { trades, loading, error, waiting, loadOlder, retry };
}

/** Asks for the newest page, again after a gap, and adds what happens since. `flush` shows what was held back. */
function followTrades(
  address: string,
  now: RefObject<{ paused: boolean; isSeen: boolean }>,
  setState: Dispatch<SetStateAction<State>>,
  setWaiting: (waiting: number) => void,
): { flush: () => void; leave: () => void } {
  const abort = new AbortController();
  let arrived: TokenTrade[] = [];
  let isLoaded = false;
  // What happens now waits for the newest page: added before it, it would hide what was missed in between.
  let isBehind = true;
  let asked = 0;
  let again: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    if (abort.signal.aborted || isBehind || !now.current.isSeen) return;
    if (now.current.paused) return setWaiting(arrived.length);
    const added = arrived.splice(0);
    setWaiting(0);
    if (added.length > 0) setState((before) => ({ ...before, trades: withTrades(before.trades, added) }));
  };

  const loadNewest = async () => {
    isBehind = true;
    clearTimeout(again);
    asked += 1;
    const turn = asked;
    try {
      const page = await api.call(
        'getTokenTransactionData',
        { tokenContractAddress: address, limit: PAGE },
        { signal: abort.signal, quiet: true },
      );
      if (turn !== asked) return;
      isLoaded = true;
      isBehind = false;
      arrived = notBefore(arrived, page);
      setState((before) => ({ ...withNewest(before, page), loading: false, error: null }));
      flush();
    } catch (error) {
      if (abort.signal.aborted || turn !== asked) return;
      if (isLoaded) again = setTimeout(() => void loadNewest(), CATCH_UP_AGAIN_MS);
      else setState((before) => ({ ...before, loading: false, error }));
    }
  };
  void loadNewest();
  const unsubscribe = stream.subscribe('trades', address, {
    onData: (trades) => {
      arrived.push(...trades);
      if (arrived.length > TRADES_KEPT_MAX) arrived = arrived.slice(-TRADES_KEPT_MAX);
      liveClock.atNext('trades', flush);
    },
    onGap: () => void loadNewest(),
  });
  return {
    flush,
    leave: () => {
      abort.abort();
      clearTimeout(again);
      unsubscribe();
    },
  };
}

/** The page before the oldest trade; asked for once at a time. */
function useLoadOlder(address: string, cursor: State['cursor'], setState: Dispatch<SetStateAction<State>>): () => void {
  const isLoading = useRef(false);
  const cursorNow = useRef(cursor);
  useEffect(() => {
    cursorNow.current = cursor;
  });
  return useCallback(() => {
    const cursor = cursorNow.current;
    if (cursor === null || isLoading.current) return;
    isLoading.current = true;
    api
      .call('getTokenTransactionData', { tokenContractAddress: address, limit: PAGE, cursor }, { quiet: true })
      .then((page) => setState((before) => ({ ...before, ...withOlder(before, cursor, page) })))
      .catch(() => {
        // Scrolling there again asks again.
      })
      .finally(() => {
        isLoading.current = false;
      });
  }, [address, setState]);
}
