import { Link } from '@tanstack/react-router';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useT } from '../../i18n/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { StrategyGrid } from './strategy-grid.tsx';

/** The strategies that the user created, running ones first. */
export function CreatedStrategies({ framed = true }: { framed?: boolean }) {
  const t = useT();
  const list = useApiPages(
    'getStrategyList',
    { scope: 'created', status: 'all', sortBy: 'newest', pageSize: 24 },
    { refetchIntervalMs: 15_000, rowKey: ({ slug }) => slug },
  );
  if (list.error) {
    return (
      <div className="card">
        <ErrorState title={t('strategies.loadFailed')} error={list.error} onRetry={list.retry} />
      </div>
    );
  }
  return (
    <>
      <StrategyGrid
        strategies={list.rows}
        loading={list.loading}
        framed={framed}
        empty={
          <EmptyState
            height={300}
            text={t('strategies.mine.none')}
            action={
              <Link to="/strategies" search={{ create: true }} className={buttonClass('ghost', 's')}>
                {t('strategies.create')}
              </Link>
            }
          />
        }
      />
      <LoadMore list={list} />
    </>
  );
}
