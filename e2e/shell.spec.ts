import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { answer } from './answer-call.ts';
import { tabTo } from './keyboard.ts';
import { aFundedAccount, anyToken, CHAIN } from './test-money.ts';
import { anAccount, logInAs } from './test-account.ts';
import { expect, lostCall, refusedCall, test } from './web-test.ts';

const header = (page: Page) => page.getByRole('banner');
const searchInput = (page: Page) => page.getByRole('combobox', { name: 'Search tokens' });
const toasts = (page: Page) => page.locator('[data-toast]');

test.describe('routes', () => {
  test('an anonymous visitor of a page for users is sent to the login page, which knows where to return', async ({
    page,
  }) => {
    for (const path of ['/strategies', '/strategies/some-slug', '/myfollowing', '/mystrategy', '/account']) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/login\?redirect=/);
      expect(new URL(page.url()).searchParams.get('redirect')).toBe(path);
    }
  });

  test('login, registration and a forgotten password are open to everyone', async ({ page }) => {
    for (const path of ['/login', '/register', '/forgot-password']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
    }
  });

  test('any other path shows a 404 page that leads on', async ({ page }) => {
    await page.goto('/no/such/page');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect(page.getByText('/no/such/page')).toBeVisible();
    await expect(page).toHaveTitle('Page not found · Hunter');
    await expect(page.getByRole('link', { name: 'Go to strategies' })).toBeVisible();
  });

  test('the root leads to the strategies, and Back does not return to it', async ({ page, request }) => {
    await logInAs(page, await anAccount(request));
    await page.goto('/register');
    await page.goto('/');
    await expect(page).toHaveURL(/\/strategies$/);
    await page.goBack();
    await expect(page).toHaveURL(/\/register$/);
  });

  test('a link with values that no page knows opens the usual view', async ({ page, request }) => {
    await logInAs(page, await anAccount(request));
    await page.goto('/account?tab=positions');
    await expect(page.getByRole('tab', { name: 'My strategy' })).toHaveAttribute('aria-selected', 'true');
    await page.goto('/traders?period=1y&sort=name');
    await expect(page.getByRole('radio', { name: '7 days' })).toBeChecked();
    await expect(page.getByRole('radio', { name: 'Profit' })).toBeChecked();
    await page.goto('/strategies?sort=name&tier=old&state=none');
    await expect(page.getByRole('radio', { name: 'Score' })).toBeChecked();
    await page.goto('/discover?list=best&period=1y&view=cards');
    await expect(page.getByRole('radio', { name: 'Table' })).toBeChecked();
    await expect(page.getByRole('radio', { name: '1h', exact: true })).toBeChecked();
  });

  test('a tab that is never painted still starts the app, and asks for none of it before', async ({ page }) => {
    await page.addInitScript(() => {
      globalThis.requestAnimationFrame = () => 0;
    });
    await page.goto('/login');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('#first-paint')).toHaveCount(0);
    // The boot script waits a second for the first paint, counted from here.
    const beforeApp = await page.evaluate(() => {
      const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      const resources = performance.getEntriesByType('resource');
      return resources.flatMap(({ name, startTime }) =>
        startTime < document!.domContentLoadedEventStart + 900 ? [name.replace(/^.*\/|-.{8}(?=\.)/g, '')] : [],
      );
    });
    // Font and icon may come within that time or later, as the machine is.
    expect(beforeApp.filter((name) => name.endsWith('.js'))).toEqual(['boot.js']);
    expect(beforeApp.filter((name) => name.endsWith('.css'))).toEqual(['index.css']);
  });

  test('a page whose code is on its way shows a large spinner', async ({ page, request }) => {
    await logInAs(page, await anAccount(request));
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/account-page-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/strategies');
    await header(page).getByRole('link', { name: 'Account' }).click();
    await expect(page.getByRole('progressbar')).toBeVisible();
    expect((await page.getByTestId('spinner').boundingBox())?.height).toBeGreaterThanOrEqual(400);
    release();
    await expect(page.getByRole('progressbar')).toBeHidden();
    await expect(page).toHaveURL(/\/account$/);
  });
});

test('icon buttons beside text are at least 24 px wide and high', async ({ page, request }) => {
  const token = await anyToken(request);
  await logInAs(page, await anAccount(request));
  const expectSize = async (name: RegExp) => {
    const box = await page.getByRole('button', { name }).boundingBox();
    expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(24);
  };
  await page.goto('/discover?f=holders_1_');
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.getByLabel('Save as').fill('Held');
  await page.getByRole('button', { name: 'Save filter' }).click();
  await expectSize(/^Delete the saved filter/);
  await page.keyboard.press('Escape');
  await expectSize(/^Remove the filter/);
  await page.goto(`/token/${token.tokenContractAddress}`);
  await expectSize(/^Set a price alert/);
  const points = [1, 2].map((at) => ({ t: at, equity: '10', profit: '0' }));
  const data = { range: '7d', points, profit: '0', profitRate: '0' };
  await answer(page, '/api/user/getMyEquity', { body: { code: 200, msg: '', data } });
  await page.goto('/account');
  await expectSize(/^PnL in this range/);
});

test('the guide button covers nothing at the end of a page', async ({ page, request }) => {
  await logInAs(page, await anAccount(request));
  await page.goto('/discover');
  const guide = page.getByTestId('guide-pill');
  await expect(guide).toBeVisible();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const end = async () => {
    const last = await page.locator('#content dl').last().boundingBox();
    return last === null ? Infinity : last.y + last.height;
  };
  await expect.poll(end).toBeLessThanOrEqual((await guide.boundingBox())?.y ?? 0);
});

test('a wide screen gives all columns of Discover their part of its room', async ({ page }) => {
  await page.setViewportSize({ width: 2560, height: 1300 });
  await page.goto('/discover');
  const width = (name: string) =>
    page
      .getByTestId('discover-table')
      .getByRole('columnheader', { name })
      .evaluate((head) => head.getBoundingClientRect().width);
  expect(await width('Trend')).toBeGreaterThan((await width('Price')) * 0.8);
});

test.describe('the header', () => {
  test('names the product and holds menu, search, theme, language and login in that order', async ({ page }) => {
    await page.goto('/login');
    await expect(header(page).getByRole('link', { name: /Hunter/ })).toBeVisible();
    const order = await Promise.all(
      [
        header(page).getByRole('link', { name: /Hunter/ }),
        header(page).getByRole('link', { name: 'Discover' }),
        header(page).getByRole('link', { name: 'Strategy' }),
        header(page).getByRole('link', { name: 'Account' }),
        searchInput(page),
        page.getByTestId('theme-toggle'),
        header(page).getByRole('button', { name: 'Language' }),
        page.getByTestId('login-button'),
      ].map(async (part) => (await part.boundingBox())?.x ?? -1),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    await expect(page.getByTestId('header-balance')).toHaveCount(0);
    await page.goto('/register');
    await page.getByTestId('login-button').click();
    await expect(page).toHaveURL(/\/login$/);
  });

  test('says that the market is simulated', async ({ page }) => {
    await page.goto('/login');
    await expect(header(page).getByText('simulated market')).toBeVisible();
  });

  test('shows the user with a balance in SOL, and logging out clears the session', async ({ page, request }) => {
    const account = await anAccount(request);
    await logInAs(page, account);
    await page.goto('/strategies');
    await expect(page.getByTestId('header-balance')).toHaveText(/^\d+\.\d\d SOL$/);
    await expect(page.getByTestId('login-button')).toHaveCount(0);
    await page.getByRole('button', { name: /Your account, equity/ }).click();
    await expect(page.getByText(account.email)).toBeVisible();
    await expectAccessibleInBothThemes(page, '[role=menu]');
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    await page.goto('/account');
    await expect(page).toHaveURL(/\/login/);
    await expect
      .poll(async () => (await request.get('/api/user/myWallet', { headers: { token: account.token } })).status())
      .toBe(401);
  });

  test('shows the default picture when the avatar fails to load', async ({ page, request, expectErrors }) => {
    expectErrors(refusedCall(404));
    await logInAs(page, await aFundedAccount(request));
    const wallet = { walletAddress: 'W', tokenBalance: '12.48', available: '1', committed: '0', withdrawable: '1' };
    const walletInfo = { ...wallet, equity: '12.48' };
    await answer(page, '/api/user/myWallet', {
      body: { code: 200, msg: '', data: { email: 'a@example.com', avatar: '/no-such-picture.png', walletInfo } },
    });
    await page.goto('/strategies');
    await expect(page.getByTestId('header-balance')).toHaveText('12.48 SOL');
    await expect(header(page).locator('img[src="/default-avatar.svg"]')).toBeVisible();
  });

  test('survives a failing wallet lookup, which is only logged', async ({ page, request, expectErrors }) => {
    expectErrors(refusedCall(500), /^The wallet could not be loaded/);
    await logInAs(page, await anAccount(request));
    await answer(page, '/api/user/myWallet', { status: 500 });
    const logged = page.waitForEvent('console', (message) => message.text().includes('The wallet could not be loaded'));
    await page.goto('/strategies');
    await logged;
    await expect(toasts(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/strategies$/);
  });
});

test.describe('theme and language', () => {
  test('the theme is dark at first, turns light and stays so', async ({ page }) => {
    await page.goto('/login');
    const html = page.locator('html');
    await expect(html).toHaveAttribute('data-theme', 'dark');
    await page.getByTestId('theme-toggle').click();
    await expect(html).toHaveAttribute('data-theme', 'light');
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light');
    await page.reload();
    await expect(html).toHaveAttribute('data-theme', 'light');
    await page.getByTestId('theme-toggle').click();
    await expect(html).toHaveAttribute('data-theme', 'dark');
  });

  test('the language changes from the menu and is remembered', async ({ page }) => {
    await page.goto('/login');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitemradio', { name: '简体中文' }).click();
    await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('i18nextLng'))).toBe('zh');
    await page.reload();
    await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
    await expect(page).toHaveTitle('登录 · Hunter');
  });

  test('the query string decides before the cookie, the cookie before the storage', async ({
    page,
    context,
    baseURL,
  }) => {
    await page.goto('/login');
    await page.evaluate(() => localStorage.setItem('i18nextLng', 'en'));
    await context.addCookies([{ name: 'i18next', value: 'zh', url: baseURL ?? '' }]);
    await page.goto('/login');
    await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
    await page.goto('/login?lng=en');
    await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  });

  test('a browser in Chinese gets Chinese', async ({ browser, baseURL }) => {
    const context = await browser.newContext({ locale: 'zh-CN', baseURL: baseURL ?? '' });
    const page = await context.newPage();
    await page.goto('/login');
    await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
    await context.close();
  });
});

test.describe('failures of a call', () => {
  const cases: [string, { status?: number; body?: unknown } | 'none', string, string][] = [
    ['envelope 403', { body: { code: 403, msg: '', data: null } }, 'No permission', '没有权限访问'],
    ['envelope 404', { body: { code: 404, msg: '', data: null } }, 'Resource not found', '请求的资源不存在'],
    [
      'another code with a message',
      { body: { code: 9999, msg: 'Out of cheese', data: null } },
      'Out of cheese',
      'Out of cheese',
    ],
    ['another code without one', { body: { code: 9999, msg: '', data: null } }, 'Request failed', '请求失败'],
    ['HTTP 403', { status: 403 }, 'No permission', '没有权限访问'],
    ['HTTP 404', { status: 404 }, 'Resource not found', '请求的资源不存在'],
    ['HTTP 500', { status: 500 }, 'Server error', '服务器错误'],
    ['another HTTP status', { status: 502 }, 'Network error', '网络错误'],
    ['no response', 'none', 'Network connection failed', '网络连接失败'],
  ];
  for (const language of ['en', 'zh'] as const) {
    test(`show their texts in the interface's language (${language})`, async ({ page, expectErrors }) => {
      expectErrors(lostCall, ...[403, 404, 500, 502].map(refusedCall));
      await page.goto(`/login?lng=${language}`);
      await page.locator('input[name=email]').fill('ann@example.com');
      for (const [name, reply, english, chinese] of cases) {
        await test.step(name, async () => {
          await answer(page, '/api/login/check', reply);
          await page.locator('input[name=password]').fill('wrong');
          await page.locator('button[type=submit]').click();
          await expect(toasts(page)).toHaveText([language === 'en' ? english : chinese]);
          // It may go by itself before a slow machine has pressed its button.
          await toasts(page).evaluateAll((each) => each.forEach((toast) => toast.querySelector('button')?.click()));
          await expect(toasts(page)).toHaveCount(0);
          await expect(page).toHaveURL(/\/login/);
          await page.unrouteAll();
        });
      }
    });
  }
});

test('messages lie above an open dialog, which is where most of them come from', async ({ page }) => {
  await page.goto('/register');
  await page.getByRole('button', { name: 'terms' }).click();
  await expect(page.getByRole('dialog', { name: 'Terms of use' })).toBeVisible();
  // A message of the test's own: a real one may be gone before it is looked at.
  const isOnTop = await page.getByRole('region', { name: 'Notices', includeHidden: true }).evaluate((region) => {
    const message = document.createElement('li');
    message.style.cssText = 'pointer-events: auto; width: 100px; height: 40px';
    region.querySelector('ol')?.append(message);
    const { x, y, width, height } = message.getBoundingClientRect();
    const onTop = document.elementFromPoint(x + width / 2, y + height / 2);
    message.remove();
    return onTop === message;
  });
  expect(isOnTop).toBe(true);
});

test('a position fits a small phone with the button that closes it', async ({ page, request }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await logInAs(page, await anAccount(request));
  const position = {
    ...(await anyToken(request)),
    tokenSymbol: 'LUMEN',
    bookId: 'b',
    bookKind: 'personal',
    bookName: '',
    amount: '300000',
    boughtAmount: '300000',
    cost: '0.0073',
    value: '0.0072',
    valueUsd: '185.6',
    unrealizedProfit: '-0.000092',
    unrealizedPercent: '-1.27',
    openTime: 0,
  };
  const data = { lists: [position], total: 1, pageNo: 1, pageSize: 100 };
  await answer(page, '/api/user/getMyPositions', { body: { code: 200, msg: '', data } });
  await page.goto('/account?tab=position');
  await expect(page.getByRole('button', { name: /^Close .*LUMEN/ })).toBeInViewport({ ratio: 1 });
});

test('the record of strategies fits a small phone with each rate', async ({ page, request }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await logInAs(page, await anAccount(request));
  const row = {
    slug: 'quiet-rotation',
    strategyName: 'Quiet rotation of what is old',
    role: 'follower',
    bookId: 'b',
    bookKind: 'follow',
    openTime: 0,
    closeTime: null,
    openAmount: '0.5',
    totalPnl: '-0.0138',
    changeRate: '-2.75',
  };
  const data = { type: 'strategy', lists: [row], total: 1, pageNo: 1, pageSize: 20 };
  await answer(page, '/api/user/getMyTradeRecord', { body: { code: 200, msg: '', data } });
  await page.goto('/account?tab=record&view=strategy');
  await expect(page.getByText('-2.75%')).toBeInViewport({ ratio: 1 });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('nothing is wider than the screen, menu and search are at hand', async ({ page, request }) => {
    await logInAs(page, await anAccount(request));
    for (const path of ['/strategies', '/login', '/register', '/no/such/page']) {
      await page.goto(path);
      await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    }
    await page.goto('/strategies');
    await page.getByRole('button', { name: 'Open search' }).tap();
    await expect(searchInput(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(searchInput(page)).toBeHidden();
    await page.keyboard.press('/');
    await expect(searchInput(page)).toBeFocused();
    await expect(page.getByTestId('search-row').first()).toBeVisible();
    await page.getByTestId('search-row').first().tap();
    await expect(page).toHaveURL(/\/token\//);
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Account' }).tap();
    await expect(page).toHaveURL(/\/account$/);
  });
});

test('what takes the focus is seen: it stands clear of the header and of the menu below, and a panel of tabs is framed', async ({
  page,
  request,
}) => {
  const isSeen = () =>
    page.evaluate(() => {
      const { left, top, height } = document.activeElement!.getBoundingClientRect();
      const shown = document.elementFromPoint(left + 1, top + height / 2);
      return document.activeElement!.closest('main') === null || shown?.closest('header, nav') === null;
    });
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto('/traders?period=all');
  const links = page.locator('main').getByRole('row').getByRole('link');
  await expect(links.nth(24)).toBeVisible(CHAIN);
  await links.first().focus();
  for (const key of ['Tab', 'Shift+Tab'] as const) {
    for (let stop = 0; stop < 40; stop += 1) {
      await page.keyboard.press(key);
      expect(await isSeen(), `${key} ${stop}`).toBe(true);
    }
  }
  const { tokenContractAddress } = await anyToken(request);
  await page.goto(`/token/${tokenContractAddress}?tab=holders`);
  await page.getByRole('tab', { name: 'Holders' }).focus();
  const panel = page.getByRole('tabpanel');
  await tabTo(page, panel);
  await expect(panel).toHaveCSS('outline-style', 'solid');
});

test('a dialog whose code did not come opens once it does, and the page stays', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(lostCall);
  await logInAs(page, await anAccount(request));
  await page.goto('/account');
  await expect(page.getByTestId('figure-balance')).toContainText('available');
  let asked = 0;
  await page.route('**/assets/*.js', (route) => {
    asked += 1;
    return asked === 1 ? route.abort() : route.continue();
  });
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByRole('dialog', { name: 'Withdraw SOL' })).toBeVisible();
  expect(asked).toBeGreaterThan(1);
  await expect(page.getByTestId('figure-balance')).toBeAttached();
});
