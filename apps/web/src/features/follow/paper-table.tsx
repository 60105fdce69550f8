import type { CallReply } from '@hunter/contract/calls';
import { useMemo, useState } from 'react';
import { api } from '../../data/api.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Percent } from '../../ui/numbers.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { StrategyLink } from '../../ui/strategy-link.tsx';
import type { Column } from '../../ui/table.tsx';
import { moneyColumns } from './money-columns.tsx';

type PaperFollow = CallReply<'startPaperFollow'>;

const REFRESH_MS = 20_000;

/** Follows without money, apart from those with it. Nothing stands here for who has none. */
export function PaperTable() {
  const t = useT();
  const list = useApiPages('getMyPaperFollows', { pageSize: 20 }, { refetchIntervalMs: REFRESH_MS });
  const [ending, setEnding] = useState<PaperFollow | null>(null);
  const columns = useMemo(() => paperColumns(t, setEnding), [t]);
  if (list.rows.length === 0 && !list.error) return null;
  return (
    <section className="card mt-3.5 overflow-hidden" aria-label={t('strategies.paper.title')}>
      <div className="border-b border-line px-4 py-3">
        <h2>{t('strategies.paper.title')}</h2>
        <p className="text-sm text-muted">{t('strategies.paper.text')}</p>
      </div>
      <PagedTable
        label={t('strategies.paper.title')}
        columns={columns}
        list={list}
        rowKey={(follow) => follow.id}
        empty={null}
      />
      {ending && (
        <ConfirmDialog
          open
          title={t('strategies.paper.endTitle')}
          text={t('strategies.paper.endText')}
          confirmLabel={t('strategies.paper.end')}
          onConfirm={async () => {
            await api.call('endPaperFollow', { id: ending.id });
            list.retry();
            setEnding(null);
          }}
          onClose={() => setEnding(null)}
        />
      )}
    </section>
  );
}

function paperColumns(t: Translate, onEnd: (follow: PaperFollow) => void): readonly Column<PaperFollow>[] {
  return [
    {
      key: 'strategy',
      header: t('strategies.following.strategy'),
      align: 'start',
      cell: (follow) => (
        <span className="flex flex-col items-start gap-0.5">
          <StrategyLink slug={follow.slug} name={follow.strategyName} className="max-w-52 max-sm:max-w-32" />
          <Chip tone="gold">{t('strategies.paper.chip')}</Chip>
        </span>
      ),
    },
    {
      key: 'state',
      header: t('strategies.stateLabel'),
      align: 'start',
      from: 'sm',
      cell: (follow) =>
        t(follow.endedBy === null ? 'strategies.paper.running' : `strategies.paper.endedBy.${follow.endedBy}`),
    },
    ...moneyColumns<PaperFollow>(t),
    {
      key: 'strategyChange',
      header: t('strategies.paper.strategySame'),
      from: 'lg',
      cell: (follow) => <Percent value={follow.strategyChangeRate} />,
    },
    {
      key: 'copies',
      header: t('strategies.paper.copies'),
      from: 'lg',
      cell: (follow) => t('strategies.paper.copiesText', { copied: follow.copied, skipped: follow.skipped }),
    },
    {
      key: 'since',
      header: t('strategies.following.since'),
      from: 'lg',
      cell: (follow) => <RelativeTime timeMs={follow.startTime} className="text-muted" />,
    },
    {
      key: 'end',
      header: t('strategies.paper.end'),
      headerHidden: true,
      cell: (follow) =>
        follow.endedBy === null ? (
          <Button tone="ghost" size="s" onClick={() => onEnd(follow)}>
            {t('strategies.paper.end')}
          </Button>
        ) : null,
    },
  ];
}
