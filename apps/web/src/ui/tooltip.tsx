import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

/** A short explanation on hover and focus. The child must be focusable, or keyboard users never learn it. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement<Record<string, unknown>> }) {
  return (
    <Base.Root>
      <Base.Trigger delay={250} render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="max-w-72 rounded-lg border border-line-strong bg-raised px-3 py-2 text-sm text-text shadow-pop transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
