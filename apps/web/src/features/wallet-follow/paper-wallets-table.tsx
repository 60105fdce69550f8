import type { CallReply } from '@hunter/contract/calls';
import { useMemo, useState } from 'react';
import { api } from '../../data/api.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Percent } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { resultColumns } from './result-columns.tsx';

type PaperFollow = CallReply<'startPaperWalletFollow'>;

const REFRESH_MS = 20_000;

/** Wallets followed without money, apart from those with it. Nothing stands here for who has none. */
export function PaperWalletsTable() {
  const t = useT();
  const { data, refetch } = useApiQuery('getMyPaperWalletFollows', {}, { refetchIntervalMs: REFRESH_MS });
  const [ending, setEnding] = useState<PaperFollow | null>(null);
  const columns = useMemo(() => paperColumns(t, setEnding), [t]);
  const rows = data?.lists ?? [];
  if (rows.length === 0) return null;
  async function end({ id }: PaperFollow): Promise<void> {
    await api.call('endPaperWalletFollow', { id });
    await refetch();
    setEnding(null);
  }
  return (
    <section className="card mt-3.5 overflow-hidden" aria-label={t('walletFollow.paper.title')}>
      <div className="border-b border-line px-4 py-3">
        <h2>{t('walletFollow.paper.title')}</h2>
        <p className="text-sm text-muted">{t('walletFollow.paper.text')}</p>
      </div>
      <Table label={t('walletFollow.paper.title')} columns={columns} rows={rows} rowKey={(follow) => follow.id} />
      {ending && (
        <ConfirmDialog
          open
          title={t('walletFollow.paper.endTitle')}
          text={t('walletFollow.paper.endText')}
          confirmLabel={t('walletFollow.table.end')}
          onConfirm={() => end(ending)}
          onClose={() => setEnding(null)}
        />
      )}
    </section>
  );
}

function paperColumns(t: Translate, onEnd: (follow: PaperFollow) => void): readonly Column<PaperFollow>[] {
  return [
    {
      key: 'wallet',
      header: t('walletFollow.table.wallet'),
      align: 'start',
      cell: (follow) => (
        <span className="flex flex-col items-start gap-0.5">
          <bdi className="max-w-40 truncate font-semibold">{follow.name}</bdi>
          <Address address={follow.address} />
          <Chip tone="gold">{t('walletFollow.paper.chip')}</Chip>
        </span>
      ),
    },
    {
      key: 'state',
      header: t('walletFollow.table.state'),
      align: 'start',
      from: 'sm',
      cell: (follow) => t(follow.endTime === null ? 'walletFollow.table.running' : 'walletFollow.table.ended'),
    },
    ...resultColumns<PaperFollow>(t),
    {
      key: 'walletChange',
      header: t('walletFollow.paper.walletSame'),
      from: 'lg',
      cell: (follow) => <Percent value={follow.walletChangeRate} />,
    },
    {
      key: 'since',
      header: t('walletFollow.paper.since'),
      from: 'lg',
      cell: ({ startTime, replayedSince }) => (
        <span className="flex flex-col items-end gap-0.5 text-muted">
          <RelativeTime timeMs={startTime} />
          {replayedSince !== null && (
            <span className="text-sm text-faint" title={t('walletFollow.paper.replayedHint')}>
              {t('walletFollow.paper.replayed')} <RelativeTime timeMs={replayedSince} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'actions',
      header: t('walletFollow.table.actions'),
      headerHidden: true,
      cell: (follow) =>
        follow.endTime === null ? (
          <Button tone="ghost" size="s" onClick={() => onEnd(follow)}>
            {t('walletFollow.table.end')}
          </Button>
        ) : null,
    },
  ];
}
