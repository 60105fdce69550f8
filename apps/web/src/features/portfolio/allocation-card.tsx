import { Link } from '@tanstack/react-router';
import type { CallReply } from '@hunter/contract/calls';
import { roundParts } from '@hunter/domain/format/round-parts';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useMyStream } from '../../data/stream.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { TokenAvatar } from '../../ui/token-avatar.tsx';

type Portfolio = CallReply<'getMyPortfolio'>;
const views = ['token', 'place'] as const;
const REFRESH_MS = 20_000;

/** What the account consists of, and what trading has cost so far. */
export function AllocationCard() {
  const t = useT();
  const [view, setView] = useState<(typeof views)[number]>('token');
  const query = useApiQuery('getMyPortfolio', {}, { refetchIntervalMs: REFRESH_MS });
  const { data } = query;
  const refresh = () => void query.refetch();
  useMyStream('balance', refresh, refresh);
  return (
    <section className="card flex min-w-0 flex-col p-4 sm:p-5" aria-label={t('account.portfolio.allocation')}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2>{t('account.portfolio.allocation')}</h2>
        <SegmentedControl
          label={t('account.portfolio.allocation')}
          value={view}
          onChange={setView}
          options={views.map((key) => ({ key, label: t(`account.portfolio.views.${key}`) }))}
        />
      </div>
      {data ? (
        <>
          {/* Half a row shows that there are more; where nothing stands beside the card they have room. */}
          <ul
            className="h-[122px] overflow-y-auto scroll-thin max-lg:h-auto max-lg:max-h-[304px]"
            tabIndex={0}
            aria-label={t(`account.portfolio.views.${view}`)}
          >
            {view === 'token'
              ? wholeShares(data.tokens).map((row) => <TokenRow key={row.tokenContractAddress ?? 'SOL'} row={row} />)
              : wholeShares(data.places).map((row) => <PlaceRow key={row.bookId} row={row} />)}
          </ul>
          <Fees fees={data.fees} />
        </>
      ) : query.isError ? (
        <ErrorState
          height={208}
          title={t('account.portfolio.allocationFailed')}
          error={query.error}
          onRetry={refresh}
        />
      ) : (
        <Skeleton height={208} />
      )}
    </section>
  );
}

/** Shares as they are shown, rounded so that they add up to the whole. All are known, or none. */
function wholeShares<Part extends { share: string | null }>(parts: readonly Part[]): readonly Part[] {
  const shares = roundParts(
    parts.flatMap(({ share }) => share ?? []),
    '100',
  );
  return shares.length < parts.length ? parts : parts.map((part, index) => ({ ...part, share: shares[index]! }));
}

function TokenRow({ row }: { row: Portfolio['tokens'][number] }) {
  const name = (
    <>
      {row.tokenContractAddress === null ? <SolMark /> : <TokenAvatar src={row.tokenLogoUrl} size={22} />}
      <bdi className="truncate font-medium">{row.tokenSymbol}</bdi>
    </>
  );
  return (
    <Row value={row.value} share={row.share}>
      {row.tokenContractAddress === null ? (
        <span className="flex min-w-0 items-center gap-2">{name}</span>
      ) : (
        <Link
          to="/token/$tokenAddress"
          params={{ tokenAddress: row.tokenContractAddress }}
          search={{}}
          className="flex min-w-0 items-center gap-2 hover:text-accent-text"
        >
          {name}
        </Link>
      )}
    </Row>
  );
}

function PlaceRow({ row }: { row: Portfolio['places'][number] }) {
  const t = useT();
  const kind = <span className="shrink-0 text-xs text-faint">{t(`account.books.${row.bookKind}`)}</span>;
  return (
    <Row value={row.value} share={row.share}>
      {row.bookKind === 'personal' ? (
        <span className="truncate font-medium">{t('account.portfolio.personalWallet')}</span>
      ) : row.slug === null ? (
        <span className="flex min-w-0 items-baseline gap-2">
          <bdi className="truncate font-medium">{row.name}</bdi>
          {kind}
        </span>
      ) : (
        <Link
          to="/strategies/$slug"
          params={{ slug: row.slug }}
          className="flex min-w-0 items-baseline gap-2 hover:text-accent-text"
        >
          <bdi className="truncate font-medium">{row.name}</bdi>
          {kind}
        </Link>
      )}
    </Row>
  );
}

function Row({ value, share, children }: { value: string | null; share: string | null; children: ReactNode }) {
  return (
    <li className="relative flex items-center justify-between gap-3 py-[7px] text-sm">
      {children}
      <span className="flex shrink-0 items-baseline gap-3">
        <Sol value={value} />
        <Percent value={share} tone={false} className="inline-block min-w-16 text-right text-muted" />
      </span>
      <span
        aria-hidden="true"
        className="absolute bottom-0 left-0 h-[2px] rounded-full bg-accent/55"
        style={{ width: `${Math.min(100, Number(share ?? 0))}%` }}
      />
    </li>
  );
}

function SolMark() {
  return (
    <span
      aria-hidden="true"
      className="grid size-[22px] shrink-0 place-items-center rounded-full bg-hover text-xs font-bold text-accent-text"
    >
      ◎
    </span>
  );
}

function Fees({ fees }: { fees: Portfolio['fees'] }) {
  const t = useT();
  return (
    <div className="mt-3 border-t border-line pt-2" data-testid="fees">
      <KeyValue label={<span className="font-semibold text-text">{t('account.portfolio.fees')}</span>}>
        <Sol value={fees.total} className="font-semibold" />
      </KeyValue>
      <div className="grid grid-cols-3 gap-2 text-xs">
        {(['network', 'priority', 'venue'] as const).map((part) => (
          <span key={part} className="flex min-w-0 flex-col">
            <span className="truncate text-faint">{t(`account.portfolio.feeParts.${part}`)}</span>
            <Sol value={fees[part]} />
          </span>
        ))}
      </div>
    </div>
  );
}
