import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api } from '../../data/api.ts';
import { attempt, settleAll } from '../../data/attempts.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Percent } from '../../ui/numbers.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Delay } from './delay.tsx';
import { resultColumns } from './result-columns.tsx';
import type { WalletFollow } from './wallet-follow.ts';
import { ErrorState } from '../../ui/error-state.tsx';

const ReceiptsDialog = late(() => import('./wallet-receipts-dialog.tsx'));
const EditDialog = late(() => import('./edit-wallet-follow-dialog.tsx'));

type Action = 'receipts' | 'edit' | 'end';
const REFRESH_MS = 10_000;

/** Wallets the user follows, apart from strategies. Nothing stands here for who follows none. */
export function WalletFollowsTable() {
  const t = useT();
  const list = useApiQuery('getMyWalletFollows', {}, { refetchIntervalMs: REFRESH_MS });
  const [chosen, setChosen] = useState<{ follow: WalletFollow; action: Action } | null>(null);
  const refetch = list.refetch;
  const columns = useMemo(() => {
    const onPause = async (follow: WalletFollow) => {
      // What fails is told by the call itself.
      await api.call('updateWalletFollow', { id: follow.id, paused: !follow.paused }).catch(() => {});
      void refetch();
    };
    return walletColumns(t, { onAction: (follow, action) => setChosen({ follow, action }), onPause });
  }, [t, refetch]);
  const rows = list.data?.lists ?? [];
  // Money is in them: a list that did not come must not look like none.
  if (list.isError && !list.data) {
    return (
      <section className="card mt-3.5" aria-label={t('walletFollow.table.title')}>
        <h2 className="px-4 pt-3">{t('walletFollow.table.title')}</h2>
        <ErrorState height={120} error={list.error} onRetry={() => void refetch()} />
      </section>
    );
  }
  if (rows.length === 0) return null;
  const close = () => setChosen(null);
  return (
    <section className="card mt-3.5 overflow-hidden" aria-label={t('walletFollow.table.title')}>
      <div className="border-b border-line px-4 py-3">
        <h2>{t('walletFollow.table.title')}</h2>
        <p className="text-sm text-muted">{t('walletFollow.table.text')}</p>
      </div>
      <Table label={t('walletFollow.table.title')} columns={columns} rows={rows} rowKey={(follow) => follow.id} />
      {chosen?.action === 'receipts' && <ReceiptsDialog follow={chosen.follow} onClose={close} />}
      {chosen?.action === 'edit' && (
        <EditDialog follow={chosen.follow} onClose={close} onSaved={() => void refetch()} />
      )}
      {chosen?.action === 'end' && (
        <ConfirmDialog
          open
          title={<bdi>{t('walletFollow.table.endTitle', { name: chosen.follow.name })}</bdi>}
          text={t(chosen.follow.strategy ? 'walletFollow.table.endStrategyText' : 'walletFollow.table.endText')}
          confirmLabel={t('walletFollow.table.end')}
          onConfirm={async () => {
            await attempt('endWalletFollow', { id: chosen.follow.id });
            settleAll('followWallet', { address: chosen.follow.address });
            await refetch();
            close();
          }}
          onClose={close}
        />
      )}
    </section>
  );
}

type Acts = {
  onAction: (follow: WalletFollow, action: Action) => void;
  onPause: (follow: WalletFollow) => Promise<void>;
};

function walletColumns(t: Translate, acts: Acts): readonly Column<WalletFollow>[] {
  return [
    {
      key: 'wallet',
      header: t('walletFollow.table.wallet'),
      align: 'start',
      cell: (follow) => (
        <span className="flex flex-col items-start">
          <bdi className="max-w-40 truncate font-semibold">{follow.name}</bdi>
          <Address address={follow.address} />
          {follow.strategy && (
            <Link to="/strategies/$slug" params={{ slug: follow.strategy.slug }} className="text-xs text-accent-text">
              {t('walletFollow.table.inStrategy', { name: follow.strategy.name })}
            </Link>
          )}
        </span>
      ),
    },
    {
      key: 'state',
      header: t('walletFollow.table.state'),
      align: 'start',
      from: 'sm',
      cell: (follow) => (
        <Chip tone={follow.endTime === null && !follow.paused ? 'accent' : 'plain'}>
          {t(`walletFollow.table.${follow.endTime !== null ? 'ended' : follow.paused ? 'paused' : 'running'}`)}
        </Chip>
      ),
    },
    ...resultColumns<WalletFollow>(t),
    {
      key: 'delay',
      header: t('walletFollow.table.delay'),
      from: 'lg',
      cell: (follow) => <Delay ms={follow.medianDelayMs} slots={follow.medianDelaySlots} />,
    },
    {
      key: 'gap',
      header: t('walletFollow.table.gap'),
      from: 'lg',
      cell: (follow) => <Percent value={follow.medianGap} tone={false} />,
    },
    {
      key: 'actions',
      header: t('walletFollow.table.actions'),
      headerHidden: true,
      cell: (follow) => <Actions follow={follow} {...acts} />,
    },
  ];
}

function Actions({ follow, onAction, onPause }: Acts & { follow: WalletFollow }) {
  const t = useT();
  return (
    <span className="flex flex-wrap justify-end gap-1.5">
      <Button tone="ghost" size="s" onClick={() => onAction(follow, 'receipts')}>
        {t('walletFollow.table.receipts')}
      </Button>
      {follow.endTime === null && (
        <>
          <Button tone="ghost" size="s" onClick={() => void onPause(follow)}>
            {t(follow.paused ? 'walletFollow.table.resume' : 'walletFollow.table.pause')}
          </Button>
          <Button tone="ghost" size="s" onClick={() => onAction(follow, 'edit')}>
            {t('walletFollow.table.edit')}
          </Button>
          <Button tone="ghost" size="s" onClick={() => onAction(follow, 'end')}>
            {t('walletFollow.table.end')}
          </Button>
        </>
      )}
    </span>
  );
}
