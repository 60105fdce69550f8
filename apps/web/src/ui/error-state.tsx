import { failureText } from '../data/api-failure.ts';
import { useI18n } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { WarningIcon } from './icons.tsx';

type Look = {
  title?: string;
  /** Nothing else of the page is shown: the title is its heading. */
  isPage?: boolean;
  height?: number | string;
};

/** For a query of which nothing is there to show. */
export function QueryError({
  query,
  ...look
}: Look & { query: { error: Error | null; refetch: () => Promise<unknown> } }) {
  return <ErrorState {...look} error={query.error} onRetry={() => void query.refetch()} />;
}

/** Something could not be loaded: what, why, and a way to try again. */
export function ErrorState({
  title,
  isPage = false,
  error,
  onRetry,
  height = 220,
}: Look & { error?: unknown; onRetry?: () => void }) {
  const { t, language } = useI18n();
  const Title = isPage ? 'h1' : 'p';
  return (
    <div
      role="alert"
      className="flex flex-col items-center justify-center gap-2 px-6 text-center"
      style={{ minHeight: height }}
    >
      <WarningIcon size={26} className="text-warn" />
      <Title className={isPage ? 'text-lg!' : 'font-semibold'}>{title ?? t('ui.error.title')}</Title>
      {error !== undefined && <p className="text-muted">{failureText(error, language)}</p>}
      {onRetry && (
        <Button tone="ghost" size="s" className="mt-1.5" onClick={onRetry}>
          {t('ui.retry')}
        </Button>
      )}
    </div>
  );
}
