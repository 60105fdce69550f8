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

export default function ConnectionBar() {
  const t = useT();
  const online = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const status = useStreamStatus();
  if (!online) return <Bar text={t('shell.connection.offline')} />;
  if (status === 'idle' || status === 'open') return null;
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
