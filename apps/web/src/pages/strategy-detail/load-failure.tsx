import { Link } from '@tanstack/react-router';
import { ApiFailure } from '../../data/api-failure.ts';
import { useT } from '../../i18n/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';

export function LoadFailure({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const t = useT();
  const missing = error instanceof ApiFailure && error.refusal === 'STRATEGY_NOT_FOUND';
  return (
    <div className="mx-auto max-w-[1360px] px-3 py-6 sm:px-5">
      <div className="card">
        {missing ? (
          <EmptyState
            height={360}
            pageTitle={t('strategy.notFound')}
            action={
              <Link to="/strategies" className={buttonClass('ghost', 's')}>
                {t('strategy.back')}
              </Link>
            }
          />
        ) : (
          <ErrorState isPage height={360} title={t('strategy.loadFailed')} error={error} onRetry={onRetry} />
        )}
      </div>
    </div>
  );
}
