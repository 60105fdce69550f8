import { session } from './data/session.ts';
import { renewPush } from './features/alerts/push-browser.ts';
import { i18n, loadAreas } from './i18n/i18n.ts';
import { router } from './router.tsx';
import { toast } from './ui/toast-store.ts';

const UPDATE_EVERY_MS = 3_600_000;

/** Loaded a while after the page: nothing of it is needed to see the first one. */
export async function startServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const registration = (await navigator.serviceWorker.register('/sw.js')) as ServiceWorkerRegistration | undefined;
  // A browser that forbids it answers nothing.
  if (!registration) return;
  // The page came from the network just now, so a worker that has been waiting is of the page's own build.
  registration.waiting?.postMessage('activate');
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    if (!navigator.serviceWorker.controller) return;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') void offerReload(installing);
    });
  });
  setInterval(() => void registration.update().catch(() => {}), UPDATE_EVERY_MS);
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open && data.open !== router.state.location.href) router.history.push(data.open);
  });
  session.store.subscribe(({ user }, before) => {
    if (user && user.email !== before.user?.email) void renewPush(user.email);
  });
  const { user } = session.store.getState();
  if (user) await renewPush(user.email);
}

/** Stays until it is answered; who goes on working gets the new version with the next page that is loaded. */
async function offerReload(worker: ServiceWorker): Promise<void> {
  await loadAreas(['app']);
  const id = toast.info(i18n.t('app.newVersion'), {
    label: i18n.t('app.reload'),
    run: () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no other origin.
      worker.postMessage('activate');
      location.reload();
    },
  });
  toast.hold(id);
}
