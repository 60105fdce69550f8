import type { APIRequestContext, Page } from '@playwright/test';
import { answer } from './answer-call.ts';
import { closeByBack } from './close-by-back.ts';
import { anyToken, CHAIN } from './test-money.ts';
import { anAccount, logInAs } from './test-account.ts';
import { expect, refusedCall, test } from './web-test.ts';

const searchInput = (page: Page) => page.getByRole('combobox', { name: 'Search tokens' });
const panel = (page: Page) => page.getByTestId('search-panel');
const toasts = (page: Page) => page.locator('[data-toast]');

async function firstFound(request: APIRequestContext): Promise<unknown> {
  const answer = await request.get('/api/token/getTokenList', { params: { keyword: 'a', chainId: '501_1' } });
  return ((await answer.json()) as { data: { lists: unknown[] } }).data.lists[0];
}

test.describe('the search box', () => {
  test('widens on focus, shows the hint and the hot tokens', async ({ page }) => {
    await page.goto('/login');
    const field = page.getByTestId('search-field');
    expect((await field.boundingBox())?.width).toBe(320);
    await page.getByRole('heading', { name: 'Log in' }).click();
    await page.keyboard.press('/');
    await expect(searchInput(page)).toBeFocused();
    await expect.poll(async () => (await field.boundingBox())?.width).toBe(600);
    await expect(panel(page).getByText('Please enter keyword to search')).toBeVisible();
    await expect(panel(page).getByText('Hot tokens')).toBeVisible();
    await expect(page.getByTestId('search-row').first()).toBeVisible();
    const height = (await panel(page).boundingBox())?.height ?? 0;
    expect(height).toBeLessThanOrEqual(600);
  });

  test('finds tokens with one debounced call and shows their figures', async ({ page, request }) => {
    // A market that has just begun knows its tokens before their trades, and of a day before only later.
    await expect.poll(() => firstFound(request), CHAIN).toMatchObject({ change: expect.any(String) });
    await page.goto('/login');
    const requests: URL[] = [];
    // The answer waits until what stands in its place was seen.
    const { promise: seen, resolve: see } = Promise.withResolvers<void>();
    await page.route('**/api/token/getTokenList?*', async (route) => {
      requests.push(new URL(route.request().url()));
      await seen;
      return route.continue();
    });
    await searchInput(page).click();
    await searchInput(page).pressSequentially('a', { delay: 20 });
    await expect(panel(page).getByText('Searching…')).toBeVisible();
    see();
    const row = page.getByTestId('search-row').first();
    await expect(panel(page).getByRole('listbox', { name: 'Tokens found' })).toBeVisible();
    await expect(row).toBeVisible();
    for (const column of ['Name', 'Price', '24h', 'Market cap', 'Liquidity', 'Holders']) {
      await expect(panel(page).getByText(column, { exact: true }).first()).toBeVisible();
    }
    await expect(row.locator('img')).toBeVisible();
    await expect(row).toContainText('$');
    await expect(row).toContainText('%');
    expect(requests).toHaveLength(1);
    const query = requests[0]?.searchParams;
    expect(query?.get('keyword')).toBe('a');
    expect(query?.get('pageNo')).toBe('1');
    expect(query?.get('pageSize')).toBe('15');
    expect(query?.get('chainId')).toBe('501_1');
    expect(Number(query?.get('t'))).toBeGreaterThan(1_600_000_000_000);
  });

  test('opens a token by keyboard, remembers it and closes', async ({ page, request }) => {
    await logInAs(page, await anAccount(request));
    await page.goto('/strategies');
    await searchInput(page).click();
    await searchInput(page).fill('a');
    await expect(panel(page).getByRole('listbox', { name: 'Tokens found' })).toBeVisible();
    await expect(page.getByTestId('search-row').nth(1)).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const address = await page.getByRole('option', { selected: true }).getAttribute('data-address');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/token/${address}$`));
    await expect(panel(page)).toBeHidden();
    await searchInput(page).click();
    await expect(panel(page).getByText('Recent')).toBeVisible();
  });

  test('opens the token whose row is clicked', async ({ page, request }) => {
    await logInAs(page, await anAccount(request));
    await page.goto('/strategies');
    await searchInput(page).click();
    const row = page.getByTestId('search-row').first();
    const address = await row.getAttribute('data-address');
    await row.click();
    await expect(page).toHaveURL(new RegExp(`/token/${address}$`));
    await expect(panel(page)).toBeHidden();
  });

  test('says when a keyword finds nothing, and a click beside it closes and clears', async ({ page }) => {
    await page.goto('/login');
    await searchInput(page).click();
    await searchInput(page).fill('zzzzqqqq');
    await expect(panel(page).getByText('No tokens found')).toBeVisible();
    await page.getByTestId('search-backdrop').click({ position: { x: 20, y: 600 } });
    await expect(panel(page)).toBeHidden();
    await expect(searchInput(page)).toHaveValue('');
  });

  test('is emptied by its clear icon and closed by Escape', async ({ page }) => {
    await page.goto('/login');
    await searchInput(page).click();
    await searchInput(page).fill('abc');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect(searchInput(page)).toHaveValue('');
    await expect(panel(page).getByText('Please enter keyword to search')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(panel(page)).toBeHidden();
  });

  test('shows nothing as known of a token that was never traded', async ({ page, request }) => {
    const token = await firstFound(request);
    const untraded = { ...(token as object), price: '0', change: null, marketCap: '0', liquidity: '0', holders: 0 };
    const data = { lists: [untraded], total: 1, pageNo: 1, pageSize: 15 };
    await answer(page, '/api/token/getTokenList', { body: { code: 200, message: 'ok', data } });
    await page.goto('/login');
    await searchInput(page).click();
    await searchInput(page).fill('a');
    const row = page.getByTestId('search-row');
    await expect(row).toHaveCount(1);
    for (const figure of await row.locator('.num').all()) await expect(figure).toHaveText(/-$/);
    await expect(row).not.toContainText('$');
  });

  test('logs a failed search and shows an empty list', async ({ page, expectErrors }) => {
    expectErrors(refusedCall(500), /^The token search failed/);
    await answer(page, '/api/token/getTokenList', { status: 500 });
    await page.goto('/login');
    const logged = page.waitForEvent('console', (message) => message.text().includes('The token search failed'));
    await searchInput(page).click();
    await searchInput(page).fill('abc');
    await logged;
    await expect(panel(page).getByText('No tokens found')).toBeVisible();
    await expect(toasts(page)).toHaveCount(0);
  });
});

test('search and notifications close on Back on a phone, and fit it', async ({ page, request }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await logInAs(page, await anAccount(request));
  const token = { ...(await anyToken(request)), marketCap: '888888888', liquidity: '888888', holders: 88_888 };
  await page.route('**/api/token/getTokenList?*', (route) =>
    route.fulfill({ json: { code: 200, msg: 'OK', data: { lists: [token] } } }),
  );
  await page.goto('/discover');
  await page.getByRole('button', { name: 'Open search' }).click();
  await searchInput(page).fill('a');
  const row = page.getByTestId('search-row');
  await expect(row).toContainText('Holders 88.89K');
  expect(await row.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await closeByBack(page);
  await expect(panel(page)).toBeHidden();
  await page.getByTestId('alert-bell').click();
  await expect(page.getByTestId('alert-list')).toBeVisible();
  await closeByBack(page);
  await expect(page.getByTestId('alert-list')).toBeHidden();
  await expect(page).toHaveURL(/\/discover/);
});
