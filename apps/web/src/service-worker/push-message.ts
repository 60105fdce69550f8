/** What a push message shows and where it leads; written by `apps/server/src/alerts/push-sender.ts`. */
export type PushMessage = { title: string; text: string; path: string };

const EMPTY: PushMessage = { title: 'Hunter', text: '', path: '/account?tab=notifications' };

/** Something is always shown: a browser takes the permission away from an app that gets messages and shows none. */
export function readPushMessage(json: string): PushMessage {
  let read: Partial<Record<keyof PushMessage, unknown>> | null;
  try {
    read = JSON.parse(json) as typeof read;
  } catch {
    return EMPTY;
  }
  const text = (key: keyof PushMessage): string => (typeof read?.[key] === 'string' ? read[key] : EMPTY[key]);
  const path = text('path');
  // Only ever a page of the app itself. Browsers drop line breaks and tabs, which would make `/<tab>/host` into `//host`.
  return { title: text('title'), text: text('text'), path: /^\/(?![/\\])\S*$/.test(path) ? path : EMPTY.path };
}
