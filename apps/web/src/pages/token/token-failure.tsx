import { ApiFailure } from '../../data/api-failure.ts';
import { useT } from '../../i18n/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';

export function TokenFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useT();
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
