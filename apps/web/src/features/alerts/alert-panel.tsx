import { Link } from '@tanstack/react-router';
import { alertText } from '@hunter/contract/alert-text';
import type { CallReply } from '@hunter/contract/calls';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { queryClient } from '../../data/query-client.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import { refreshCalls, useApiMutation } from '../../data/use-api-query.ts';
import { useI18n } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useCloseOnBack } from '../../ui/close-on-back.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { panelClass } from './panel-class.ts';

type Alert = CallReply<'getMyAlerts'>['lists'][number];

/** The history of notifications. Opening it reads them. */
export default function AlertPanel({ onLeave }: { onLeave: () => void }) {
  const { t } = useI18n();
  const panel = useRef<HTMLDivElement>(null);
  useCloseOnBack(useMediaQuery('(max-width: 639px)'), onLeave);
  const alerts = useApiPages('getMyAlerts', {}, { quiet: true });
  const read = useApiMutation('readMyAlerts', { quiet: true });
  const newest = alerts.rows[0]?.id;
  const { mutate } = read;
  useEffect(() => panel.current?.focus(), []);
  useEffect(() => {
    // What was unread keeps its mark until the panel closes; only the count of the bell goes.
    if (newest === undefined) return;
    mutate({ id: newest }, { onSuccess: ({ unread }) => setUnread(unread) });
  }, [newest, mutate]);
  useEffect(() => () => void refreshCalls('getMyAlerts'), []);

  return (
    <div ref={panel} role="dialog" aria-label={t('alerts.title')} tabIndex={-1} className={panelClass}>
      <div className="flex items-center justify-between gap-3 border-b border-line px-4 py-2.5">
        <h2 className="text-md">{t('alerts.title')}</h2>
        <Link
          to="/account"
          search={{ tab: 'notifications' }}
          className="text-sm text-accent-text hover:underline"
          onClick={onLeave}
        >
          {t('alerts.settings')}
        </Link>
      </div>
      <div className="max-h-[min(480px,70dvh)] overflow-y-auto scroll-thin" tabIndex={0} data-testid="alert-list">
        {alerts.loading ? (
          <div className="p-4">
            <Skeleton height={180} />
          </div>
        ) : alerts.error ? (
          <ErrorState height={200} title={t('alerts.failed')} error={alerts.error} onRetry={alerts.retry} />
        ) : alerts.rows.length === 0 ? (
          <EmptyState height={200} text={t('alerts.none')} />
        ) : (
          <ul>
            {alerts.rows.map((alert) => (
              <Row key={alert.id} alert={alert} onLeave={onLeave} />
            ))}
          </ul>
        )}
        {alerts.hasMore && (
          <div className="grid place-items-center p-3">
            <Button tone="ghost" size="s" pending={alerts.loadingMore} onClick={alerts.loadMore}>
              {t('alerts.more')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

function setUnread(unread: number): void {
  queryClient.setQueryData<CallReply<'getMyAlerts'>>(['getMyAlerts', {}], (known) => known && { ...known, unread });
}

function Row({ alert, onLeave }: { alert: Alert; onLeave: () => void }) {
  const { t, language } = useI18n();
  const { title, text } = alertText(alert.body, language);
  return (
    <li className="border-b border-line/55 last:border-b-0">
      <Target body={alert.body} onLeave={onLeave}>
        <span
          className={classNames('mt-[7px] size-1.5 shrink-0 rounded-full', alert.read ? 'bg-transparent' : 'bg-accent')}
        >
          {!alert.read && <span className="sr-only">{t('alerts.unread')}</span>}
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-3">
            <bdi className="min-w-0 font-semibold break-words">{title}</bdi>
            <RelativeTime timeMs={alert.time} className="shrink-0 text-xs text-faint" />
          </span>
          <bdi className="block text-sm break-words text-muted">{text}</bdi>
        </span>
      </Target>
    </li>
  );
}

const rowClass = 'flex w-full gap-2.5 px-4 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2';

/** Leads to what the notification is about. */
function Target({ body, onLeave, children }: { body: Alert['body']; onLeave: () => void; children: ReactNode }) {
  const common = { className: rowClass, onClick: onLeave, children };
  if ('slug' in body) return <Link to="/strategies/$slug" params={{ slug: body.slug }} {...common} />;
  if (body.kind === 'deposit' || body.kind === 'withdrawal') return <Link to="/account" search={{}} {...common} />;
  if (body.kind === 'security') return <Link to="/account" search={{ tab: 'security' }} {...common} />;
  return (
    <Link to="/token/$tokenAddress" params={{ tokenAddress: body.tokenContractAddress }} search={{}} {...common} />
  );
}
