// Written by hand rather than taken from the component library: cards show it on the first load of the busiest pages,
// where the library's positioning code would weigh more than the page itself.
import { cloneElement, useEffect, useId, useRef, useState } from 'react';
import type { MouseEvent, PointerEvent as ReactPointerEvent, ReactElement, ReactNode } from 'react';
import { createPortal } from 'react-dom';

const OPEN_AFTER_MS = 200;
/** Long enough to move from the button onto the explanation. */
const CLOSE_AFTER_MS = 150;
const GAP = 6;
const EDGE = 8;

/** An explanation that opens on hover and on a press, unlike a tooltip, which a finger never sees. */
export function Explain({
  title,
  text,
  children,
}: {
  title: ReactNode;
  text: ReactNode;
  /** A button: it is what opens the explanation. */
  children: ReactElement<Record<string, unknown>>;
}) {
  const id = useId();
  const { anchor, close, onEnter, onLeave, handlers } = useOpening();
  return (
    <>
      {cloneElement(children, {
        'aria-haspopup': 'dialog',
        'aria-expanded': anchor !== null,
        'aria-controls': anchor ? id : undefined,
        ...handlers,
      })}
      {anchor && (
        <Explanation
          id={id}
          title={title}
          text={text}
          anchor={anchor}
          onClose={close}
          onEnter={onEnter}
          onLeave={onLeave}
        />
      )}
    </>
  );
}

/** Opened by a mouse that rests on the button, or by a press, after which it stays when the mouse leaves. */
function useOpening() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [pinned, setPinned] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  const later = (ms: number, next: HTMLElement | null) => {
    stop();
    timer.current = setTimeout(() => setAnchor(next), ms);
  };
  const set = (next: HTMLElement | null) => {
    stop();
    setPinned(next !== null);
    setAnchor(next);
  };
  const onLeave = () => {
    if (!pinned) later(CLOSE_AFTER_MS, null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    anchor,
    close: () => set(null),
    onEnter: stop,
    onLeave,
    handlers: {
      onClick: (event: MouseEvent<HTMLElement>) => set(pinned ? null : event.currentTarget),
      onPointerEnter: (event: ReactPointerEvent<HTMLElement>) => {
        if (event.pointerType === 'mouse' && !anchor) later(OPEN_AFTER_MS, event.currentTarget);
      },
      onPointerLeave: (event: ReactPointerEvent<HTMLElement>) => {
        if (event.pointerType === 'mouse') onLeave();
      },
    },
  };
}

type ExplanationProps = {
  id: string;
  title: ReactNode;
  text: ReactNode;
  anchor: HTMLElement;
  onClose: () => void;
  onEnter: () => void;
  onLeave: () => void;
};

function Explanation({ id, title, text, anchor, onClose, onEnter, onLeave }: ExplanationProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!panel.current?.contains(target) && !anchor.contains(target)) onClose();
    };
    // Before a dialog around it hears the key: one press closes one thing.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onClose();
    };
    document.addEventListener('pointerdown', onPress);
    document.addEventListener('keydown', onKey, true);
    addEventListener('scroll', onClose, true);
    addEventListener('resize', onClose);
    return () => {
      document.removeEventListener('pointerdown', onPress);
      document.removeEventListener('keydown', onKey, true);
      removeEventListener('scroll', onClose, true);
      removeEventListener('resize', onClose);
    };
  });
  return createPortal(
    <div
      ref={(element) => {
        panel.current = element;
        if (element) place(element, anchor);
      }}
      id={id}
      role="dialog"
      aria-labelledby={`${id}-title`}
      className="fixed z-50 max-w-72 rounded-lg border border-line-strong bg-raised px-3 py-2 text-sm text-text shadow-pop transition-opacity duration-100 starting:opacity-0"
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
      // What is pressed inside is not pressed on the card or row around the button.
      onClick={(event) => event.stopPropagation()}
    >
      <h2 id={`${id}-title`} className="text-sm font-semibold">
        {title}
      </h2>
      <p className="mt-0.5 text-muted">{text}</p>
    </div>,
    // Inside a dialog it belongs to the dialog, which would otherwise take a press on it for one outside.
    anchor.closest('[role="dialog"]') ?? document.body,
  );
}

/** Below the button, or above it where there is more room, and never beyond the edge of the window. */
function place(panel: HTMLElement, anchor: HTMLElement): void {
  const { left, top, bottom, width } = anchor.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = panel;
  const above = bottom + GAP + offsetHeight > innerHeight - EDGE && top > innerHeight - bottom;
  const wanted = left + width / 2 - offsetWidth / 2;
  const x = Math.max(EDGE, Math.min(wanted, innerWidth - offsetWidth - EDGE));
  const y = above ? top - GAP - offsetHeight : bottom + GAP;
  // A dialog that is moved by a transform is what "fixed" then counts from.
  panel.style.left = panel.style.top = '0';
  const origin = panel.getBoundingClientRect();
  panel.style.left = `${x - origin.left}px`;
  panel.style.top = `${y - origin.top}px`;
}
