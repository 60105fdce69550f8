// Back closes the innermost open dialog and stays on the page, as people expect it on a phone; menus, and panels that lie over
// the page, are dialogs here. While one is open the browser stands on an entry above the page's: the same address and state,
// marked with the key of the page's entry. The router does not know of it and hears of no move between the two. It leaves
// nothing behind: an address that is pushed takes the entry's place, one that is replaced is handed down to the page's entry,
// and when the last dialog is closed otherwise the browser goes back to the page's entry.
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { beforeRouter } from './dialog-entry.ts';
import type { EntryState } from './dialog-entry.ts';

type OpenDialog = { close: () => void; pageKey: () => string | undefined };

/** The innermost last. */
const openDialogs: OpenDialog[] = [];
/** The entry on which the browser stands; when it has moved, still the one that it left. */
let at = here();
/** A move of our own is under way, after a reload that of dialog-entry.ts: what the router writes meanwhile waits for it. */
let moving = at.state?.dialogOver !== undefined;
let held: (() => void)[] = [];
/** The user went back from the dialog's entry, which is therefore the next one forward. */
let left = false;
let settling: ReturnType<typeof setTimeout> | undefined;

function here(): { state: EntryState; href: string } {
  return { state: history.state as EntryState, href: location.href };
}

function write(how: 'pushState' | 'replaceState', state: EntryState, href?: string | URL | null): void {
  if (moving) {
    held.push(() => write(how, state, href));
    return;
  }
  const over = at.state?.dialogOver;
  if (over === undefined) History.prototype[how].call(history, state, '', href);
  else {
    const next = how === 'pushState' ? state : { ...state, dialogOver: over };
    History.prototype.replaceState.call(history, next, '', href);
  }
  at = here();
  settleSoon();
}

// Only the router writes addresses.
history.pushState = (state: EntryState, _, href) => write('pushState', state, href);
history.replaceState = (state: EntryState, _, href) => write('replaceState', state, href);

beforeRouter.onMove = (event) => {
  const from = at;
  at = here();
  const byUser = !moving;
  moving = false;
  const over = from.state?.dialogOver;
  if (over !== undefined && at.state?.key === over && at.state.dialogOver === undefined) {
    event.stopImmediatePropagation();
    if (from.state?.key !== over) {
      History.prototype.replaceState.call(history, { ...from.state, dialogOver: undefined }, '', from.href);
      at = here();
    }
    left = byUser;
    if (byUser) openDialogs.at(-1)?.close();
  } else if (at.state?.dialogOver !== undefined && at.state.key === from.state?.key) {
    event.stopImmediatePropagation();
  }
  const waiting = held;
  held = [];
  for (const each of waiting) each();
  settleSoon();
};

/** Once all that belongs to a click has happened: a dialog may give way to the next, or to another page. */
function settleSoon(): void {
  clearTimeout(settling);
  settling = setTimeout(settle);
}

function settle(): void {
  if (moving) return;
  const forward = left;
  left = false;
  const innermost = openDialogs.at(-1);
  const isOnEntry = at.state?.dialogOver !== undefined;
  if (isOnEntry === (innermost !== undefined)) return;
  if (isOnEntry || forward) {
    // Not a new entry after Back: Chromium skips what is pushed without a tap.
    moving = true;
    history.go(isOnEntry ? -1 : 1);
  } else if (at.state?.key !== undefined && at.state.key === innermost?.pageKey()) {
    // Not where a page that asks before it is left holds the browser elsewhere.
    History.prototype.pushState.call(history, { ...at.state, dialogOver: at.state.key }, '');
    at = here();
  }
}

/** `onBack` may leave the dialog open, and Back has no effect then. */
export function useCloseOnBack(open: boolean, onBack: () => void): void {
  const { history: routerHistory } = useRouter();
  const close = useEffectEvent(onBack);
  useEffect(() => {
    if (!open) return undefined;
    const dialog: OpenDialog = { close: () => close(), pageKey: () => routerHistory.location.state.key };
    openDialogs.push(dialog);
    settleSoon();
    return () => {
      openDialogs.splice(openDialogs.indexOf(dialog), 1);
      settleSoon();
    };
  }, [open, routerHistory]);
}
