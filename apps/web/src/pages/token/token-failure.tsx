import { ApiFailure } from '../../data/api-failure.ts';
import { useT } from '../../i18n/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';

export function TokenFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useT();
  // The tab may still name the token before this one.
  usePageTitle(t('shell.titles.token'));
  const refusal = error instanceof ApiFailure ? error.refusal : null;
  const unknown = refusal === 'TOKEN_UNKNOWN' || refusal === 'INVALID_INPUT' || refusal === 'NOT_FOUND';
  return (
    <section className="card">
      {unknown ? (
        <EmptyState height={420} pageTitle={t('token.unknown')} text={t('token.unknownText')} />
      ) : (
        <ErrorState isPage title={t('token.failed')} error={error} onRetry={onRetry} height={420} />
      )}
    </section>
  );
}
