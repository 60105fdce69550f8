import { useApiQuery } from '../../../data/use-api-query.ts';
import { useI18n } from '../../../i18n/i18n.ts';
import { QueryError } from '../../../ui/error-state.tsx';
import { exactTime } from '../../../ui/relative-time.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';

export function OperatorReads() {
  const { t, language } = useI18n();
  const reads = useApiQuery('getMyOperatorReads', {}, { quiet: true });
  if (reads.isError && !reads.data) return <QueryError query={reads} height={60} />;
  if (!reads.data) return <Skeleton height={40} />;
  if (reads.data.lists.length === 0) return <p className="text-sm text-faint">{t('account.reads.none')}</p>;
  return (
    <ul data-testid="operator-reads">
      {reads.data.lists.map((read, index) => (
        <li
          key={`${read.time}-${index}`}
          className="flex items-baseline justify-between gap-4 border-b border-line/55 py-2 last:border-0"
        >
          <span className="min-w-0">
            <bdi className="font-semibold">{read.operator}</bdi>
            <bdi className="block text-sm text-muted">{read.reason}</bdi>
          </span>
          <span className="num shrink-0 text-sm text-faint">{exactTime(read.time, language)}</span>
        </li>
      ))}
    </ul>
  );
}
