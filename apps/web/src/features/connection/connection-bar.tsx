import { useEffect, useState, useSyncExternalStore } from 'react';
import { useStreamStatus } from '../../data/stream.ts';
import { useT } from '../../i18n/i18n.ts';
import { WarningIcon } from '../../ui/icons.tsx';

/** Short interruptions heal by themselves; only a lasting one is worth a word. */
const PATIENCE_MS = 3_000;

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

export function ConnectionBar() {
  const t = useT();
  const online = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const status = useStreamStatus();
  const interrupted = status === 'waiting' || status === 'connecting';
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!interrupted) {
      setLasting(false);
      return undefined;
    }
    const timer = setTimeout(() => setLasting(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [interrupted]);
  if (online && !lasting) return null;
  // It floats over the page, so that the content does not jump when it comes and goes.
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[calc(var(--header-height)+8px)] z-20 flex justify-center px-3"
    >
      <span className="flex items-center gap-2 rounded-full border border-line-strong bg-raised px-3.5 py-1.5 text-sm font-medium text-warn shadow-pop">
        <WarningIcon size={15} />
        {t(online ? 'shell.connection.reconnecting' : 'shell.connection.offline')}
      </span>
    </div>
  );
}
