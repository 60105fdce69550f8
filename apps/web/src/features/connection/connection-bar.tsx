import { useEffect, useState, useSyncExternalStore } from 'react';
import { queryClient } from '../../data/query-client.ts';
import { useStreamStatus } from '../../data/stream.ts';
import { useT } from '../../i18n/i18n.ts';
import { WarningIcon } from '../../ui/icons.tsx';

/** Short interruptions heal by themselves; only a lasting one is worth a word. */
const PATIENCE_MS = 3_000;

/** One poll that failed is made up for by the next; what stays old for longer is said. */
const OLD_MS = 12_000;

const cache = queryClient.getQueryCache();
const subscribeCache = (listener: () => void) => cache.subscribe(listener);
const hasFailed = ({ state }: { state: { status: string } }) => state.status === 'error';

/** Whether the page shows figures that could not be read anew. */
function isOld(): boolean {
  return cache
    .findAll({ type: 'active', predicate: hasFailed })
    .some(({ state }) => state.dataUpdatedAt > 0 && state.errorUpdatedAt - state.dataUpdatedAt > OLD_MS);
}

/** What failed while there was no connection is read again as soon as there is one. */
function readFailedAgain(): void {
  void queryClient.refetchQueries({ type: 'active', predicate: hasFailed });
}

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

export default function ConnectionBar() {
  const t = useT();
  const online = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const status = useStreamStatus();
  const old = useSyncExternalStore(subscribeCache, isOld);
  const isConnected = online && (status === 'open' || status === 'idle');
  useEffect(() => {
    if (isConnected) readFailedAgain();
  }, [isConnected]);
  if (!online) return <Bar text={t('shell.connection.offline')} />;
  if (isConnected) return old ? <Bar text={t('shell.connection.old')} /> : null;
  return <Reconnecting />;
}

/** Mounted while the stream is interrupted, so that its patience starts anew each time. */
function Reconnecting() {
  const t = useT();
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLasting(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return lasting ? <Bar text={t('shell.connection.reconnecting')} /> : null;
}

function Bar({ text }: { text: string }) {
  // It floats over the page, so that the content does not jump when it comes and goes.
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[calc(var(--header-height)+8px)] z-20 flex justify-center px-3"
    >
      <span className="flex items-center gap-2 rounded-full border border-line-strong bg-raised px-3.5 py-1.5 text-sm font-medium text-warn shadow-pop">
        <WarningIcon size={15} />
        {text}
      </span>
    </div>
  );
}
