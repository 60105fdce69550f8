import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useMyStream } from '../../data/stream.ts';
import { refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import { loadAreas, useT } from '../../i18n/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { BellIcon } from '../../ui/icons.tsx';
import { loadPatiently } from '../../ui/load-patiently.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { panelClass } from './panel-class.ts';

// The list and its texts load when somebody looks.
const AlertPanel = lazy(() =>
  loadPatiently(async () => {
    const [panel] = await Promise.all([import('./alert-panel.tsx'), loadAreas(['alerts'])]);
    return panel;
  }),
);

/** After the first answers of a page, which matter more to somebody who just came. */
const COUNT_AFTER_MS = 1_500;
const SHOWN_MAX = 99;

/** The bell with the number of unread notifications; opens their list. */
export default function CountingBell() {
  const t = useT();
  const root = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [settled, setSettled] = useState(false);
  const alerts = useApiQuery('getMyAlerts', {}, { enabled: settled || open, quiet: true });
  const refresh = () => void refreshCalls('getMyAlerts');
  useMyStream('alerts', refresh, refresh);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), COUNT_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!open) return undefined;
    const onOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', onOutside);
    return () => document.removeEventListener('pointerdown', onOutside);
  }, [open]);

  const unread = alerts.data?.unread ?? 0;
  function close(): void {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  }
  return (
    <div
      ref={root}
      className="relative"
      onKeyDown={(event) => {
        if (open && event.key === 'Escape') close();
      }}
      // Left with Tab, it would cover what has the focus then. None is named when another window comes to the front.
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <IconButton
        label={t('shell.bell', { count: unread })}
        className="relative"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        data-testid="alert-bell"
      >
        <BellIcon />
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="num absolute -top-0.5 -right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-2xs font-bold text-on-accent"
          >
            {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
          </span>
        )}
      </IconButton>
      {open && (
        <Suspense fallback={<Frame label={t('shell.bell', { count: unread })} />}>
          <AlertPanel onLeave={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

function Frame({ label }: { label: string }) {
  return (
    <div role="dialog" aria-label={label} aria-busy="true" className={panelClass}>
      <div className="p-4">
        <Skeleton height={180} />
      </div>
    </div>
  );
}
