import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { closeByBack } from './close-by-back.ts';
import { anAccount, logInAs } from './test-account.ts';
import { CHAIN, tradableTokens } from './test-money.ts';
import type { MarketToken } from './test-money.ts';
import { expectToast } from './toasts.ts';
import { expect, lostCall, refusedCall, test } from './web-test.ts';

/** The safe token with the deepest pool, so that half a SOL moves nothing. */
async function deepestToken(request: APIRequestContext): Promise<MarketToken> {
  const [token] = (await tradableTokens(request, 1)) as [MarketToken];
  return token;
}

async function openToken(page: Page, request: APIRequestContext, account = anAccount(request)): Promise<MarketToken> {
  const token = await deepestToken(request);
  await logInAs(page, await account);
  await page.goto(`/token/${token.tokenContractAddress}`);
  await expect(page.getByTestId('token-symbol')).toBeVisible(LOADED);
  return token;
}

/** The heaviest page there is; a machine that is busy with other tests takes its time. */
const LOADED = { timeout: 45_000 };

const amount = (page: Page) => page.getByRole('textbox', { name: /^Amount in/ });
const submit = (page: Page) => page.getByTestId('trade-submit');
const phase = (page: Page, name: string) => expect(submit(page)).toHaveAttribute('data-phase', name, CHAIN);
const funded = (page: Page) => expect(page.getByTestId('available')).toHaveText('10.00 SOL available', CHAIN);

test('finds and buys a token by keyboard alone, sells a part and closes the rest', async ({ page, request }) => {
  const token = await deepestToken(request);
  await logInAs(page, await anAccount(request));
  await page.goto('/strategies');
  await expect(page.getByTestId('header-balance')).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Search tokens' })).toBeFocused();
  await page.keyboard.type(token.tokenContractAddress);
  // Typed slowly, the first letters find others.
  await expect(page.getByRole('option')).toHaveCount(1);
  await expect(page.getByRole('option')).toHaveAttribute('data-address', token.tokenContractAddress);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('token-symbol')).toHaveText(token.tokenSymbol, LOADED);
  await funded(page);
  await page.keyboard.press('b');
  await expect(amount(page)).toBeFocused();
  await page.keyboard.type('0.5');
  await expect(page.getByTestId('expected-out')).toContainText(token.tokenSymbol);
  await expect(page.getByText(/^Quote refreshes in \d s/)).toBeVisible();
  await expect(submit(page)).toBeEnabled();
  await page.keyboard.press('Enter');
  await phase(page, 'confirmed');
  await expectToast(page, 'Trade successful');
  await expect(page.getByTestId('order-status')).toContainText(`${token.tokenSymbol} for 0.5000 SOL`);
  expect(await page.getByTestId('order-hash').getAttribute('data-hash')).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);

  const position = page.getByTestId('position-card');
  await expect(page.getByTestId('position-amount')).toContainText(token.tokenSymbol);
  await expect(position).toContainText('0.5000 SOL');
  for (const label of ['Amount', 'Cost', 'Current value', 'Unrealized profit', 'Opened']) {
    await expect(position).toContainText(label);
  }
  await expect(page.getByTestId('header-available')).toHaveText('9.50 SOL avail.');
  // The tokens count with what selling them returns.
  await expect(page.getByTestId('header-balance')).toHaveText(/^(9\.[6-9]|1\d\.)\d+ SOL$/);
  await page.getByText('Mine', { exact: true }).click();
  await expect(page.getByTestId('my-trades').getByRole('row').filter({ hasText: 'Buy' })).toHaveCount(1);

  await amount(page).blur();
  await page.keyboard.press('s');
  await expect(page.getByRole('radio', { name: 'Sell' })).toBeChecked();
  await page.getByRole('button', { name: '50%' }).click();
  await expect(submit(page)).toHaveText(`Sell ${token.tokenSymbol}`);
  await submit(page).click();
  await phase(page, 'confirmed');
  await expect(page.getByTestId('order-status')).toContainText(/^Sold/, CHAIN);
  await expect(page.getByTestId('my-trades').getByRole('row').filter({ hasText: 'Sell' })).toHaveCount(1);

  await page.getByTestId('close-position').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByTestId('closing-book')).toHaveText([/^Personal/]);
  await expectAccessibleInBothThemes(page, '[role=dialog]');
  await dialog.getByRole('button', { name: `Sell all ${token.tokenSymbol}` }).click();
  await expectToast(page, 'Position closed successfully', CHAIN);
  await expect(dialog).toBeHidden();
  await expect(position).toContainText(`You hold no ${token.tokenSymbol} yet.`);
});

test('says why an order cannot be placed, before and after it is sent', async ({ page, request, expectErrors }) => {
  expectErrors(refusedCall(400));
  await openToken(page, request);
  await expect(submit(page)).toHaveText('Enter an amount');
  await expect(submit(page)).toBeDisabled();
  await funded(page);
  await amount(page).fill('10.5');
  await expect(submit(page)).toHaveText('Insufficient balance');
  await expect(submit(page)).toBeDisabled();
  // Nothing is left for the fee: the server refuses what the page could not know.
  await amount(page).fill('10');
  await submit(page).click();
  await phase(page, 'refused');
  await expect(page.getByTestId('order-status')).toHaveText('Insufficient balance');
  await expectToast(page, 'Insufficient balance');
  await page.getByTestId('trade-panel').getByText('Sell', { exact: true }).click();
  await expect(submit(page)).toHaveText('Nothing to sell');
});

test('warns of a price impact and refuses a ruinous one', async ({ page, request }) => {
  let level = 'warn';
  await page.route('**/api/token/quote', async (route) => {
    const json = (await (await route.fetch()).json()) as { data: object };
    await route.fulfill({ json: { ...json, data: { ...json.data, priceImpact: '31.5', impactLevel: level } } });
  });
  await openToken(page, request);
  await funded(page);
  await amount(page).fill('0.2');
  await expect(page.getByText('Price impact: you get 31.50% less than at the current price.')).toBeVisible();
  await expect(submit(page)).toBeEnabled();
  level = 'refused';
  await amount(page).fill('0.3');
  await expect(submit(page)).toHaveText('Price impact too high');
  await expect(submit(page)).toBeDisabled();
});

test('shows how fees are made up, and keeps the slippage that was chosen', async ({ page, request }) => {
  await openToken(page, request, anAccount(request, { quietNotices: true }));
  await funded(page);
  await page.getByRole('button', { name: '0.1', exact: true }).click();
  await page.getByRole('button', { name: /show fee details$/ }).click();
  for (const fee of ['Network fee', 'Swap fee', 'Token account rent'])
    await expect(page.getByTestId('quote')).toContainText(fee);
  await page.getByRole('button', { name: 'Change slippage, now 1%' }).click();
  const quoted = page.waitForRequest(
    (sent) => sent.url().endsWith('/api/token/quote') && sent.postDataJSON().slippageBps === 300,
  );
  await page.getByRole('button', { name: '3%', exact: true }).click();
  await expectToast(page, 'Slippage saved');
  await quoted;
  await page.getByLabel('Custom slippage in percent').fill('80');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a percentage between 0.01 and 50')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.getByLabel('Custom slippage in percent').fill('2.5');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Change slippage, now 2.5%' })).toBeVisible();
  // Enter in the slippage must not have placed the order around it.
  await expect(submit(page)).toHaveAttribute('data-phase', 'idle');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Change slippage, now 2.5%' })).toBeVisible(LOADED);
});

/**
 * Buys for 0.2 SOL and loses the answer; the stream is cut, so that nobody else tells the page how it went. Returns the
 * keys under which was asked, also those to come.
 */
async function buyAndLoseAnswer(
  page: Page,
  request: APIRequestContext,
): Promise<{ token: MarketToken; keys: (string | undefined)[] }> {
  const token = await openToken(page, request);
  await funded(page);
  const keys: (string | undefined)[] = [];
  await page.route('**/api/token/tokenTransfer', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    // The order reaches the server, its answer does not reach the page.
    await route.fetch();
    return route.abort();
  });
  await page.routeWebSocket('**/api/stream', () => {});
  await page.reload();
  await funded(page);
  await amount(page).fill('0.2');
  await submit(page).click();
  await phase(page, 'lost');
  return { token, keys };
}

async function chooseAnotherToken(page: Page, { tokenSymbol }: MarketToken): Promise<void> {
  await page.getByTestId('hot-row').filter({ hasNotText: tokenSymbol }).first().click();
  await expect(page.getByTestId('token-symbol')).not.toHaveText(tokenSymbol, LOADED);
}

test('asks again under the same key when no answer came, and trades once', async ({ page, request, expectErrors }) => {
  expectErrors(lostCall);
  const { keys } = await buyAndLoseAnswer(page, request);
  await page.getByRole('button', { name: 'Check again' }).click();
  await phase(page, 'confirmed');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(keys[0]).toBe(keys[1]);
  await expect(page.getByTestId('position-card')).toContainText('0.2000 SOL');
  // It has its answer now: the same amount once more is another order.
  await amount(page).fill('0.2');
  await submit(page).click();
  await phase(page, 'confirmed');
  await expect(page.getByTestId('position-card')).toContainText('0.4000 SOL');
  expect(keys[2]).not.toBe(keys[0]);
});

test('asks under the same key also from a panel that was opened anew', async ({ page, request, expectErrors }) => {
  expectErrors(lostCall);
  const { token, keys } = await buyAndLoseAnswer(page, request);
  await chooseAnotherToken(page, token);
  await page.goBack();
  await expect(page.getByTestId('token-symbol')).toHaveText(token.tokenSymbol, LOADED);
  await amount(page).fill('0.2');
  await submit(page).click();
  await phase(page, 'confirmed');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  await expect(page.getByTestId('position-card')).toContainText('0.2000 SOL');
});

/** The order waits before it reaches the server, until the returned function is called. */
async function holdOrder(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/token/tokenTransfer', async (route) => {
    await released;
    return route.continue();
  });
  return release;
}

test('tells what came of an order after another token was chosen', async ({ page, request }) => {
  const token = await openToken(page, request);
  await funded(page);
  const release = await holdOrder(page);
  await amount(page).fill('0.1');
  await submit(page).click();
  await phase(page, 'signing');
  await chooseAnotherToken(page, token);
  release();
  await expectToast(page, /Trade successful|The order is on its way/, CHAIN);
});

test('shows on a small phone what came of an order in the sheet that it was placed in', async ({ page, request }) => {
  const { sheet, release } = await orderedOnPhone(page, request);
  release();
  await phase(page, 'confirmed');
  await expect(page.getByTestId('order-status')).toContainText('Bought');
  for (const part of ['order-status', 'trade-submit']) {
    await expect(page.getByTestId(part)).toBeInViewport({ ratio: 1 });
  }
  await sheet.getByRole('button', { name: 'Close' }).click();
  await expect(sheet).toBeHidden();
});

test('closes the sheet on a phone while its order is under way, and tells what came of it', async ({
  page,
  request,
}) => {
  const { sheet, release } = await orderedOnPhone(page, request);
  await closeByBack(page);
  await expect(sheet).toBeHidden();
  release();
  await expectToast(page, 'Trade successful', CHAIN);
  await page.getByTestId('trade-bar').getByRole('button', { name: 'Buy' }).click();
  await expect(page.getByTestId('order-status')).toContainText('Bought');
  // Or the next press would buy as much again.
  await expect(amount(page)).toHaveValue('');
});

/** A buy that was sent from the sheet and waits for its answer. */
async function orderedOnPhone(page: Page, request: APIRequestContext) {
  await page.setViewportSize({ width: 360, height: 560 });
  const token = await openToken(page, request);
  const release = await holdOrder(page);
  await page.getByTestId('trade-bar').getByRole('button', { name: 'Buy' }).click();
  const sheet = page.getByRole('dialog', { name: token.tokenSymbol });
  await funded(page);
  await sheet.getByRole('button', { name: '0.1', exact: true }).click();
  await submit(page).click();
  await phase(page, 'signing');
  return { sheet, release };
}

test('the position card keeps its height when one turns out to hold nothing', async ({ page, request }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/user/getMyPositions*', async (route) => {
    await released;
    return route.continue();
  });
  const token = await openToken(page, request);
  const card = page.getByTestId('position-card');
  const heightPx = async () => (await card.boundingBox())!.height;
  await expect(card).toContainText('Opened');
  const before = await heightPx();
  release();
  await expect(card).toContainText(`You hold no ${token.tokenSymbol} yet.`);
  expect(await heightPx()).toBe(before);
});

test('closes the sheet on Back, and leaves the page on the next', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await logInAs(page, await anAccount(request));
  await page.goto('/discover');
  await page.getByTestId('discover-token').first().click();
  const buy = page.getByTestId('trade-bar').getByRole('button', { name: 'Buy' });
  const sheet = page.getByRole('dialog');
  await buy.click(LOADED);
  await expect(sheet).toBeVisible();
  await closeByBack(page);
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(/\/token\//);
  // Neither a sheet that was closed by its button nor one that was open at a reload costs a press of its own.
  await buy.click();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await expect(sheet).toBeHidden();
  await buy.click();
  await expect(sheet).toBeVisible();
  await page.reload();
  await expect(buy).toBeVisible(LOADED);
  await page.goBack();
  await expect(page).toHaveURL(/\/discover/);
});

test('is a sheet from below on a phone, and within reach on a tablet', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const token = await openToken(page, request);
  await page.getByTestId('trade-bar').getByRole('button', { name: 'Sell' }).click();
  const sheet = page.getByRole('dialog', { name: token.tokenSymbol });
  await expect(sheet.getByRole('radio', { name: 'Sell' })).toBeChecked();
  await sheet.getByText('Buy', { exact: true }).click();
  // A finger is gone after it pressed. A mouse would rest on what has moved below it, and an explanation would open.
  await page.mouse.move(0, 0);
  await funded(page);
  await sheet.getByRole('button', { name: '0.1', exact: true }).click();
  await expect(page.getByTestId('expected-out')).toContainText(token.tokenSymbol);
  await expectAccessibleInBothThemes(page, '[role=dialog]');
  // However long the form is on however small a phone.
  await page.setViewportSize({ width: 360, height: 640 });
  await sheet.getByText('Protect this buy').click();
  await expect(submit(page)).toBeInViewport({ ratio: 1 });
  await sheet.getByText('Limit', { exact: true }).click();
  await expect(page.getByTestId('trigger-submit')).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Close' }).first().click();
  await expect(sheet).toBeHidden();
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.getByTestId('trade-bar').getByRole('button', { name: 'Buy' }).click();
  await expect(sheet).toBeVisible();
});
