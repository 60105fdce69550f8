// The service worker: shows push messages, and stands in for a network that is slow or gone. It never holds back a new
// version: the app's document comes from the network, and only where that takes long from the cache, whose files all belong to
// one build. What the API answers is never kept.
import { chooseWindow } from './choose-window.ts';
import { readPushMessage } from './push-message.ts';
import { requestKind } from './request-kind.ts';

/** Filled in by the build: what the app starts from, and a hash of it. */
declare const SHELL: { version: string; files: string[] };

type LifeEvent = Event & { waitUntil: (work: Promise<unknown>) => void };
type FetchEvent = LifeEvent & { request: Request; respondWith: (reply: Promise<Response>) => void };
type PushEvent = LifeEvent & { data: { text: () => string } | null };
type ClickEvent = LifeEvent & { notification: Notification };
type Events = {
  install: LifeEvent;
  activate: LifeEvent;
  fetch: FetchEvent;
  message: MessageEvent;
  push: PushEvent;
  notificationclick: ClickEvent;
};
type Window = { url: string; focus: () => Promise<Window>; postMessage: (message: unknown) => void };
/** The part of a worker's scope that is used here; the web app is typed for pages. */
type Scope = {
  addEventListener: <Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void) => void;
  skipWaiting: () => Promise<void>;
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll: (query: { type: 'window'; includeUncontrolled: boolean }) => Promise<Window[]>;
    openWindow: (url: string) => Promise<unknown>;
  };
};

const scope = self as unknown as Scope;
const CACHE = `shell-${SHELL.version}`;
const DOCUMENT = '/';
const OFFLINE_PAGE = '/offline.html';
/** After this long the app starts from the cache, and its data come when they come. */
const SLOW_MS = 4_000;

scope.addEventListener('install', (event) =>
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL.files))),
);
scope.addEventListener('activate', (event) => event.waitUntil(removeOtherBuilds()));
scope.addEventListener('message', ({ data }) => void (data === 'activate' && scope.skipWaiting()));
scope.addEventListener('fetch', (event) => {
  const kind = requestKind(event.request, location.origin);
  if (kind === 'asset') event.respondWith(asset(event.request));
  if (kind === 'page') event.respondWith(page(event.request));
});
scope.addEventListener('push', (event) => event.waitUntil(show(event.data?.text() ?? '')));
scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as { path: string }).path));
});

const kept = async (request: Request | string) => (await caches.open(CACHE)).match(request);

async function removeOtherBuilds(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

async function asset(request: Request): Promise<Response> {
  const known = await kept(request);
  if (known) return known;
  const fresh = await fetch(request);
  if (fresh.ok) await (await caches.open(CACHE)).put(request, fresh.clone());
  return fresh;
}

async function page(request: Request): Promise<Response> {
  const fresh = fetch(request);
  const slow = new Promise((resolve) => setTimeout(resolve, SLOW_MS)).then(() => kept(DOCUMENT));
  try {
    return await Promise.race([fresh, slow.then((shell) => shell ?? fresh)]);
  } catch {
    return (await kept(OFFLINE_PAGE)) ?? Response.error();
  }
}

function show(json: string): Promise<void> {
  const { title, text, path } = readPushMessage(json);
  const look = { icon: '/icons/icon-192.png', badge: '/icons/badge-96.png' };
  return scope.registration.showNotification(title, { body: text, data: { path }, ...look });
}

/** In a window that is open already, where one is. */
async function open(path: string): Promise<void> {
  const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const window = chooseWindow(windows, path, location.origin);
  if (!window) return void (await scope.clients.openWindow(path));
  await window.focus();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of this worker has its origin.
  window.postMessage({ open: path });
}
