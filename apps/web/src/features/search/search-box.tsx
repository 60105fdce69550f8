import { lazy, Suspense, useRef } from 'react';
import type { RefObject } from 'react';
import { loadAreas, useT } from '../../i18n/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CloseIcon, SearchIcon } from '../../ui/icons.tsx';
import { loadPatiently } from '../../ui/load-patiently.ts';
import { search, useSearchBox } from './use-search-box.ts';
import type { SearchBoxState } from './use-search-box.ts';

// Fetched when the pointer or the focus first comes near, so that no page pays for it.
const loadPanel = async () => {
  const [panel] = await Promise.all([import('./search-panel.tsx'), loadAreas(['search'])]);
  return panel;
};
const SearchPanel = lazy(() => loadPatiently(loadPanel));

export function SearchBox() {
  const t = useT();
  const root = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const box = useSearchBox(input);
  const { open, show, close } = box;

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
        onPointerEnter={() => void loadPanel().catch(() => {})}
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
        <SearchField input={input} box={box} />
        {open && (
          <Suspense fallback={null}>
            <SearchPanel box={box} />
          </Suspense>
        )}
      </div>
    </>
  );
}

function SearchField({ input, box }: { input: RefObject<HTMLInputElement | null>; box: SearchBoxState }) {
  const t = useT();
  const { id, state, open, active, setActive } = box;
  return (
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
        onFocus={box.show}
        onChange={(event) => {
          setActive(-1);
          search.setKeyword(event.target.value);
        }}
        onKeyDown={box.onKeyDown}
        className="h-full min-w-0 flex-1 bg-transparent text-ellipsis text-text outline-none placeholder:text-faint max-md:text-[16px]"
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
  );
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
