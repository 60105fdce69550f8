import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { anAccount, logInAs } from './test-account.ts';
import { anyToken } from './test-money.ts';
import type { MarketToken } from './test-money.ts';
import { expectToast } from './toasts.ts';
import { expect, refusedCall, test } from './web-test.ts';

/** The page with its chart is the heaviest there is; a machine that is busy with other tests takes its time. */
const LOADED = { timeout: 45_000 };

async function openToken(
  page: Page,
  request: APIRequestContext,
  search = '',
  account = anAccount(request),
): Promise<MarketToken> {
  await logInAs(page, await account);
  const token = await anyToken(request);
  await page.goto(`/token/${token.tokenContractAddress}${search}`);
  await expect(page.getByTestId('token-symbol').or(page.locator('main').getByRole('alert')).first()).toBeVisible(
    LOADED,
  );
  return token;
}

const header = (page: Page) => page.getByTestId('token-header');
const chartReady = (page: Page) => expect(page.locator('[data-testid=chart][data-phase=ready]')).toBeVisible(LOADED);

test('shows a token: name, price, safety, figures, candles, market and the hot list', async ({
  page,
  context,
  request,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // As late as it may be: the account is made before the page is opened.
  const candles = page.waitForResponse(/\/api\/v1\/kline\?.*interval=15m/, { timeout: 0 });
  const token = await openToken(page, request);
  await expect(page.getByTestId('token-symbol')).toHaveText(token.tokenSymbol);
  await expect(header(page)).toContainText(token.tokenName);
  await expect(page.getByTestId('token-price')).toContainText('$');
  await expect(page.getByTestId('token-price')).toContainText('SOL');
  for (const label of ['Market cap', 'Liquidity', 'Holders', 'Supply', '24h volume']) {
    await expect(page.getByTestId('token-stats').getByText(label, { exact: true })).toBeVisible();
  }
  await header(page)
    .getByRole('button', { name: /^Copy address/ })
    .click();
  await expectToast(page, 'Address copied to clipboard');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token.tokenContractAddress);

  expect((await candles).ok()).toBe(true);
  await chartReady(page);
  await expect(page.getByRole('img', { name: /^Candles of / })).toBeVisible();
  // The library would take the first place in the tab order.
  await expect(page.locator('[tabindex="1"]')).toHaveCount(0);

  const market = page.getByTestId('market-card');
  for (const label of ['Buys', 'Sells', 'Trades', 'Volume', 'Holders']) await expect(market).toContainText(label);
  await expect(page).toHaveTitle(new RegExp(`^\\$\\S+ .* · Hunter$`));

  const rows = page.getByTestId('hot-row');
  await expect(rows.nth(5)).toBeVisible(LOADED);
  const period = page.waitForRequest(/getTokenHotList\?.*period=5m/);
  await page.getByTestId('hot-list').getByText('5m', { exact: true }).click();
  await period;
  // Rows change their places with the market, so one is chosen by where it leads.
  const href = (await rows.filter({ hasNotText: token.tokenSymbol }).first().getAttribute('href')) ?? '';
  await page.locator(`[data-testid=hot-row][href="${href}"]`).click();
  await expect(page).toHaveURL(new RegExp(href.replace(/\?.*$/, '')));
  await expect(page.getByTestId('token-symbol')).not.toHaveText(token.tokenSymbol, LOADED);
});

test('keeps interval and tab in the address, and offers indicators and drawing tools', async ({ page, request }) => {
  const token = await openToken(page, request, '?interval=nonsense');
  await chartReady(page);
  const hourly = page.waitForRequest(/kline\?.*interval=1h/);
  await page.getByRole('radiogroup', { name: 'Interval' }).getByText('1h', { exact: true }).click();
  await hourly;
  await expect(page).toHaveURL(/interval=1h/);
  await page.getByRole('tab', { name: 'Holders' }).click();
  await expect(page).toHaveURL(/tab=holders/);
  const again = page.waitForRequest(/kline\?.*interval=1h/);
  await page.reload();
  await again;
  await expect(page.getByTestId('token-symbol')).toHaveText(token.tokenSymbol, LOADED);
  await expect(page.getByRole('tab', { name: 'Holders' })).toHaveAttribute('aria-selected', 'true');

  await chartReady(page);
  await page.getByRole('button', { name: 'Indicators' }).click();
  await page.getByRole('menuitemradio', { name: /^BOLL/ }).click();
  await page.getByRole('button', { name: 'Indicators' }).click();
  await expect(page.getByRole('menuitemradio', { name: /^BOLL/ })).toHaveAttribute('aria-checked', 'true');
  await expectAccessibleInBothThemes(page, '[role=menu]');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Draw' }).click();
  await expect(page.getByRole('menuitem', { name: 'Horizontal line' })).toBeVisible();
  await expectAccessibleInBothThemes(page, '[role=menu]');
  await page.getByRole('menuitem', { name: 'Horizontal line' }).click();
  await page.getByTestId('chart').click({ position: { x: 200, y: 120 } });
  await page.getByRole('button', { name: 'Draw' }).click();
  await page.getByRole('menuitem', { name: 'Remove all drawings' }).click();
  await chartReady(page);
});

test('the menus of the chart stay on a small screen, each item on its line', async ({ page, request }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await openToken(page, request);
  await chartReady(page);
  for (const name of ['Indicators', 'Draw']) {
    await page.getByRole('button', { name }).click();
    const menu = page.getByRole('menu', { name });
    await expect(menu).toBeInViewport();
    const scrolled = await page.evaluate('scrollY');
    for (const item of await menu.locator('[data-menu-item]:visible').all()) {
      await item.scrollIntoViewIfNeeded();
      await expect(item).toBeInViewport({ ratio: 1 });
      expect(await item.evaluate((button) => button.scrollHeight - button.clientHeight)).toBeLessThanOrEqual(0);
    }
    expect(await page.evaluate('scrollY'), 'the menu scrolls, not the page').toBe(scrolled);
    await page.keyboard.press('Escape');
  }
});

test('lists alerts with their hit rates, trades that go on, and holders with their share', async ({
  page,
  request,
}) => {
  await openToken(page, request);
  const trades = page.getByTestId('trades').getByRole('row');
  await expect(trades.nth(1)).toBeVisible(LOADED);
  await expect(trades.nth(1)).toContainText(/Buy|Sell/);
  await page.getByText('Mine', { exact: true }).click();
  await expect(page.getByText('You have not traded this token yet')).toBeVisible();

  await page.getByRole('tab', { name: 'Golden dog alert' }).click();
  const rates = page.getByTestId('hit-rates');
  for (const trigger of ['Smart money buys', 'Volume surge', 'Breakout', 'Strategy creator buys']) {
    await expect(rates.getByRole('row').filter({ hasText: trigger })).toBeVisible();
  }
  await expect(rates).toContainText('Misses');
  const all = page.waitForRequest((sent) => {
    const url = new URL(sent.url());
    return url.pathname === '/api/token/getTokenGoldenDogNotice' && !url.searchParams.has('tokenContractAddress');
  });
  await page.getByText('All tokens', { exact: true }).click();
  await all;

  await page.getByRole('tab', { name: 'Holders' }).click();
  const holders = page.getByTestId('holders').getByRole('row');
  await expect(holders.nth(3)).toBeVisible();
  await expect(holders.nth(1)).toContainText('%');
  // Neither the head nor the pool, which stands in the list, is a holder. All read at once: the list follows the market.
  const [count, total, rows] = await page.getByRole('tabpanel').evaluate((tab) => {
    const [, shown, all] = /The (\d+) largest of (\d+) holders/.exec(tab.textContent) ?? [];
    return [Number(shown), Number(all), tab.querySelectorAll('tr').length] as const;
  });
  expect(count).toBeLessThanOrEqual(total);
  expect(count).toBeLessThan(rows - 1);
});

test('moves with the market', async ({ page, request }) => {
  await openToken(page, request);
  const list = page.getByTestId('hot-list').getByRole('list');
  await expect(page.getByTestId('hot-row').nth(5)).toBeVisible(LOADED);
  const before = await list.innerText();
  await expect.poll(() => list.innerText(), { timeout: 45_000 }).not.toBe(before);
});

test('says what could not be loaded in the words of the product, and tries again', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(refusedCall(400), refusedCall(404));
  const refuse = { status: 200, json: { code: 1, msg: '', data: null } };
  // The page also asks again by itself, now and then and whenever the stream tells of something: until the button is pressed it is
  // refused.
  await page.routeWebSocket('**/api/stream', () => {});
  const presses = () => page.evaluate(() => Number(document.documentElement.dataset['presses'] ?? 0));
  await page.addInitScript(() => {
    const count = (event: Event): void => {
      const { dataset } = document.documentElement;
      const button = (event.target as Element).closest('button');
      if (button?.textContent === 'Try again') dataset['presses'] = String(Number(dataset['presses'] ?? 0) + 1);
    };
    document.addEventListener('click', count, true);
  });
  const calls = ['getTokenHotList', 'getTokenBaseInfo', 'getTokenTransactionData'] as const;
  for (const [before, call] of calls.entries()) {
    await page.route(`**/api/token/${call}*`, async (route) =>
      (await presses()) > before ? route.fallback() : route.fulfill(refuse),
    );
  }
  const tryAgain = (place: Page | Locator) => place.getByRole('button', { name: 'Try again' }).click();
  const token = await openToken(page, request);
  await expect(page.getByText('Failed to get token info')).toBeVisible();
  await expect(page.getByTestId('hot-list').getByText('Failed to get token list')).toBeVisible();
  await tryAgain(page.getByTestId('hot-list'));
  await expect(page.getByTestId('hot-row').first()).toBeVisible();
  await tryAgain(page);
  await expect(page.getByTestId('token-symbol')).toHaveText(token.tokenSymbol);
  await expect(page.getByText('Failed to get trade info')).toBeVisible();
  await tryAgain(page);
  await expect(page.getByTestId('trades').getByRole('row').nth(1)).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });

  await page.goto('/token/11111111111111111111111111111111');
  await expect(page.locator('main').getByText('No tokens found')).toBeVisible();
  await page.goto('/token/not-an-address');
  await expect(page.locator('main').getByText('No tokens found')).toBeVisible();
});

test('explains safety, never shows the unknown as safe, and keeps a hostile name inert', async ({ page, request }) => {
  await page.route('**/api/token/getTokenBaseInfo*', async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as {
      data: {
        token: { tokenName: string };
        safety: { badges: { key: string; level: string; value: string | null }[] };
      };
    };
    json.data.token.tokenName = '<img src=x onerror="window.hacked=1">\u202egnp';
    json.data.safety.badges = [
      { key: 'mint-authority', level: 'unknown', value: null },
      { key: 'freeze-authority', level: 'danger', value: 'somebody' },
      { key: 'name', level: 'danger', value: 'markup, look-alike' },
    ];
    await route.fulfill({ json });
  });
  await openToken(page, request);
  const unknown = page.locator('[data-safety=mint-authority]');
  await expect(unknown).toHaveText('Mint authority · unknown');
  await expect(unknown.locator('.text-up')).toHaveCount(0);
  await page.locator('[data-safety=freeze-authority]').click();
  await expect(page.getByRole('dialog', { name: 'Freeze authority' })).toContainText(
    'The freeze authority can freeze your tokens.',
  );
  await expect(page.getByTestId('name-warning')).toContainText('The symbol imitates a well-known token.');
  await expect(header(page)).toContainText('<img src=x onerror=');
  expect(await page.evaluate('window.hacked')).toBeUndefined();
});

test('shows new alerts as messages until they are set quiet', async ({ page, request }) => {
  let tell: ((message: object) => void) | undefined;
  const subscribed = new Promise<void>((resolve) => {
    void page.routeWebSocket('**/api/stream', (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        server.send(message);
        if (String(message).includes('"subscribe","channel":"notices"')) resolve();
      });
      server.onMessage((message) => socket.send(message));
      tell = (message) => socket.send(JSON.stringify(message));
    });
  });
  const token = await openToken(page, request, '?tab=notices', anAccount(request, { quietNotices: false }));
  const notice = (value: string) => ({
    op: 'data',
    channel: 'notices',
    key: 'all',
    seq: 1_000_000,
    data: { ...token, id: value, trigger: 'volume-surge', detail: value, time: 0 },
  });
  const quiet = page.getByLabel('Alert pop-ups');
  await expect(quiet).toBeChecked();
  await subscribed;
  // The page begins to show alerts a moment after everything else.
  await expect(async () => {
    tell?.(notice('4242'));
    await expectToast(page, '5-minute volume 4242×', { timeout: 1_000 });
  }).toPass();
  await quiet.uncheck();
  await expectToast(page, 'Alert pop-ups are off');
  // What the tab fetches because of the alert is proof that the page has seen it.
  const fetched = page.waitForResponse('**/api/token/getTokenGoldenDogNotice*');
  tell?.(notice('777'));
  await fetched;
  await expect(page.locator('html')).not.toHaveAttribute('data-toasts', /5-minute volume 777×/);
  await page.reload();
  await expect(quiet).toBeEnabled(LOADED);
  await expect(quiet).not.toBeChecked();
});

test('speaks Chinese', async ({ page, request }) => {
  await page.addInitScript(() => localStorage.setItem('i18nextLng', 'zh'));
  await openToken(page, request);
  for (const name of ['金狗提醒', '交易历史', '持有人']) await expect(page.getByRole('tab', { name })).toBeVisible();
  await expect(page.getByTestId('token-stats')).toContainText('市值');
  await expect(page.getByTestId('trade-panel')).toContainText('买入');
  await expect(
    page
      .getByTestId('trades')
      .getByText(/前$|刚刚/)
      .first(),
  ).toBeVisible();
});

test('a long name leaves the symbol whole', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route('**/api/token/getTokenBaseInfo*', async (route) => {
    const json = (await (await route.fetch()).json()) as { data: { token: object } };
    Object.assign(json.data.token, { tokenSymbol: 'LONGEST', tokenName: 'A very long name that never ends' });
    await route.fulfill({ json });
  });
  await openToken(page, request);
  const symbol = page.getByTestId('token-symbol');
  await expect(symbol).toHaveText('LONGEST');
  expect(await symbol.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
});

test('keeps no line free for badges where those there are need fewer', async ({ page, request }) => {
  await openToken(page, request);
  const list = page.getByTestId('token-header').getByRole('list', { name: 'Safety' });
  await expect(list).toBeVisible();
  const free = await list.evaluate((badges) => badges.parentElement!.clientHeight - badges.clientHeight);
  expect(free).toBe(0);
});

for (const width of [1440, 390]) {
  test(`has no accessibility violation at ${width} px, and nothing beyond the screen`, async ({ page, request }) => {
    await page.setViewportSize({ width, height: 900 });
    await openToken(page, request);
    await chartReady(page);
    await expect(page.getByTestId('trades').getByRole('row').nth(1)).toBeVisible();
    await expectAccessibleInBothThemes(page);
    for (const tab of ['Golden dog alert', 'Holders']) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByRole('tabpanel').getByRole('row').nth(1)).toBeVisible();
      await expectAccessibleInBothThemes(page, '[role=tabpanel]');
    }
    const sideways = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(sideways).toBeLessThanOrEqual(0);
  });
}
