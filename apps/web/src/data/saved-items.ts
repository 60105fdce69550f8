// What pages keep for a user on the server, so that it is there on every device. The browser keeps a copy of its own: it is there at
// once, and for visitors.
import type { CallRequest } from '@hunter/contract/calls';
import { api } from './api.ts';
import { session } from './session.ts';

type SavedKind = CallRequest<'saveMyItem'>['kind'];

/** Somebody who draws changes a line many times a second. */
const LATER_MS = 800;
const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Keeps the newest text of a key a moment after its last change; null forgets it. Nothing happens without a session. */
export function saveItemLater(kind: SavedKind, key: string, value: string | null): void {
  const token = session.store.getState().user?.token;
  if (token === undefined) return;
  const place = `${kind}\n${key}`;
  clearTimeout(waiting.get(place));
  waiting.set(
    place,
    setTimeout(() => {
      waiting.delete(place);
      // Another user may have come meanwhile.
      if (session.store.getState().user?.token !== token) return;
      // The copy in this browser stays; the next change is another attempt.
      api.call('saveMyItem', { kind, key, value }, { quiet: true }).catch(() => undefined);
    }, LATER_MS),
  );
}
