import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiFailure } from '../../data/api-failure.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { TrackButton } from '../../features/tracked-wallets/track-button.tsx';
import { WalletSimulatorCard } from '../../features/wallet-follow/wallet-simulator-card.tsx';
import { FollowWalletButton } from '../../features/wallet-follow/follow-wallet-button.tsx';
import { useT } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Explain } from '../../ui/explain.tsx';
import { ExplorerLink } from '../../ui/explorer-link.tsx';
import { InfoIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { shortAddress } from '../../ui/short-address.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { LaunchedTokens } from './launched-tokens.tsx';
import { WalletFigures } from './wallet-figures.tsx';
import { WalletHoldings } from './wallet-holdings.tsx';
import { WalletTrades } from './wallet-trades.tsx';
import type { Wallet } from './wallet.ts';

const REFRESH_MS = 15_000;
const route = getRouteApi('/wallet/$address');

export default function WalletPage() {
  const { address } = route.useParams();
  return <WalletView key={address} address={address} />;
}

/** Everything that trades and chain say about one wallet. */
export function WalletView({ address }: { address: string }) {
  const t = useT();
  const { data, error, isError, refetch } = useApiQuery('getWallet', { address }, { refetchIntervalMs: REFRESH_MS });
  const invalid = error instanceof ApiFailure && error.refusal === 'INVALID_INPUT';
  const name = data?.trackedAs ?? null;
  return (
    <Page
      title={<bdi className="break-words">{name ?? `${t('shell.titles.wallet')} ${shortAddress(address)}`}</bdi>}
      text={<Address address={address} full />}
      actions={
        <>
          <Link to="/traders" className={buttonClass('plain', 'm')}>
            {t('wallet.allTraders')}
          </Link>
          <ExplorerLink kind="address" id={address} className={buttonClass('ghost', 'm')}>
            {t('wallet.onChain')}
          </ExplorerLink>
          {data && <TrackButton address={address} name={name} />}
          {data && <FollowWalletButton address={address} name={name} />}
        </>
      }
    >
      {isError && !data ? (
        <div className="card">
          {invalid ? (
            <EmptyState height={320} text={t('wallet.invalid')} />
          ) : (
            <ErrorState height={320} title={t('wallet.loadFailed')} error={error} onRetry={() => void refetch()} />
          )}
        </div>
      ) : (
        <>
          <WalletFigures address={address} wallet={data}>
            {data && <Labels wallet={data} />}
          </WalletFigures>
          <WalletSimulatorCard address={address} />
          <Contents address={address} wallet={data} />
        </>
      )}
    </Page>
  );
}

function Labels({ wallet: { labels, firstSeen } }: { wallet: Wallet }) {
  const t = useT();
  const { strategy, pool, smartMoney, launched } = labels;
  return (
    <>
      {strategy && (
        <Link
          to="/strategies/$slug"
          params={{ slug: strategy.slug }}
          className="max-w-full rounded-full hover:brightness-110"
        >
          <Chip tone="accent">
            <bdi className="max-w-64 truncate">{t('wallet.labels.strategy', { name: strategy.name })}</bdi>
          </Chip>
        </Link>
      )}
      {pool && (
        <Link to="/token/$tokenAddress" params={{ tokenAddress: pool.tokenContractAddress }} className="rounded-full">
          <Chip>
            <bdi className="max-w-48 truncate">{t('wallet.labels.pool', { symbol: pool.tokenSymbol })}</bdi>
          </Chip>
        </Link>
      )}
      {smartMoney && (
        <Explain title={t('wallet.labels.smartMoney')} text={t('wallet.labels.smartMoneyHint')}>
          <button type="button" className="rounded-full">
            <Chip tone="gold">
              {t('wallet.labels.smartMoney')}
              <InfoIcon size={12} />
            </Chip>
          </button>
        </Explain>
      )}
      {launched.total > 0 && <Chip tone="warn">{t('wallet.labels.dev', { count: launched.total })}</Chip>}
      {firstSeen === null ? (
        <span>{t('wallet.neverSeen')}</span>
      ) : (
        <span>
          {t('wallet.firstSeen')} <RelativeTime timeMs={firstSeen} />
        </span>
      )}
    </>
  );
}

function Contents({ address, wallet }: { address: string; wallet: Wallet | undefined }) {
  const t = useT();
  const [tab, setTab] = useState<'holdings' | 'trades' | 'launched'>('holdings');
  const launched = wallet?.labels.launched;
  return (
    <section className="card overflow-hidden">
      <Tabs
        label={t('wallet.tabs.label')}
        value={tab}
        onChange={setTab}
        items={[
          { key: 'holdings', label: t('wallet.tabs.holdings'), content: <WalletHoldings address={address} /> },
          { key: 'trades', label: t('wallet.tabs.trades'), content: <WalletTrades address={address} /> },
          ...(launched && launched.total > 0
            ? [
                {
                  key: 'launched' as const,
                  label: t('wallet.tabs.launched'),
                  content: <LaunchedTokens launched={launched} />,
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}
