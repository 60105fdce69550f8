import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { flushSync } from 'react-dom';
import { api } from '../../data/api.ts';
import { loadChainId } from '../../data/app-config.ts';
import { browserStorage } from '../../ui/browser-storage.ts';
import { loadAreas, useT } from '../../i18n/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CloseIcon, SearchIcon } from '../../ui/icons.tsx';
import { isForPage } from '../../ui/is-for-page.ts';
import { readRecent, withRecent, writeRecent } from './recent-searches.ts';
import type { RecentToken } from './recent-searches.ts';
import { createTokenSearch, SEARCH_PAGE } from './token-search.ts';
import type { FoundToken } from './token-search.ts';

const search = createTokenSearch({
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

// Fetched when the pointer or the focus first comes near, so that no page pays for it.
const loadPanel = async () => {
  const [panel] = await Promise.all([import('./search-panel.tsx'), loadAreas(['search'])]);
  return panel;
};
const SearchPanel = lazy(loadPanel);

export function SearchBox() {
  const t = useT();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { state, open, show, close, active, setActive, setHot, recent, choose, forgetRecent, onKeyDown } = useSearchBox(
    id,
    input,
  );

  return (
    <>
      <IconButton label={t('shell.search.open')} className="md:hidden" onClick={show}>
        <SearchIcon />
      </IconButton>
      {open && <Backdrop onPress={close} />}
      <div
        ref={root}
        role="search"
        data-testid="search"
        onPointerEnter={() => void loadPanel()}
        onBlur={(event) => {
          if (event.relatedTarget && !root.current?.contains(event.relatedTarget)) close();
        }}
        className={classNames(
          'z-20 md:block lg:relative',
          // Where the header has no room for it, the open box lies over what stands before it.
          open
            ? 'max-md:fixed max-md:inset-x-2 max-md:top-2 md:max-lg:fixed md:max-lg:top-[10px] md:max-lg:left-2 lg:max-[1340px]:ml-[calc(100vw-1340px)]'
            : 'max-md:hidden',
        )}
      >
        <div
          className={classNames(
            'flex h-[34px] items-center gap-2 rounded-[9px] border bg-bg px-[11px] text-faint transition-[width,border-color] duration-150 max-md:h-11 max-md:w-full',
            open ? 'border-accent ring-3 ring-accent-soft md:w-[600px]' : 'border-line md:w-[250px] xl:w-[320px]',
          )}
          data-testid="search-field"
        >
          <SearchIcon size={16} className="shrink-0" />
          <input
            ref={input}
            role="combobox"
            aria-label={t('shell.search.label')}
            aria-expanded={open}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder={t('shell.search.placeholder')}
            value={state.keyword}
            maxLength={100}
            onFocus={show}
            onChange={(event) => {
              setActive(-1);
              search.setKeyword(event.target.value);
            }}
            onKeyDown={onKeyDown}
            className="h-full min-w-0 flex-1 bg-transparent text-text outline-none placeholder:text-faint max-md:text-[16px]"
          />
          {state.keyword !== '' && (
            <ClearButton
              onClear={() => {
                setActive(-1);
                search.clear();
                input.current?.focus();
              }}
            />
          )}
          {!open && (
            <kbd className="rounded border border-line-strong px-1.5 font-sans text-2xs leading-4 text-faint pointer-coarse:hidden">
              /
            </kbd>
          )}
        </div>
        {open && (
          <Suspense fallback={null}>
            <SearchPanel
              id={id}
              state={state}
              active={active}
              onActive={setActive}
              onHot={setHot}
              recent={recent}
              onChoose={choose}
              onForgetRecent={forgetRecent}
              onBack={close}
            />
          </Suspense>
        )}
      </div>
    </>
  );
}

/** What the box does: open and close, move through the rows, choose one and remember it. */
function useSearchBox(id: string, input: RefObject<HTMLInputElement | null>) {
  const navigate = useNavigate();
  const state = useSyncExternalStore(search.subscribe, search.state);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [recent, setRecent] = useState<readonly RecentToken[]>(() => readRecent(browserStorage));

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
    const next = withRecent(recent, token);
    setRecent(next);
    writeRecent(browserStorage, next);
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
    setRecent([]);
    writeRecent(browserStorage, []);
    input.current?.focus();
  }

  return { state, open, show, close, active, setActive, setHot, recent, choose, forgetRecent, onKeyDown };
}

function Backdrop({ onPress }: { onPress: () => void }) {
  return (
    <div
      className="fixed inset-0 z-10 bg-veil"
      data-testid="search-backdrop"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.preventDefault();
        onPress();
      }}
    />
  );
}

function ClearButton({ onClear }: { onClear: () => void }) {
  const t = useT();
  return (
    <button
      type="button"
      aria-label={t('shell.search.clear')}
      title={t('shell.search.clear')}
      className="grid size-[24px] shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-text pointer-coarse:size-9"
      onClick={onClear}
    >
      <CloseIcon size={14} />
    </button>
  );
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
