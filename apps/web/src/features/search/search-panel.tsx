import { Link } from '@tanstack/react-router';
import { isPriced } from '@hunter/domain/format/format-price';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useAppConfig } from '../../data/app-config.ts';
import { useStream } from '../../data/stream.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { useCloseOnBack } from '../../ui/close-on-back.ts';
import { SearchIcon } from '../../ui/icons.tsx';
import { ClockIcon, FlameIcon } from '../../ui/page-icons.tsx';
import { Count, Percent, Price, Usd } from '../../ui/numbers.tsx';
import { Ring } from '../../ui/ring.tsx';
import { shortAddress } from '../../ui/short-address.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TokenAvatar } from '../../ui/token-avatar.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import type { RecentToken } from './recent-searches.ts';
import type { FoundToken } from './token-search.ts';
import type { SearchBoxState } from './use-search-box.ts';

// One grid for head and rows: name takes what the figures leave.
const columns =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 sm:grid-cols-[minmax(0,1fr)_84px_72px_76px_76px_62px] sm:gap-x-2';

/** The hot list below the hint is short: it is a place to start, the token page shows all of it. */
const HOT_ROWS = 8;
/** Base58, 32 bytes. */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const NO_TOKENS: readonly FoundToken[] = [];

export default function SearchPanel({ box }: { box: Omit<SearchBoxState, 'open' | 'show' | 'onKeyDown'> }) {
  const { id, state, recent, choose, setHot, close } = box;
  const t = useT();
  // On a phone it lies over the page like a dialog.
  useCloseOnBack(useMediaQuery('(max-width: 767px)'), close);
  const typed = state.phase !== 'empty';
  const chainId = useAppConfig()?.chainId;
  const hot = useApiQuery(
    'getTokenHotList',
    { period: '1h', limit: HOT_ROWS, ...(chainId ? { chainId } : {}) },
    { enabled: !typed && chainId !== undefined, quiet: true, staleTimeMs: 15_000 },
  );
  const hotLoading = hot.isLoading;
  const hotTokens = hot.data?.lists ?? NO_TOKENS;
  useEffect(() => setHot(hotTokens), [setHot, hotTokens]);
  // A market that has just begun has none yet. Once there are some they stay, so that none moves under the pointer.
  const isWaiting = hot.isSuccess && hotTokens.length === 0;
  useStream('hot', isWaiting ? 'all' : null, () => void hot.refetch());
  const rows = typed ? state.tokens : hotTokens;
  return (
    <div
      className="absolute inset-x-0 top-full mt-2 max-h-[min(600px,calc(100dvh-5rem))] overflow-y-auto overscroll-contain rounded-xl border border-line-strong bg-raised shadow-pop scroll-thin"
      data-testid="search-panel"
      // A press inside must not take the focus from the input, or the panel would close under the pointer.
      onPointerDown={(event) => event.preventDefault()}
    >
      {!typed && (
        <>
          <Message icon={<SearchIcon size={16} />}>{t('search.hint')}</Message>
          {recent.length > 0 && <Recent tokens={recent} onChoose={choose} onForget={box.forgetRecent} />}
          {(hotLoading || rows.length > 0) && (
            <div className="border-t border-line px-3 pt-2.5">
              <SectionTitle icon={<FlameIcon size={14} />}>{t('search.hot')}</SectionTitle>
            </div>
          )}
          {hotLoading && <LoadingRows />}
        </>
      )}
      {state.phase === 'loading' && <Message icon={<Ring />}>{t('search.loading')}</Message>}
      {state.phase === 'done' && rows.length === 0 && (
        <>
          <Message icon={<SearchIcon size={16} />}>{t('search.none')}</Message>
          <WalletLink address={state.keyword.trim()} onOpen={close} />
        </>
      )}
      {rows.length > 0 && <ColumnHeads />}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t(typed ? 'search.results' : 'search.hot')}
        className={rows.length > 0 ? 'pb-1.5' : ''}
      >
        {rows.map((token, index) => (
          <Row
            key={token.tokenContractAddress}
            id={`${id}-${index}`}
            token={token}
            active={index === box.active}
            onActive={() => box.setActive(index)}
            onChoose={() => choose(token)}
          />
        ))}
      </div>
    </div>
  );
}

function Message({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p role="status" className="flex items-center justify-center gap-2 px-4 py-4 text-muted">
      {icon}
      {children}
    </p>
  );
}

/** What is no token but has the form of an address may be a wallet, which has a page of its own. */
function WalletLink({ address, onOpen }: { address: string; onOpen: () => void }) {
  const t = useT();
  if (!ADDRESS.test(address)) return null;
  return (
    <Link
      to="/wallet/$address"
      params={{ address }}
      className="mb-3 flex justify-center font-semibold text-accent-text hover:underline"
      onClick={onOpen}
    >
      {t('search.wallet', { address: shortAddress(address) })}
    </Link>
  );
}

function SectionTitle({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-center gap-1.5 text-xs font-[550] text-muted">
      {icon}
      {children}
    </div>
  );
}

function ColumnHeads() {
  const t = useT();
  const head = 'text-right';
  return (
    <div className={classNames(columns, 'sticky top-0 bg-raised px-3 pt-2.5 pb-1.5 text-xs text-faint max-sm:hidden')}>
      <span>{t('search.columns.name')}</span>
      <span className={head}>{t('search.columns.price')}</span>
      <span className={head}>{t('search.columns.change')}</span>
      <span className={head}>{t('search.columns.marketCap')}</span>
      <span className={head}>{t('search.columns.liquidity')}</span>
      <span className={head}>{t('search.columns.holders')}</span>
    </div>
  );
}

const UNKNOWN = { marketCap: null, liquidity: null, holders: null };

function Row({
  id,
  token,
  active,
  onActive,
  onChoose,
}: {
  id: string;
  token: FoundToken;
  active: boolean;
  onActive: () => void;
  onChoose: () => void;
}) {
  const t = useT();
  // Before its first trade is known, nothing else is known of a token.
  const { marketCap, liquidity, holders } = isPriced(token.price) ? token : UNKNOWN;
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      data-testid="search-row"
      data-address={token.tokenContractAddress}
      className={classNames(columns, 'cursor-pointer items-center px-3 py-2 text-right', active && 'bg-hover')}
      onPointerMove={active ? undefined : onActive}
      onClick={onChoose}
    >
      <span className="flex min-w-0 items-center gap-2.5 text-left">
        <TokenAvatar src={token.tokenLogoUrl} size={30} />
        {/* A token's name is anyone's text: isolated, so that it cannot turn its surroundings around. */}
        <span className="flex min-w-0 flex-col">
          <bdi className="truncate font-semibold">{token.tokenSymbol}</bdi>
          <bdi className="truncate text-xs text-faint">{token.tokenName}</bdi>
        </span>
      </span>
      <span className="flex flex-col sm:contents">
        <Price value={token.price} className="font-medium" />
        <Percent value={token.change} className="max-sm:text-xs" />
      </span>
      <span className="col-span-2 flex flex-wrap gap-x-3 pt-1 text-xs text-faint sm:contents">
        <Figure label={t('search.columns.marketCap')}>
          <Usd value={marketCap} />
        </Figure>
        <Figure label={t('search.columns.liquidity')}>
          <Usd value={liquidity} />
        </Figure>
        <Figure label={t('search.columns.holders')}>
          <Count value={holders} />
        </Figure>
      </span>
    </div>
  );
}

/** Named beside its value on a phone, where there are no column heads. */
function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="num sm:text-base sm:text-text">
      <span className="sm:hidden">{label} </span>
      {children}
    </span>
  );
}

function LoadingRows() {
  return (
    <div className="flex flex-col gap-3 px-3 py-3" aria-hidden="true">
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex items-center gap-2.5">
          <Skeleton width={30} height={30} className="rounded-full" />
          <Skeleton width="30%" />
          <Skeleton width="14%" className="ml-auto" />
          <Skeleton width="12%" />
        </div>
      ))}
    </div>
  );
}

function Recent({
  tokens,
  onChoose,
  onForget,
}: {
  tokens: readonly RecentToken[];
  onChoose: (token: RecentToken) => void;
  onForget: () => void;
}) {
  const t = useT();
  return (
    <div className="border-t border-line px-3 py-2.5">
      <SectionTitle icon={<ClockIcon size={14} />}>
        {t('search.recent')}
        <button type="button" className="ml-auto text-xs font-medium text-faint hover:text-text" onClick={onForget}>
          {t('search.forgetRecent')}
        </button>
      </SectionTitle>
      <div className="mt-2 flex flex-wrap gap-1.5">
        {tokens.map((token) => (
          <button
            key={token.tokenContractAddress}
            type="button"
            className="flex h-8 items-center gap-1.5 rounded-full border border-line pr-3 pl-1.5 font-medium hover:border-line-strong hover:bg-hover"
            onClick={() => onChoose(token)}
          >
            <TokenAvatar src={token.tokenLogoUrl} size={20} />
            <bdi className="max-w-32 truncate">{token.tokenSymbol}</bdi>
          </button>
        ))}
      </div>
    </div>
  );
}
