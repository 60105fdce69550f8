// A button with a list of actions below it. Written by hand rather than taken from the component library, because the
// header needs it on the first load, where the library's positioning code would cost more than the whole shell.
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { late } from './late.tsx';
import { classNames } from './class-names.ts';
import { CheckIcon } from './icons.tsx';

/** Not needed on the first load, but when a menu opens. */
const CloseOnBack = late(() => import('./close-menu-on-back.tsx'));

type MenuItem = {
  key: string;
  label: ReactNode;
  icon?: ReactNode;
  /** Given for choices: one of several is the present one. */
  selected?: boolean;
  disabled?: boolean;
  className?: string;
  onSelect: () => void;
};

type MenuProps = {
  /** The name of the button, for assistive technology and on hover. */
  label: string;
  trigger: ReactNode;
  triggerClassName?: string;
  items: readonly MenuItem[];
  /** Shown above the items, not selectable. */
  header?: ReactNode;
  /** Moves a long one, which stands after its button, where it fits, before it is seen. */
  fit?: (popup: HTMLElement | null) => void;
};

function focusable(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[data-menu-item]:not(:disabled)') ?? [])];
}

/** Whether the menu is open. Then the present choice has the focus, or the first item, and a press elsewhere closes it. */
function useOpen(root: RefObject<HTMLElement | null>): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return undefined;
    const selected = root.current?.querySelector<HTMLElement>('[aria-checked="true"]');
    (selected ?? focusable(root.current)[0])?.focus();
    const onOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', onOutside);
    return () => document.removeEventListener('pointerdown', onOutside);
  }, [open, root]);
  return [open, setOpen];
}

export function Menu({ label, trigger, triggerClassName, items, header, fit }: MenuProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useOpen(root);

  function close(): void {
    setOpen(false);
    // The menu's own button stands before everything else in it.
    root.current?.querySelector('button')?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!open) {
      if (event.key === 'ArrowDown') {
        event.preventDefault();
        setOpen(true);
      }
      return;
    }
    const all = focusable(root.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const target = {
      ArrowDown: all[(at + 1) % all.length],
      ArrowUp: all.at(at - 1),
      Home: all[0],
      End: all.at(-1),
    }[event.key];
    if (target) {
      event.preventDefault();
      target.focus();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab') {
      setOpen(false);
    }
  }

  return (
    <div ref={root} className="relative" onKeyDown={onKeyDown}>
      <button
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        title={label}
        className={triggerClassName}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </button>
      {open && (
        <div
          ref={fit}
          className="absolute top-full right-0 z-40 mt-2 min-w-44 rounded-xl border border-line-strong bg-raised p-1.5 shadow-pop"
        >
          <CloseOnBack onBack={close} />
          {header}
          <div id={id} role="menu" aria-label={label}>
            {items.map((item) => (
              <Item key={item.key} item={item} onClose={close} />
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

function Item({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  return (
    <button
      type="button"
      data-menu-item=""
      role={item.selected === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={item.selected}
      disabled={item.disabled}
      tabIndex={-1}
      className={classNames(
        'flex h-9 w-full items-center gap-2.5 rounded-lg px-2.5 text-left font-medium text-text outline-none hover:bg-hover focus:bg-hover disabled:opacity-50 pointer-coarse:h-11',
        item.className,
      )}
      onClick={() => {
        onClose();
        item.onSelect();
      }}
    >
      {item.icon && <span className="text-muted">{item.icon}</span>}
      <span className="flex-1">{item.label}</span>
      {item.selected && <CheckIcon size={15} className="text-accent-text" />}
    </button>
  );
}
