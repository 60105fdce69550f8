import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { anAccount, logInAs } from './test-account.ts';
import { expect, lostCall, test } from './web-test.ts';

test.use({ serviceWorkers: 'allow' });

/** Registered some seconds after the page: waits until it controls the pages that come. */
async function untilInstalled(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
}

/** Delivers a push message as the browser's push service would; subscribing to it needs the internet. */
async function deliverPush(cdp: CDPSession, page: Page, data: string): Promise<void> {
  const known = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await known, data });
}

type Shown = { title: string; body: string | undefined; data: unknown };

/** What the worker asks the browser to show. Chromium without windows shows nothing, so it is written down instead. */
async function recordShown(context: BrowserContext): Promise<() => Promise<Shown[]>> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await worker.evaluate(() => {
    const place = globalThis as unknown as { shown: Shown[]; registration: ServiceWorkerRegistration };
    place.shown = [];
    place.registration.showNotification = (title, options) => {
      place.shown.push({ title, body: options?.body, data: options?.data as unknown });
      return Promise.resolve();
    };
  });
  return () => worker.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown);
}

async function keptAddresses(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const caches_ = await Promise.all(names.map((name) => caches.open(name)));
    const requests = (await Promise.all(caches_.map((cache) => cache.keys()))).flat();
    return requests.map(({ url }) => new URL(url).pathname);
  });
}

async function openOffline(context: BrowserContext, page: Page, path: string): Promise<void> {
  await context.setOffline(true);
  await page.goto(path);
}

test('the app can be installed: it has a manifest, icons and a service worker that shows push messages, and says when it is offline', async ({
  page,
  context,
  request,
  expectErrors,
}) => {
  // The session that is restored asks for its wallet, maybe while the connection goes.
  expectErrors(lostCall, /net::ERR_INTERNET_DISCONNECTED/, /^The wallet could not be loaded/);
  await context.grantPermissions(['notifications']);
  const account = await anAccount(request);
  await logInAs(page, account);
  await page.goto('/account?tab=notifications');

  const cdp = await context.newCDPSession(page);
  const { errors } = await cdp.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = (await (await request.get('/manifest.webmanifest')).json()) as { icons: { src: string }[] };
  for (const { src } of [...manifest.icons, { src: '/icons/apple-180.png' }, { src: '/icons/badge-96.png' }]) {
    expect((await request.get(src)).headers()['content-type'], src).toBe('image/png');
  }

  await expect(page.getByTestId('alert-channels')).toContainText('Telegram is not set up on this installation.');
  await untilInstalled(page);
  const message = { title: 'Skipped: buy CAT', text: 'Moon: coin cap', path: '/strategies/moon' };
  const shown = await recordShown(context);
  await deliverPush(cdp, page, JSON.stringify(message));
  await expect.poll(shown).toEqual([{ title: message.title, body: message.text, data: { path: message.path } }]);

  // Loaded again, its files come through the worker; what the API answers and the page /verify are never kept.
  await (await context.newPage()).goto('/verify');
  await page.goto('/discover');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const kept = await keptAddresses(page);
  expect(kept).toContain('/offline.html');
  expect(kept.filter((path) => path.startsWith('/api') || path.startsWith('/verify'))).toEqual([]);

  await openOffline(context, page, '/account');
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await expect(page.getByRole('heading', { name: '无网络连接' })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('No connection');
});
