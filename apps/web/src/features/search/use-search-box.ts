import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useId, useState, useSyncExternalStore } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { flushSync } from 'react-dom';
import { api } from '../../data/api.ts';
import { loadChainId } from '../../data/app-config.ts';
import { useUser } from '../../data/session.ts';
import { browserStorage } from '../../ui/browser-storage.ts';
import { isForPage } from '../../ui/is-for-page.ts';
import { readRecent, withRecent, writeRecent } from './recent-searches.ts';
import type { RecentToken } from './recent-searches.ts';
import { createTokenSearch, SEARCH_PAGE } from './token-search.ts';
import type { FoundToken } from './token-search.ts';

export const search = createTokenSearch({
  search: async (keyword, signal) => {
    const chainId = await loadChainId();
    const reply = await api.call(
      'getTokenList',
      { keyword, chainId, ...SEARCH_PAGE },
      { signal, skipErrorHandling: true },
    );
    return reply.lists;
  },
  logError: (error) => console.error('The token search failed', error),
});

export type SearchBoxState = ReturnType<typeof useSearchBox>;

/** What the box does: open and close, move through the rows, choose one and remember it. */
export function useSearchBox(input: RefObject<HTMLInputElement | null>) {
  const id = useId();
  const navigate = useNavigate();
  const state = useSyncExternalStore(search.subscribe, search.state);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [recent, keepRecent] = useRecent();

  const typed = state.phase !== 'empty';
  // The hot tokens come from the panel, which shows them; the keyboard moves through whatever is listed.
  const [hot, setHot] = useState<readonly FoundToken[]>([]);
  const rows = typed ? state.tokens : hot;

  const show = useCallback(() => {
    // On a phone the box is displayed only while it is open, and what is not displayed takes no focus.
    flushSync(() => setOpen(true));
    input.current?.focus();
  }, [input]);

  useSlashKey(show);

  useEffect(() => {
    if (active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, id]);

  function close(): void {
    setOpen(false);
    setActive(-1);
    search.clear();
    input.current?.blur();
  }

  function choose(token: RecentToken): void {
    keepRecent(withRecent(recent, token));
    close();
    void navigate({ to: '/token/$tokenAddress', params: { tokenAddress: token.tokenContractAddress } });
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Enter and Escape end the composition of a Chinese word, not the search.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setActive(rowAfter(active, event.key === 'ArrowDown' ? 1 : -1, rows.length));
    } else if (event.key === 'Enter') {
      // Enter without a choice takes the best match of what was typed.
      const row = rows[active] ?? (typed ? rows[0] : undefined);
      if (!row) return;
      event.preventDefault();
      choose(row);
    }
  }

  function forgetRecent(): void {
    keepRecent([]);
    input.current?.focus();
  }

  return { id, state, open, show, close, active, setActive, setHot, recent, choose, forgetRecent, onKeyDown };
}

/** What this account has opened from the box in this browser. */
function useRecent(): [readonly RecentToken[], (next: readonly RecentToken[]) => void] {
  const account = useUser((user) => user?.email ?? 'visitor');
  const [recent, setRecent] = useState(() => readRecent(browserStorage, account));
  const [recentOf, setRecentOf] = useState(account);
  if (recentOf !== account) {
    setRecentOf(account);
    setRecent(readRecent(browserStorage, account));
  }
  function keep(next: readonly RecentToken[]): void {
    setRecent(next);
    writeRecent(browserStorage, account, next);
  }
  return [recent, keep];
}

/** The keyboard moves around the ends of the list. */
function rowAfter(active: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1;
  return active < 0 ? (step > 0 ? 0 : count - 1) : (active + step + count) % count;
}

function useSlashKey(onSlash: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !isForPage(event)) return;
      event.preventDefault();
      onSlash();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onSlash]);
}
