import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiFailure } from '../../data/api-failure.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { ChainToken } from '../../ui/chain-token.tsx';
import { Chip } from '../../ui/chip.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { copyAddress } from '../../ui/copy-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ExactAmount } from '../../ui/exact-amount.tsx';
import { Page } from '../../ui/page.tsx';
import { shortAddress } from '../../ui/short-address.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { HeldTokens } from './held-tokens.tsx';
import { Signatures } from './signatures.tsx';
import type { ChainAddress } from './chain-address.ts';

const REFRESH_MS = 15_000;
const route = getRouteApi('/address/$address');

export default function AddressPage() {
  const { address } = route.useParams();
  return <AddressView key={address} address={address} />;
}

export function AddressView({ address }: { address: string }) {
  const t = useT();
  const { data, error, isError, refetch } = useApiQuery(
    'getChainAddress',
    { address },
    { refetchIntervalMs: REFRESH_MS },
  );
  const invalid = error instanceof ApiFailure && error.refusal === 'INVALID_INPUT';
  return (
    <Page
      title={t('shell.titles.address')}
      text={
        <span className="inline-flex min-w-0 items-center gap-1">
          <span className="font-mono text-sm break-all">{address}</span>
          <CopyButton
            label={t('ui.copyAddress', { address: shortAddress(address) })}
            onCopy={() => copyAddress(address)}
          />
        </span>
      }
      actions={data && <Ways address={data} />}
    >
      {isError && !data ? (
        <div className="card">
          {invalid ? (
            <EmptyState height={320} text={t('chain.address.invalid')} />
          ) : (
            <ErrorState
              height={320}
              title={t('chain.address.loadFailed')}
              error={error}
              onRetry={() => void refetch()}
            />
          )}
        </div>
      ) : (
        <>
          <section className="card mb-3.5 px-4 py-3 sm:px-5" aria-label={t('shell.titles.address')}>
            {data ? (
              // A value stays near its name on a wide screen.
              <div className="grid items-start lg:grid-cols-2 lg:gap-x-12 lg:[&>p]:col-span-full">
                <Summary address={data} />
              </div>
            ) : (
              <Skeleton height={60} />
            )}
          </section>
          {data && data.tokens.length > 0 && <HeldTokens tokens={data.tokens} />}
          <Signatures address={address} />
        </>
      )}
    </Page>
  );
}

function Ways({ address: { address, kind, mint } }: { address: ChainAddress }) {
  const t = useT();
  if (kind === 'wallet' || kind === 'none') {
    return (
      <Link to="/wallet/$address" params={{ address }} className={buttonClass('ghost', 'm')}>
        {t('chain.address.walletPage')}
      </Link>
    );
  }
  return mint?.tokenSymbol ? (
    <Link to="/token/$tokenAddress" params={{ tokenAddress: address }} className={buttonClass('ghost', 'm')}>
      {t('chain.address.tokenPage')}
    </Link>
  ) : null;
}

function Summary({ address: found }: { address: ChainAddress }) {
  const t = useT();
  const { kind, sol, program, programName, tokenAccount, mint, poolOf } = found;
  const authority = (holder: string | null): ReactNode =>
    holder === null ? t('chain.address.revoked') : <Address address={holder} />;
  return (
    <>
      <KeyValue label={t('chain.address.kind')}>
        <Chip>{t(`chain.address.kinds.${kind}`)}</Chip>
      </KeyValue>
      {kind === 'none' && <p className="py-1.5 text-sm text-muted">{t('chain.address.none')}</p>}
      {programName !== null && <KeyValue label={t('chain.address.programName')}>{programName}</KeyValue>}
      <KeyValue label={t('chain.address.sol')}>
        <ExactAmount value={sol} unit="SOL" />
      </KeyValue>
      {poolOf && (
        <KeyValue label={t('chain.address.pool')}>
          <ChainToken token={poolOf} />
        </KeyValue>
      )}
      {tokenAccount && (
        <>
          <KeyValue label={t('chain.address.token')}>
            <ChainToken token={tokenAccount} />
          </KeyValue>
          <KeyValue label={t('chain.address.owner')}>
            <Address address={tokenAccount.owner} />
          </KeyValue>
          <KeyValue label={t('chain.address.amount')}>
            <ExactAmount value={tokenAccount.amount} />
            {tokenAccount.frozen && ` (${t('chain.address.frozen')})`}
          </KeyValue>
        </>
      )}
      {mint && (
        <>
          {mint.tokenSymbol !== null && (
            <KeyValue label={t('chain.address.token')}>
              <ChainToken token={mint} />
            </KeyValue>
          )}
          <KeyValue label={t('chain.address.supply')}>
            <ExactAmount value={mint.supply} />
          </KeyValue>
          <KeyValue label={t('chain.address.decimals')}>{mint.decimals}</KeyValue>
          <KeyValue label={t('chain.address.mintAuthority')}>{authority(mint.mintAuthority)}</KeyValue>
          <KeyValue label={t('chain.address.freezeAuthority')}>{authority(mint.freezeAuthority)}</KeyValue>
        </>
      )}
      {program && (
        <KeyValue label={t('chain.address.program')}>
          <Address address={program.address} name={program.name ?? undefined} />
        </KeyValue>
      )}
    </>
  );
}
