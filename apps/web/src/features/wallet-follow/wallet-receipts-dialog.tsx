import type { CallReply } from '@hunter/contract/calls';
import { useMemo } from 'react';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import type { Column } from '../../ui/table.tsx';
import { TxHash } from '../../ui/tx-hash.tsx';
import { Delay } from './delay.tsx';
import type { WalletFollow } from './wallet-follow.ts';
import { walletSkipText } from './wallet-skip-text.ts';

type Receipt = CallReply<'getWalletFollowReceipts'>['lists'][number];

/** Every trade of the wallet as it went here: copied, with delay and price gap, or skipped, with the reason. */
export default function WalletReceiptsDialog({ follow, onClose }: { follow: WalletFollow; onClose: () => void }) {
  const t = useT();
  const list = useApiPages('getWalletFollowReceipts', { id: follow.id }, { refetchIntervalMs: 10_000 });
  const columns = useMemo(() => receiptColumns(t), [t]);
  return (
    <Dialog
      open
      width={880}
      onClose={onClose}
      title={<bdi>{t('walletFollow.receipts.title', { name: follow.name })}</bdi>}
    >
      <PagedTable
        label={t('walletFollow.receipts.title', { name: follow.name })}
        columns={columns}
        list={list}
        rowKey={(row) => row.id}
        empty={<EmptyState text={t('walletFollow.receipts.none')} />}
      />
    </Dialog>
  );
}

function receiptColumns(t: Translate): readonly Column<Receipt>[] {
  return [
    {
      key: 'time',
      header: t('walletFollow.receipts.time'),
      align: 'start',
      cell: (row) => <RelativeTime timeMs={row.time} className="text-muted" />,
    },
    {
      key: 'what',
      header: t('walletFollow.receipts.what'),
      align: 'start',
      cell: (row) => (
        <bdi className="font-semibold">
          {t(row.side === 'buy' ? 'strategy.receipts.buy' : 'strategy.receipts.sell', { symbol: row.tokenSymbol })}
        </bdi>
      ),
    },
    {
      key: 'theirs',
      header: t('walletFollow.receipts.theirs'),
      from: 'sm',
      cell: (row) =>
        row.txHash === '' ? (
          <span className="text-muted">{t('walletFollow.receipts.transferred')}</span>
        ) : (
          <Swap sol={row.solAmount} hash={row.txHash} />
        ),
    },
    {
      key: 'own',
      header: t('walletFollow.receipts.own'),
      cell: (row) =>
        row.ownTxHash === null ? (
          <span className="text-faint">-</span>
        ) : (
          <Swap sol={row.ownSolAmount} hash={row.ownTxHash} />
        ),
    },
    {
      key: 'delay',
      header: t('walletFollow.receipts.delay'),
      from: 'md',
      cell: (row) => <Delay ms={row.delayMs} slots={row.delaySlots} />,
    },
    {
      key: 'gap',
      header: t('walletFollow.receipts.gap'),
      from: 'md',
      cell: (row) => <Percent value={row.gap} tone={false} />,
    },
    {
      key: 'state',
      header: t('walletFollow.receipts.state'),
      align: 'start',
      cell: (row) => (
        <span className="flex flex-col items-start gap-0.5">
          <Chip tone={row.state === 'done' ? 'accent' : 'plain'}>{t(`walletFollow.receipts.states.${row.state}`)}</Chip>
          {row.reason !== null && (
            <span className="text-xs whitespace-normal text-muted">{walletSkipText(row.reason, t)}</span>
          )}
        </span>
      ),
    },
  ];
}

function Swap({ sol, hash }: { sol: string | null; hash: string }) {
  return (
    <span className="flex flex-col items-end leading-tight">
      <Sol value={sol} />
      <TxHash hash={hash} />
    </span>
  );
}
