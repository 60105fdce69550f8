import { Popover } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';

/** An explanation that opens on hover, focus and touch alike, unlike a tooltip, which a finger never sees. */
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
  return (
    <Popover.Root>
      <Popover.Trigger openOnHover delay={200} render={children} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} collisionPadding={8} className="z-50">
          <Popover.Popup className="max-w-72 rounded-lg border border-line-strong bg-raised px-3 py-2 text-sm text-text shadow-pop outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0">
            <Popover.Title className="text-sm font-semibold">{title}</Popover.Title>
            <Popover.Description className="mt-0.5 text-muted">{text}</Popover.Description>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
