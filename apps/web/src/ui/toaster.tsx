import { useEffect } from 'react';
import { useStore } from 'zustand/react';
import { useT } from '../i18n/i18n.ts';
import { classNames } from './class-names.ts';
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from './icons.tsx';
import { toast } from './toast-store.ts';
import type { Toast, ToastKind } from './toast-store.ts';

const icons: Record<ToastKind, React.ReactNode> = {
  success: <CheckIcon className="text-accent-text" />,
  error: <WarningIcon className="text-warn" />,
  info: <InfoIcon className="text-muted" />,
};

/**
 * The stack of toasts: in the corner, on a phone at the top, because what can be done stands at the bottom there. Errors
 * interrupt a screen reader, the rest waits for a pause.
 */
export function Toaster() {
  const t = useT();
  const toasts = useStore(toast.store, (state) => state.toasts);
  const some = toasts.length > 0;
  useEffect(() => {
    if (!some) return undefined;
    const timer = setInterval(() => toast.dropExpired(), 250);
    return () => clearInterval(timer);
  }, [some]);
  return (
    <section
      aria-label={t('shell.notices')}
      className="pointer-events-none fixed inset-x-3 top-[calc(0.5rem+env(safe-area-inset-top))] z-50 flex flex-col items-center gap-2 md:inset-x-auto md:top-auto md:right-4 md:bottom-4 md:items-end"
    >
      <ol aria-live="polite" className="contents">
        {toasts.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

function Entry({ entry }: { entry: Toast }) {
  const t = useT();
  return (
    <li
      data-toast={entry.kind}
      className="pointer-events-auto flex w-full max-w-[400px] animate-toast-in items-start gap-2.5 rounded-xl border border-line-strong bg-raised py-3 pr-2 pl-3.5 shadow-pop md:w-auto md:min-w-[260px]"
      // A finger enters and never leaves, so only a mouse can hold a message.
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && toast.hold(entry.id)}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && toast.release(entry.id)}
    >
      <span className="mt-px">{icons[entry.kind]}</span>
      {/* Not on the list item: an item that is an alert is no item of its list any more. */}
      <span
        role={entry.kind === 'error' ? 'alert' : undefined}
        className="min-w-0 flex-1 pt-px font-medium break-words"
      >
        {entry.text}
      </span>
      {entry.action && (
        <button
          type="button"
          className="shrink-0 px-1 font-semibold text-accent-text hover:underline"
          onClick={() => {
            entry.action?.run();
            toast.dismiss(entry.id);
          }}
        >
          {entry.action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={t('ui.dismiss')}
        className={classNames(
          'grid size-[24px] shrink-0 place-items-center rounded-md text-faint hover:bg-hover hover:text-text pointer-coarse:size-9',
        )}
        onClick={() => toast.dismiss(entry.id)}
      >
        <CloseIcon size={14} />
      </button>
    </li>
  );
}
