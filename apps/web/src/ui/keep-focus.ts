// A browser drops the focus to the top of the page when what has it is disabled or removed.
import { useEffect, useRef, useState } from 'react';
import type { FocusEvent, RefObject } from 'react';
import { mayTakeFocus } from './may-take-focus.ts';

type FocusHandlers<T> = {
  onFocus?: ((event: FocusEvent<T>) => void) | undefined;
  onBlur?: ((event: FocusEvent<T>) => void) | undefined;
};

/** What switches a control off: while it has the focus it is only said to be disabled, and must itself ignore what is done to it. */
export function useDisabled<T extends HTMLElement>(isOff: boolean, { onFocus, onBlur }: FocusHandlers<T>) {
  const [focused, setFocused] = useState(false);
  return {
    disabled: isOff && !focused,
    'aria-disabled': isOff || undefined,
    onFocus: (event: FocusEvent<T>) => {
      setFocused(true);
      onFocus?.(event);
    },
    onBlur: (event: FocusEvent<T>) => {
      // Another window has come to the front; the focus is back with this one.
      if (document.activeElement !== event.currentTarget) setFocused(false);
      onBlur?.(event);
    },
  };
}

/** For an element that can have the focus: it takes it when what had it inside is gone, as the button of a row that was closed. */
export function useFocusOfRemoved<T extends HTMLElement>(): RefObject<T | null> {
  const box = useRef<T>(null);
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const element = box.current;
    const onFocusIn = ({ target }: Event) => {
      last.current = target as Element;
    };
    element?.addEventListener('focusin', onFocusIn);
    return () => element?.removeEventListener('focusin', onFocusIn);
  }, []);
  useEffect(() => {
    if (last.current === null || last.current.isConnected || !mayTakeFocus()) return;
    last.current = null;
    box.current?.focus({ preventScroll: true });
  });
  return box;
}
