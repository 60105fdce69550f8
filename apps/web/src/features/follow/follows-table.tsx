import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ListPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Sol } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { StrategyLink } from '../../ui/strategy-link.tsx';
import type { Column } from '../../ui/table.tsx';
import type { Follow } from './follow-sum.ts';
import { moneyColumns } from './money-columns.tsx';

const CancelDialog = late(() => import('./cancel-dialog.tsx'));

/** All follows of the user with what they are worth, the active ones first, each with a way out. */
export function FollowsTable({ follows }: { follows: ListPages<'getMyFollows'> }) {
  const t = useT();
  const [leaving, setLeaving] = useState<Follow | null>(null);
  const columns = useMemo(() => followColumns(t, setLeaving), [t]);
  return (
    <>
      <PagedTable
        label={t('strategies.following.table')}
        columns={columns}
        list={follows}
        rowKey={(follow) => follow.id}
        empty={
          <EmptyState
            height={300}
            text={t('strategies.following.none')}
            action={
              <Link to="/strategies" className={buttonClass('ghost', 's')}>
                {t('strategies.following.browse')}
              </Link>
            }
          />
        }
      />
      {leaving && <CancelDialog slug={leaving.slug} name={leaving.strategyName} onClose={() => setLeaving(null)} />}
    </>
  );
}

function followColumns(t: Translate, onCancel: (follow: Follow) => void): readonly Column<Follow>[] {
  return [
    {
      key: 'strategy',
      header: t('strategies.following.strategy'),
      align: 'start',
      cell: (follow) => <StrategyCell follow={follow} />,
    },
    {
      key: 'status',
      header: t('strategies.stateLabel'),
      align: 'start',
      from: 'sm',
      cell: (follow) => (
        <span className="flex items-center gap-2">
          <Chip tone={follow.status === 'closed' ? 'plain' : 'accent'}>
            {t(`strategies.following.status.${follow.status}`)}
          </Chip>
          {(follow.status === 'opening' || follow.status === 'closing') && follow.progress.total > 0 && (
            <span className="num text-xs text-muted">{t('strategies.following.progress', follow.progress)}</span>
          )}
        </span>
      ),
    },
    ...moneyColumns<Follow>(t),
    {
      key: 'since',
      header: t('strategies.following.since'),
      from: 'lg',
      cell: (follow) => <RelativeTime timeMs={follow.openTime} className="text-muted" />,
    },
    {
      key: 'ended',
      header: t('strategies.following.ended'),
      from: 'lg',
      cell: (follow) =>
        follow.closeTime === null ? (
          <span className="text-faint">-</span>
        ) : (
          <RelativeTime timeMs={follow.closeTime} className="text-muted" />
        ),
    },
    {
      key: 'cancel',
      header: t('strategies.following.cancel'),
      headerHidden: true,
      cell: (follow) =>
        follow.status === 'active' || follow.status === 'opening' ? (
          <Button tone="ghost" size="s" onClick={() => onCancel(follow)}>
            {t('strategies.following.cancel')}
          </Button>
        ) : null,
    },
  ];
}

function StrategyCell({ follow }: { follow: Follow }) {
  const t = useT();
  return (
    <span className="flex flex-col">
      <StrategyLink slug={follow.slug} name={follow.strategyName} className="max-w-52 max-sm:max-w-32" />
      <span className="text-xs text-faint">{t(`strategies.following.modes.${follow.mode}`)}</span>
      <span className="text-xs text-muted sm:hidden" data-testid="on-phones">
        <Sol value={follow.equity} />
        {follow.status !== 'active' && ` · ${t(`strategies.following.status.${follow.status}`)}`}
      </span>
    </span>
  );
}
