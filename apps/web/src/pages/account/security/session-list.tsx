import { useState } from 'react';
import { api } from '../../../data/api.ts';
import { useApiQuery } from '../../../data/use-api-query.ts';
import { useT } from '../../../i18n/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { QueryError } from '../../../ui/error-state.tsx';
import { RelativeTime } from '../../../ui/relative-time-text.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { deviceName } from './device-name.ts';

export function SessionList() {
  const t = useT();
  const sessions = useApiQuery('getMySessions', {}, { refetchIntervalMs: 20_000 });
  const [ending, setEnding] = useState<string | null>(null);

  async function end(id: string): Promise<void> {
    setEnding(id);
    try {
      await api.call('revokeSession', { id });
      toast.success(t('account.security.revoked'));
      await sessions.refetch();
    } catch {
      // The reason is shown as a toast.
    } finally {
      setEnding(null);
    }
  }

  if (sessions.isError && !sessions.data) return <QueryError query={sessions} height={100} />;
  if (!sessions.data) return <Skeleton height={96} />;
  return (
    <ul className="flex flex-col" data-testid="sessions">
      {sessions.data.lists.map((session) => (
        <li key={session.id} className="flex items-center justify-between gap-3 border-b border-line/55 py-2.5">
          <span className="min-w-0">
            <span className="flex items-center gap-2">
              <bdi className="truncate font-semibold">{deviceName(session.device, t)}</bdi>
              {session.current && <Chip tone="accent">{t('account.security.thisDevice')}</Chip>}
            </span>
            <span className="num text-sm text-faint">
              {session.address} · {t('account.security.lastSeen')} <RelativeTime timeMs={session.lastSeenAt} />
            </span>
          </span>
          {!session.current && (
            <Button
              tone="ghost"
              size="s"
              pending={ending === session.id}
              aria-label={t('account.security.revokeLabel', { device: deviceName(session.device, t) })}
              onClick={() => void end(session.id)}
            >
              {t('account.security.revoke')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
