import { useQuery } from '@tanstack/react-query';
import type { CallReply } from '@hunter/contract/calls';
import { useEffect, useState } from 'react';
import { queryClient } from '../../data/query-client.ts';
import { useUser } from '../../data/session.ts';
import { refreshCalls, useApiMutation, useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { OpenIcon } from '../../ui/page-icons.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { ownDeviceId, pushSupport, turnOffPush, turnOnPush } from './push-browser.ts';

type Channels = CallReply<'getMyAlertChannels'>;

/** While somebody is in Telegram, connecting. */
const WAITING_POLL_MS = 3_000;
const BROWSER_KEY = ['pushBrowser'];

function refresh(): void {
  void refreshCalls('getMyAlertChannels', 'getMyAlertChoices');
  void queryClient.invalidateQueries({ queryKey: BROWSER_KEY });
}

/** Browsers that get push messages, and the Telegram chat. */
export function AlertChannels() {
  const t = useT();
  const query = useApiQuery('getMyAlertChannels', {}, { quiet: true });
  const chat = query.data?.telegram.chat ?? null;
  // A chat that has just been connected is a channel that can be chosen now.
  useEffect(() => {
    if (chat !== null) void refreshCalls('getMyAlertChoices');
  }, [chat]);
  if (query.isError && !query.data) {
    return <QueryError query={query} height={160} title={t('alerts.connectedFailed')} />;
  }
  if (!query.data) return <Skeleton height={180} className="mt-3" />;
  return (
    <div className="mt-3 grid gap-5" data-testid="alert-channels">
      <Push {...query.data.push} />
      <Telegram {...query.data.telegram} />
    </div>
  );
}

function Push({ publicKey, devices }: Channels['push']) {
  const t = useT();
  const email = useUser((user) => user?.email ?? '');
  const [pending, setPending] = useState(false);
  const browser = useQuery(
    {
      queryKey: BROWSER_KEY,
      queryFn: async () => ({ support: await pushSupport(), id: await ownDeviceId() }),
    },
    queryClient,
  );
  const own = devices.find(({ id }) => id === browser.data?.id);

  async function turnOn(): Promise<void> {
    setPending(true);
    try {
      const allowed = await turnOnPush(publicKey, email);
      if (allowed) toast.success(t('alerts.push.on'));
      else toast.error(t('alerts.push.notAllowed'));
    } catch {
      toast.error(t('alerts.push.failed'));
    } finally {
      setPending(false);
      refresh();
    }
  }

  return (
    <div>
      <h3 className="text-md font-semibold">{t('alerts.push.title')}</h3>
      <p className="mt-0.5 text-sm text-muted">{t('alerts.push.text')}</p>
      {devices.length > 0 && <Devices devices={devices} ownId={own?.id} />}
      {browser.data?.support === 'ready' && !own && (
        <Button tone="ghost" size="s" className="mt-2.5" pending={pending} onClick={() => void turnOn()}>
          {t('alerts.push.turnOn')}
        </Button>
      )}
      {(browser.data?.support === 'denied' || browser.data?.support === 'unsupported') && (
        <p className="mt-1.5 text-sm text-warn">{t(`alerts.push.${browser.data.support}`)}</p>
      )}
    </div>
  );
}

function Devices({ devices, ownId }: { devices: Channels['push']['devices']; ownId: string | undefined }) {
  const t = useT();
  const remove = useApiMutation('removePushDevice');

  async function stop(id: string): Promise<void> {
    try {
      await remove.mutateAsync({ id });
      if (id === ownId) await turnOffPush();
    } catch {
      // The reason is shown as a toast.
    }
    refresh();
  }

  return (
    <ul className="mt-1" aria-label={t('alerts.push.devices')}>
      {devices.map(({ id, name, createdAt }) => (
        <li key={id} className="flex items-center justify-between gap-3 border-b border-line/55 py-1.5">
          <span className="min-w-0 truncate">
            {name}{' '}
            <span className="text-sm text-muted">
              {id === ownId ? t('alerts.push.thisBrowser') : <RelativeTime timeMs={createdAt} />}
            </span>
          </span>
          <Button
            tone="plain"
            size="s"
            disabled={remove.isPending}
            aria-label={t('alerts.push.removeLabel', { name })}
            onClick={() => void stop(id)}
          >
            {t('alerts.push.remove')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Telegram({ configured, chat }: Channels['telegram']) {
  const t = useT();
  const connect = useApiMutation('connectTelegram');
  const disconnect = useApiMutation('disconnectTelegram');
  const url = chat === null ? connect.data?.url : undefined;
  const waiting = url !== undefined;
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setInterval(() => void refreshCalls('getMyAlertChannels'), WAITING_POLL_MS);
    return () => clearInterval(timer);
  }, [waiting]);
  return (
    <div>
      <h3 className="text-md font-semibold">{t('alerts.telegram.title')}</h3>
      <p className="mt-0.5 text-sm text-muted">{t(configured ? 'alerts.telegram.text' : 'alerts.telegram.missing')}</p>
      {configured && chat !== null && (
        <div className="mt-1 flex items-center justify-between gap-3">
          <bdi className="min-w-0 truncate">{t('alerts.telegram.connectedAs', { name: chat })}</bdi>
          <Button
            tone="plain"
            size="s"
            pending={disconnect.isPending}
            onClick={() => {
              connect.reset();
              disconnect.mutate({}, { onSettled: refresh });
            }}
          >
            {t('alerts.telegram.disconnect')}
          </Button>
        </div>
      )}
      {configured && chat === null && url === undefined && (
        <Button tone="ghost" size="s" className="mt-2.5" pending={connect.isPending} onClick={() => connect.mutate({})}>
          {t('alerts.telegram.connect')}
        </Button>
      )}
      {waiting && (
        <div className="mt-2.5">
          <a href={url} target="_blank" rel="noreferrer" className={buttonClass('accent', 's')}>
            {t('alerts.telegram.open')}
            <OpenIcon size={14} />
          </a>
          <p role="status" className="mt-1.5 text-sm text-muted">
            {t('alerts.telegram.waiting')}
          </p>
        </div>
      )}
    </div>
  );
}
