import type { CallReply } from '@hunter/contract/calls';
import { groupThousands } from '@hunter/domain/format/group-thousands';
import { readDecimal } from '@hunter/domain/numbers/decimal';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { verifyReserve } from '@hunter/verify/reserve-proof';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { session } from '../../data/session.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import { refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ExactAmount } from '../../ui/exact-amount.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Stat } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';

const REFRESH_MS = 60_000;
const WALLETS_PAGE = 50;

type Snapshot = NonNullable<CallReply<'getReserves'>['snapshot']>;
type T = ReturnType<typeof useT>;
type Wallet = CallReply<'getReserveWallets'>['lists'][number];
type OwnLeaf = CallReply<'getMyReserveProofs'>['lists'][number];
type Asset = { tokenContractAddress: string | null; tokenSymbol: string };

const walletKey = ({ address, tokenContractAddress }: Wallet): string => `${address} ${tokenContractAddress}`;

/** Open to visitors: what is owed and what is there is nobody's secret. */
export default function ReservesPage() {
  const t = useT();
  const { data, error, isPending, refetch } = useApiQuery('getReserves', {}, { refetchIntervalMs: REFRESH_MS });
  return (
    <Page title={t('reserves.title')} text={t('reserves.text')}>
      {data?.snapshot ? (
        <Reserves snapshot={data.snapshot} />
      ) : (
        <div className="card">
          {isPending ? (
            <Skeleton className="m-4 h-[280px]" />
          ) : error ? (
            <ErrorState height={320} title={t('reserves.loadFailed')} error={error} onRetry={() => void refetch()} />
          ) : (
            <EmptyState height={320} text={t('reserves.none')} />
          )}
        </div>
      )}
    </Page>
  );
}

function Reserves({ snapshot }: { snapshot: Snapshot }) {
  const t = useT();
  const roots = snapshot.assets.filter(({ root }) => root !== null);
  return (
    <div className="flex flex-col gap-4">
      <div className="card flex flex-wrap gap-x-10 gap-y-3 p-4">
        <Stat label={t('reserves.taken')}>
          <RelativeTime timeMs={snapshot.time} />
        </Stat>
        <Stat label={t('reserves.slot')}>{snapshot.slot}</Stat>
        <Stat label={t('reserves.inFlight')}>
          <span title={t('reserves.inFlightHint')}>{snapshot.inFlight.length}</span>
        </Stat>
      </div>
      <section className="card">
        <h2 className="p-4 pb-2">{t('reserves.assets')}</h2>
        <Table
          label={t('reserves.assets')}
          rows={snapshot.assets}
          rowKey={({ kind, tokenContractAddress }) => `${kind} ${tokenContractAddress}`}
          columns={assetColumns(t)}
        />
      </section>
      <OwnReserves snapshot={snapshot} />
      {roots.length > 0 && (
        <section className="card p-4" aria-label={t('reserves.root')}>
          <h2 className="pb-2">{t('reserves.root')}</h2>
          {roots.map(({ tokenSymbol, tokenContractAddress, root }) => (
            <p key={tokenContractAddress ?? 'SOL'} className="text-sm break-all text-muted">
              <bdi className="text-text">{tokenSymbol}</bdi> <span className="font-mono">{root}</span>
            </p>
          ))}
        </section>
      )}
      <Wallets key={snapshot.id} />
    </div>
  );
}

function AssetName({ tokenContractAddress, tokenSymbol }: Asset) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <bdi className="font-semibold">{tokenSymbol}</bdi>
      {tokenContractAddress !== null && <Address address={tokenContractAddress} className="text-xs text-faint" />}
    </span>
  );
}

function OwnReserves({ snapshot }: { snapshot: Snapshot }) {
  const t = useT();
  const user = session.store.getState().user;
  return (
    <section className="card">
      <div className="p-4 pb-2">
        <h2>{t('reserves.own.title')}</h2>
        <p className="mt-1 text-sm text-muted">{t('reserves.own.text')}</p>
      </div>
      {user ? (
        <OwnLeaves snapshot={snapshot} />
      ) : (
        <div className="px-4 pb-4">
          <Link to="/login" search={{ redirect: '/reserves' }} className={buttonClass('ghost', 's')}>
            {t('reserves.own.login')}
          </Link>
        </div>
      )}
    </section>
  );
}

/** The own leaves, each checked here against the root that everybody is shown: one that comes with its proof would prove nothing. */
function OwnLeaves({ snapshot }: { snapshot: Snapshot }) {
  const t = useT();
  const { data, error, isPending, refetch } = useApiQuery('getMyReserveProofs', {}, { quiet: true });
  const isAsked = useOfOneSnapshot(snapshot.id, data?.lists[0]?.snapshotId ?? snapshot.id);
  if (error) {
    return <ErrorState height={160} title={t('reserves.own.failed')} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Table
      label={t('reserves.own.title')}
      rows={isAsked ? [] : (data?.lists ?? [])}
      rowKey={({ bookId, tokenContractAddress }) => `${bookId} ${tokenContractAddress}`}
      loading={isPending || isAsked}
      skeletonRows={2}
      empty={<EmptyState height={120} text={t('reserves.own.none')} />}
      columns={ownColumns(t, snapshot)}
    />
  );
}

/** A snapshot may be taken between the two answers: then both are asked for again, once for each that differ. */
function useOfOneSnapshot(published: string, proven: string): boolean {
  const pair = `${published} ${proven}`;
  const [asked, setAsked] = useState('');
  const isAsked = published !== proven && asked !== pair;
  useEffect(() => {
    if (isAsked) void refreshCalls('getReserves', 'getMyReserveProofs').finally(() => setAsked(pair));
  }, [isAsked, pair]);
  return isAsked;
}

function isPublished(leaf: OwnLeaf, { id, assets }: Snapshot): boolean {
  const { tokenContractAddress: mint, snapshotId } = leaf;
  const published = assets.find(
    ({ kind, tokenContractAddress }) => kind === 'strategy' && tokenContractAddress === mint,
  );
  if (snapshotId !== id || !published || published.root === null || published.sum === null) return false;
  return (
    isAsShown(leaf) && verifyReserve({ ...leaf, asset: mint ?? 'SOL' }, { root: published.root, sum: published.sum }).ok
  );
}

/** What is found is the amount beside it; of tokens only the product says how many decimals they have. */
function isAsShown({ tokenContractAddress: mint, amount, shownAmount }: OwnLeaf): boolean {
  const shown = readDecimal(shownAmount ?? '', SOL_DECIMALS);
  return mint !== null || (shown.ok && shown.raw.toString() === amount);
}

function Wallets() {
  const t = useT();
  const list = useApiPages('getReserveWallets', { limit: WALLETS_PAGE }, { rowKey: walletKey });
  return (
    <section className="card">
      <h2 className="p-4 pb-2">{t('reserves.wallets')}</h2>
      {list.error ? (
        <ErrorState height={160} title={t('reserves.walletsFailed')} error={list.error} onRetry={list.retry} />
      ) : (
        <PagedTable
          label={t('reserves.wallets')}
          list={list}
          rowKey={walletKey}
          empty={<EmptyState height={120} text={t('reserves.noWallets')} />}
          columns={walletColumns(t)}
        />
      )}
    </section>
  );
}

function assetColumns(t: T): readonly Column<Snapshot['assets'][number]>[] {
  return [
    {
      key: 'asset',
      header: t('reserves.asset'),
      align: 'start',
      cell: (row) => (
        <>
          <AssetName {...row} />
          <span className="block text-xs text-muted sm:hidden">{t(`reserves.${row.kind}`)}</span>
        </>
      ),
    },
    {
      key: 'kind',
      header: t('reserves.wallets'),
      align: 'start',
      from: 'sm',
      cell: (row) => t(`reserves.${row.kind}`),
    },
    { key: 'owed', header: t('reserves.owed'), cell: (row) => <ExactAmount value={row.owed} /> },
    { key: 'onChain', header: t('reserves.onChain'), from: 'sm', cell: (row) => <ExactAmount value={row.onChain} /> },
    {
      key: 'unassigned',
      header: t('reserves.unassigned'),
      from: 'md',
      cell: (row) => <ExactAmount value={row.unassigned} />,
    },
    {
      key: 'state',
      header: t('reserves.state'),
      cell: (row) =>
        row.covered ? (
          <span className="text-up">
            {t('reserves.covered')}
            {row.inTransit !== null && row.inTransit !== '0' && (
              <span className="ml-auto block max-w-20 text-xs break-words whitespace-normal text-muted">
                {t('reserves.withTransit', { amount: groupThousands(row.inTransit) })}
              </span>
            )}
          </span>
        ) : (
          <span className="text-down">{t('reserves.short')}</span>
        ),
    },
  ];
}

function ownColumns(t: T, snapshot: Snapshot): readonly Column<OwnLeaf>[] {
  return [
    { key: 'name', header: t('reserves.own.name'), align: 'start', cell: (row) => <bdi>{row.bookName}</bdi> },
    { key: 'asset', header: t('reserves.asset'), align: 'start', cell: (row) => <AssetName {...row} /> },
    { key: 'amount', header: t('reserves.own.amount'), cell: (row) => <ExactAmount value={row.shownAmount} /> },
    {
      key: 'result',
      header: t('reserves.own.result'),
      cell: (row) =>
        isPublished(row, snapshot) ? (
          <span className="text-up">{t('reserves.own.found')}</span>
        ) : (
          <span className="text-down">{t('reserves.own.notFound')}</span>
        ),
    },
  ];
}

function walletColumns(t: T): readonly Column<Wallet>[] {
  return [
    {
      key: 'address',
      header: t('reserves.address'),
      align: 'start',
      cell: (row) => <Address address={row.address} />,
    },
    {
      key: 'kind',
      header: t('reserves.kind'),
      align: 'start',
      from: 'sm',
      cell: (row) => t(`reserves.${row.kind}`),
    },
    { key: 'asset', header: t('reserves.asset'), align: 'start', cell: (row) => <bdi>{row.tokenSymbol}</bdi> },
    { key: 'owed', header: t('reserves.owed'), cell: (row) => <ExactAmount value={row.owed} /> },
    { key: 'onChain', header: t('reserves.onChain'), cell: (row) => <ExactAmount value={row.onChain} /> },
  ];
}
