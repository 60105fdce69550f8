import type { CallReply } from '@hunter/contract/calls';
import { useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useAppConfig } from '../../data/app-config.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { SearchIcon } from '../../ui/icons.tsx';
import { Percent, Price } from '../../ui/numbers.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { TokenAvatar } from '../../ui/token-avatar.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';

export type FoundToken = CallReply<'getTokenList'>['lists'][number];

/** Finds a token and adds it. The list is part of the form, not a layer above it, so nothing below is ever covered. */
export function CoinSearch({
  exclude,
  disabled,
  onAdd,
}: {
  exclude: readonly string[];
  disabled: boolean;
  onAdd: (token: FoundToken) => void;
}) {
  const t = useT();
  const listId = useId();
  const { text, type, open, found, at, setActive, add, onKey, isSearching } = useCoinSearch(exclude, onAdd);
  return (
    <div className="flex flex-col gap-1.5">
      <TextInput
        role="combobox"
        aria-label={t('create.coins.search')}
        aria-expanded={open}
        aria-controls={listId}
        aria-activedescendant={found[at] ? `${listId}-${at}` : undefined}
        autoComplete="off"
        placeholder={t('create.coins.searchPlaceholder')}
        maxLength={100}
        value={text}
        disabled={disabled}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKey}
        before={<SearchIcon size={15} className="shrink-0 text-faint" />}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={t('create.coins.results')}
        className={classNames('flex flex-col rounded-m border border-line bg-bg p-1', !open && 'hidden')}
      >
        {found.map((token, index) => (
          <Option
            key={token.tokenContractAddress}
            id={`${listId}-${index}`}
            token={token}
            active={index === at}
            onActive={() => setActive(index)}
            onAdd={() => add(token)}
          />
        ))}
        {found.length === 0 && (
          <p className="px-2 py-1.5 text-sm text-muted" role="status">
            {isSearching ? t('create.coins.searching') : t('create.coins.none')}
          </p>
        )}
      </div>
    </div>
  );
}

/** What is typed, the tokens that match it, and which of them the keyboard is at. */
function useCoinSearch(exclude: readonly string[], onAdd: (token: FoundToken) => void) {
  const chainId = useAppConfig()?.chainId;
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const keyword = useDebounced(text.trim(), 300);
  const query = useApiQuery(
    'getTokenList',
    { keyword, pageNo: 1, pageSize: 15, ...(chainId ? { chainId } : {}) },
    { enabled: keyword !== '', quiet: true, keepPrevious: true },
  );
  const open = text.trim() !== '';
  const found = (open && keyword !== '' ? (query.data?.lists ?? []) : [])
    .filter((token) => !exclude.includes(token.tokenContractAddress))
    .slice(0, 6);
  const at = Math.min(active, Math.max(0, found.length - 1));

  function type(next: string): void {
    setText(next);
    setActive(0);
  }

  function add(token: FoundToken): void {
    onAdd(token);
    type('');
  }

  function onKey(event: KeyboardEvent): void {
    // These keys choose among the candidates of a Chinese word while one is composed.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setActive((at + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % Math.max(1, found.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const token = found[at];
      // What is listed may still be the answer to what was typed before.
      if (token && keyword === text.trim() && !query.isPlaceholderData) add(token);
    } else if (event.key === 'Escape' && open) {
      event.stopPropagation();
      setText('');
    }
  }

  return {
    text,
    type,
    open,
    found,
    at,
    setActive,
    add,
    onKey,
    isSearching: query.isFetching || keyword !== text.trim(),
  };
}

function Option({
  id,
  token,
  active,
  onActive,
  onAdd,
}: {
  id: string;
  token: FoundToken;
  active: boolean;
  onActive: () => void;
  onAdd: () => void;
}) {
  const t = useT();
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      aria-label={t('create.coins.add', { symbol: token.tokenSymbol })}
      className="flex cursor-pointer items-center gap-2.5 rounded-lg px-2 py-1.5 aria-selected:bg-hover"
      onPointerMove={onActive}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onAdd}
      data-testid="coin-option"
    >
      <TokenAvatar src={token.tokenLogoUrl} size={24} />
      <span className="min-w-0 flex-1 truncate">
        <bdi className="font-semibold">{token.tokenSymbol}</bdi>{' '}
        <bdi className="text-sm text-faint">{token.tokenName}</bdi>
      </span>
      <Price value={token.price} />
      <Percent value={token.change} className="w-20 text-right" />
    </div>
  );
}
