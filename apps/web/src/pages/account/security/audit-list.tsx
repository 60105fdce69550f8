import { useApiPages } from '../../../data/use-api-pages.ts';
import { useI18n } from '../../../i18n/i18n.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { exactTime } from '../../../ui/relative-time.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { eventDetail, eventName } from './audit-event.ts';

/** What happened to the account, newest first. */
export function AuditList() {
  const i18n = useI18n();
  const { t, language } = i18n;
  const events = useApiPages('getMyAuditLog', {}, { quiet: true });
  if (events.error) return <ErrorState height={100} error={events.error} onRetry={events.retry} />;
  if (events.loading) return <Skeleton height={150} />;
  if (events.rows.length === 0) return <p className="text-sm text-faint">{t('account.security.noAudit')}</p>;
  return (
    <div
      className="max-h-96 overflow-y-auto pr-2 scroll-thin"
      tabIndex={0}
      role="region"
      aria-label={t('account.security.auditTable')}
    >
      <ul data-testid="audit">
        {events.rows.map((event, index) => (
          <li
            key={`${event.time}-${index}`}
            className="flex items-baseline justify-between gap-4 border-b border-line/55 py-2 last:border-0"
          >
            <span className="min-w-0">
              <span className="font-semibold">{eventName(event.event, t)}</span>
              <bdi className="block truncate text-sm text-muted">{eventDetail(event, i18n)}</bdi>
            </span>
            <span className="num shrink-0 text-right text-sm text-faint">
              {exactTime(event.time, language)}
              <span className="block text-xs">{event.address}</span>
            </span>
          </li>
        ))}
      </ul>
      <LoadMore list={events} />
    </div>
  );
}
