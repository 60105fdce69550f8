import { Dialog as Base } from '@base-ui/react/dialog';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { useT } from '../i18n/i18n.ts';
import { useCloseOnBack } from './close-on-back.ts';
import { CloseIcon } from './icons.tsx';

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  footer?: ReactNode;
  width?: number;
  /** While an action runs that must be seen through: no Escape, no Back, no click beside it, no close button. */
  locked?: boolean;
  children?: ReactNode;
};

/** Typing starts at once; where there is no keyboard, a field with the focus would open one over the dialog. */
function fieldToStart(body: HTMLElement | null): HTMLElement | true {
  if (matchMedia('(pointer: coarse)').matches) return true;
  return body?.querySelector<HTMLElement>('input:is([type=text], [type=password], :not([type])), textarea') ?? true;
}

/** In the middle on wide screens, a sheet from below on a phone. Focus stays inside and returns where it was. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  footer,
  width = 420,
  locked = false,
  children,
}: DialogProps) {
  const t = useT();
  const dismiss = () => {
    if (!locked) onClose();
  };
  useCloseOnBack(open, dismiss);
  const body = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={locked}
      onOpenChange={(next) => {
        if (!next) dismiss();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          initialFocus={() => fieldToStart(body.current)}
          className="fixed inset-x-0 bottom-0 z-40 flex max-h-[92dvh] flex-col rounded-t-2xl border border-line-strong bg-raised shadow-pop outline-none transition-[opacity,translate] duration-150 data-ending-style:opacity-0 data-starting-style:translate-y-3 data-starting-style:opacity-0 sm:inset-auto sm:top-1/2 sm:left-1/2 sm:max-h-[86dvh] sm:w-[calc(100vw-2rem)] sm:max-w-(--dialog-width) sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl sm:data-starting-style:-translate-y-[calc(50%-8px)]"
          style={{ '--dialog-width': `${width}px` } as React.CSSProperties}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-[18px] pb-3">
            <div className="min-w-0">
              <Base.Title className="text-xl! break-words">{title}</Base.Title>
              {description && <Base.Description className="mt-1 text-muted">{description}</Base.Description>}
            </div>
            {!locked && (
              <Base.Close
                aria-label={t('ui.close')}
                className="-mt-1 -mr-2 grid size-8 shrink-0 place-items-center rounded-lg text-faint hover:bg-hover hover:text-text pointer-coarse:size-10"
              >
                <CloseIcon size={17} />
              </Base.Close>
            )}
          </div>
          {/* What sticks to the lower edge keeps to the corners. */}
          <div
            ref={body}
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pb-5 scroll-thin sm:last:rounded-b-[15px]"
          >
            {children}
          </div>
          {footer && (
            <div className="flex flex-wrap justify-end gap-2.5 border-t border-line px-5 py-3.5 pb-[max(0.875rem,env(safe-area-inset-bottom))]">
              {footer}
            </div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
