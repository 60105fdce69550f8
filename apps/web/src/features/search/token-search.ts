// The search itself, without its looks: debounced, one request at a time, the newest keyword wins. A failure is logged
// and shows as an empty list.
import type { CallReply } from '@hunter/contract/calls';

export type FoundToken = CallReply<'getTokenList'>['lists'][number];

const SEARCH_DEBOUNCE_MS = 300;
export const SEARCH_PAGE = { pageNo: 1, pageSize: 15 } as const;

export type SearchState = {
  keyword: string;
  /** `empty`: nothing typed. `loading` begins with the first keystroke, so that the panel answers at once. */
  phase: 'empty' | 'loading' | 'done';
  tokens: readonly FoundToken[];
};

const EMPTY: SearchState = { keyword: '', phase: 'empty', tokens: [] };

export type TokenSearch = {
  state: () => SearchState;
  subscribe: (listener: () => void) => () => void;
  setKeyword: (keyword: string) => void;
  clear: () => void;
};

export function createTokenSearch(deps: {
  search: (keyword: string, signal: AbortSignal) => Promise<readonly FoundToken[]>;
  logError: (error: unknown) => void;
}): TokenSearch {
  const listeners = new Set<() => void>();
  let state = EMPTY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | null = null;

  function set(next: SearchState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function stop(): void {
    clearTimeout(timer);
    running?.abort();
    running = null;
  }

  async function run(keyword: string): Promise<void> {
    const own = new AbortController();
    running = own;
    let tokens: readonly FoundToken[] = [];
    try {
      tokens = await deps.search(keyword, own.signal);
    } catch (error) {
      if (!own.signal.aborted) deps.logError(error);
    }
    if (running !== own) return;
    running = null;
    set({ ...state, phase: 'done', tokens });
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setKeyword(keyword) {
      stop();
      const trimmed = keyword.trim();
      if (trimmed === '') return set({ ...EMPTY, keyword });
      set({ keyword, phase: 'loading', tokens: [] });
      timer = setTimeout(() => void run(trimmed), SEARCH_DEBOUNCE_MS);
    },
    clear() {
      stop();
      set(EMPTY);
    },
  };
}
