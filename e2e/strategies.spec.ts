import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { tabTo } from './keyboard.ts';
import { anAccount, logInAs } from './test-account.ts';
import type { TestAccount } from './test-account.ts';
import { expectToast } from './toasts.ts';
import { aFundedAccount, aStrategy, callAs, CHAIN, freshName, tradableTokens } from './test-money.ts';
import { expect, lostCall, refusedCall, test } from './web-test.ts';

const cards = (page: Page) => page.getByTestId('strategy-card');
const figures = (page: Page) => page.getByRole('group', { name: 'Figures' });

/** One strategy for all tests of this file that only look at it or follow it. */
let shared: Promise<{ creator: TestAccount; slug: string; name: string; symbol: string }> | undefined;

test.beforeEach(async ({ request }) => {
  shared ??= aFundedAccount(request).then(async (creator) => {
    const { slug, name, token } = await aStrategy(request, creator, {
      duration: { days: 2, hours: 3, minutes: 4 },
      autoClear: false,
    });
    return { creator, slug, name, symbol: token.tokenSymbol };
  });
  await shared;
});

async function theStrategy() {
  if (!shared) throw new Error('there is no strategy');
  return shared;
}

test('the square shows cards, keeps sort, state and keyword in the address, and says when nothing is found', async ({
  page,
  request,
}) => {
  const { name, slug } = await theStrategy();
  await logInAs(page, await anAccount(request));
  await page.goto('/strategies');
  await expect(cards(page).first()).toBeVisible();

  const asked = page.waitForRequest(/getStrategyList\?.*sortBy=newest/);
  await page.getByRole('radiogroup', { name: 'Sort by' }).getByText('Newest', { exact: true }).click();
  await asked;
  await expect(page).toHaveURL(/sort=newest/);

  await page.getByRole('textbox', { name: 'Search strategies' }).fill(name);
  await expect(page).toHaveURL(/keyword=Quiet/);
  await expect(cards(page)).toHaveCount(1);
  const card = cards(page).first();
  for (const text of [name, '2d 3h 4m', 'Win rate', 'Followers', 'Copy trade funds', 'Capital', '2.00 SOL']) {
    await expect(card).toContainText(text);
  }
  await expect(card.getByRole('link', { name: /^by [a-z]+-[a-z]+-\d+$/ })).toBeVisible();
  await expect(card).toContainText('auto clear off');
  await expect(card.getByRole('img', { name: /^Coins:/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Search strategies' })).toHaveValue(name);
  await expect(cards(page)).toHaveCount(1);
  await expectAccessibleInBothThemes(page);

  await page.getByRole('radiogroup', { name: 'State' }).getByText('Ended', { exact: true }).click();
  await expect(page).toHaveURL(/state=ended/);
  await expect(page.getByText('No strategy found!')).toBeVisible();
  await expect(page.locator('[data-empty-icon]')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'State' }).getByText('Running', { exact: true }).click();
  await cards(page).first().getByRole('link', { name }).click();
  await expect(page).toHaveURL(new RegExp(`/strategies/${slug}$`));
  await page.goBack();
  await expect(page).toHaveURL(/keyword=Quiet/);
});

test('a square that cannot be loaded offers to try again, and loads without moving', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(lostCall);
  await logInAs(page, await anAccount(request));
  let failing = true;
  await page.route('**/api/strategy/getStrategyList*', (route) => (failing ? route.abort() : route.continue()));
  await page.goto('/strategies');
  await expect(page.getByText('Couldn’t load the strategies')).toBeVisible();
  failing = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(cards(page).first()).toBeVisible();

  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.reload();
  await expect(cards(page).first()).toBeVisible();
  expect(await page.evaluate<number>('shifts.reduce((sum, value) => sum + value, 0)')).toBeLessThan(0.02);
});

test('the square tells ranked strategies from new ones, and a visitor can open the page of a creator', async ({
  page,
  request,
  expectErrors,
}) => {
  // The page may ask for something just when its session is taken away below.
  expectErrors(refusedCall(200), refusedCall(401));
  const { name } = await theStrategy();
  await logInAs(page, await anAccount(request));
  await page.goto(`/strategies?keyword=${encodeURIComponent(name)}`);
  await expect(page.getByRole('heading', { level: 2, name: 'Ranked', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'New' }).getByTestId('strategy-card')).toHaveCount(1);
  const badge = cards(page).getByTestId('tier-badge');
  await expect(badge).toContainText('New20 trips, 5 coins, 72h to go');
  await badge.click();
  await expect(page.getByText('Too short a record to be ranked. 20 trips').last()).toBeVisible();
  await page.keyboard.press('Escape');

  const asked = page.waitForRequest(/getStrategyList\?.*tier=ranked/);
  await page.getByRole('radiogroup', { name: 'Ranking' }).getByText('Ranked', { exact: true }).click();
  await asked;
  await expect(page).toHaveURL(/tier=ranked/);
  await page.goto(`/strategies?keyword=${encodeURIComponent(name)}`);
  const creator = cards(page).getByRole('link', { name: /^by [a-z]+-[a-z]+-\d+$/ });
  const address = (await creator.getAttribute('href'))!;
  await creator.click();
  await expect(page).toHaveURL(new RegExp(`${address}$`));

  await page.evaluate(() => localStorage.clear());
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^[a-z]+-[a-z]+-\d+$/);
  await expect(page.getByRole('group', { name: 'Record' })).toContainText('0 ranked, 1 running, 0 ended');
  await expect(cards(page)).toHaveCount(1);
  await expectAccessibleInBothThemes(page);
  await page.goto('/creator/nobody-of-this-name');
  await expect(page.getByText('No creator found!')).toBeVisible();
});

test('a strategy shows its figures, chart, coins, trades with hashes, and how to verify them', async ({
  page,
  context,
  request,
  expectErrors,
}) => {
  expectErrors(refusedCall(404));
  const { slug, name, symbol } = await theStrategy();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await logInAs(page, await anAccount(request));
  await page.goto(`/strategies/${slug}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  for (const label of [
    'Yield rate',
    'Follower return (median)',
    'Max drawdown',
    'Win rate',
    'Followers',
    'Copy trade funds',
    'Capital',
    'Capacity left',
    'Duration',
    'Auto clear positions',
  ]) {
    await expect(figures(page)).toContainText(label);
  }
  await expect(page.locator('main')).toContainText(/ends in 2d [23]h \d+m/);
  await expect(page.getByText('How copying works here')).toBeVisible();
  await expect(page.getByText('Last rounds')).toBeVisible();
  await expect(page.getByText('Shown once a follow has lasted 1 hour.')).toBeVisible();

  const chart = page.getByTestId('yield-chart');
  await expect(chart).toBeVisible(CHAIN);
  await chart.focus();
  await page.keyboard.press('Home');
  await expect(chart).toHaveAttribute('aria-valuetext', /strategy 0\.00%/);
  const asked = page.waitForRequest(/getStrategyYield\?.*range=24h/);
  await page.getByRole('radiogroup', { name: 'Range' }).getByText('24h', { exact: true }).click();
  await asked;

  const coins = page.getByRole('region', { name: 'Included coins' });
  await expect(coins.getByRole('row').filter({ hasText: symbol })).toContainText('SOL');
  await page.getByRole('tab', { name: 'Trades' }).click();
  const trade = page.getByRole('row').filter({ hasText: `Buy ${symbol}` });
  await expect(trade).toBeVisible();
  const hash = await trade.getByTestId('tx-hash').getAttribute('data-hash');
  await trade.getByTestId('tx-hash').getByRole('button').click();
  await expectToast(page, 'Transaction hash copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(hash);

  await expect(page.getByRole('link', { name: 'Verify on chain' })).toHaveAttribute(
    'href',
    `/verify?strategy=${slug}&lng=en&theme=dark`,
  );
  await expectAccessibleInBothThemes(page);

  // A follow counts once it has lasted an hour; here the answer says what it says then.
  await page.route('**/api/strategy/getStrategyDetail*', async (route) => {
    const json = (await (await route.fetch()).json()) as { data: object };
    const gap = { total: '2.5', price: '0', fees: '0.4', skipped: '1.85', timing: '0.25' };
    await route.fulfill({ json: { ...json, data: { ...json.data, yieldRate: '5.6', followerReturn: '3.1', gap } } });
  });
  const gap = page.getByTestId('gap');
  await expect(gap).toContainText('Followers vs strategy: -2.50%');
  for (const [part, share] of [
    ['price', '0.00%'],
    ['fees', '-0.40%'],
    ['skipped', '-1.85%'],
    ['joined later', '-0.25%'],
  ] as const) {
    await expect(gap.getByRole('button', { name: part })).toContainText(share);
  }
  await gap.getByRole('button', { name: 'skipped' }).click();
  await expect(page.getByText('Trades that were not copied; the copy receipts give each reason.')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.unrouteAll({ behavior: 'wait' });

  await page.goto('/strategies/no-such-strategy-here');
  await expect(page.getByText('No strategy found!')).toBeVisible();
});

test('following checks the amount in the words of the product, previews, and says when it fails', async ({
  page,
  request,
}) => {
  const { slug, name } = await theStrategy();
  await logInAs(page, await aFundedAccount(request));
  await page.goto(`/strategies/${slug}`);
  await page.locator('main').getByRole('button', { name: 'Follow', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Follow ${name}` });
  await expect(dialog).toBeVisible();
  const amount = dialog.getByLabel('Amount', { exact: true });
  await expect(dialog.getByTestId('available')).toHaveText('10.00 SOL available');
  const protection = dialog.getByRole('button', { name: 'Protection' });
  await protection.click();
  const box = (await dialog.boundingBox())!;
  const inCorner = await dialog.evaluate((popup, { x, y }) => popup.contains(document.elementFromPoint(x, y)), {
    x: box.x + 2,
    y: box.y + box.height - 2,
  });
  expect(inCorner).toBe(false);
  await protection.click();

  await amount.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Please enter the amount (SOL)');
  for (const wrong of ['abc', '-1', '0']) {
    await amount.fill(wrong);
    await expect(dialog.getByRole('alert')).toHaveText('Please enter a valid number!');
  }
  await amount.fill('10.5');
  await expect(dialog.getByRole('alert')).toHaveText('Amount exceeds wallet balance!');
  await dialog.getByRole('button', { name: 'Amount 25%' }).click();
  await expect(amount).toHaveValue('2.5');
  const preview = dialog.getByTestId('follow-preview');
  await expect(preview).toContainText('1 coin at its current weight');
  for (const label of ['Est. entry cost', 'Minimum amount', 'Est. back if canceled now']) {
    await expect(preview).toContainText(label);
  }
  // Those of the amount before are dimmed.
  await expect(preview).toHaveAttribute('aria-busy', 'false');
  await expectAccessibleInBothThemes(page);
  await dialog.getByText('By position', { exact: true }).click();
  await expect(dialog.getByLabel('Multiplier')).toHaveValue('1');
  await expect(preview).toContainText('nothing until the next buy');

  await page.route('**/api/strategy/follow_strategy', (route) =>
    route.fulfill({ json: { code: 1401, msg: '', data: { error: 'FOLLOW_FAILED' } } }),
  );
  await dialog.getByRole('button', { name: 'Follow with 2.5 SOL' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Follow failed, please try again later!');
  await expectToast(page, 'Follow failed, please try again later!');
  await page.unroute('**/api/strategy/follow_strategy');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('a strategy is found, followed and left by keyboard alone', async ({ page, request }) => {
  const { name } = await theStrategy();
  await logInAs(page, await aFundedAccount(request));
  await page.goto('/strategies');
  await tabTo(page, page.getByRole('textbox', { name: 'Search strategies' }));
  await page.keyboard.type(name);
  await expect(cards(page)).toHaveCount(1);
  await tabTo(page, cards(page).getByRole('link', { name }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await tabTo(page, page.locator('main').getByRole('button', { name: 'Follow', exact: true }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Follow ${name}` });
  await expect(dialog.getByTestId('available')).toHaveText('10.00 SOL available');
  await tabTo(page, dialog.getByRole('radio', { name: 'By SOL count' }));
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: 'By position' })).toBeChecked();
  await tabTo(page, dialog.getByLabel('Amount', { exact: true }));
  await page.keyboard.type('1');
  // What it costs is shown before it can be sent.
  await expect(dialog.getByRole('button', { name: 'Follow with 1 SOL' })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expectToast(page, 'Follow successful!', CHAIN);
  await expect(dialog).toBeHidden();
  await expect(page.getByTestId('following-marker')).toBeVisible();
  await expect(page.getByTestId('my-follow')).toContainText('By position, × 1');

  await page.goto('/myfollowing');
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('by position');
  await expectAccessibleInBothThemes(page);
  await tabTo(page, row.getByRole('button', { name: 'Cancel follow' }));
  await page.keyboard.press('Enter');
  const cancel = page.getByRole('dialog', { name: `Cancel follow of ${name}?` });
  await expect(cancel).toContainText('Tokens are sold at market');
  await expect(cancel.getByTestId('cancel-total')).toHaveText('1.00 SOL');
  await expectAccessibleInBothThemes(page);
  await tabTo(page, cancel.getByRole('button', { name: 'Keep following' }));
  await page.keyboard.press('Enter');
  await expect(cancel).toBeHidden();
  await expect(row.getByRole('button', { name: 'Cancel follow' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, cancel.getByRole('button', { name: 'Sell all and cancel' }));
  await page.keyboard.press('Enter');
  await expectToast(page, 'Follow canceled successfully!', CHAIN);
  await expect(row).toContainText('Closed', CHAIN);
});

test('a creator publishes in three steps, rebalances, and ends the strategy', async ({ page, request }) => {
  const [token, second] = await tradableTokens(request, 2);
  if (!token || !second) throw new Error('the market has no tokens');
  const account = await aFundedAccount(request);
  await logInAs(page, account);
  await page.goto('/mystrategy');
  await expect(page.getByText('You have not created a strategy yet')).toBeVisible();
  await page.getByRole('link', { name: 'Create strategy' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create strategy' });
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Name is required');
  const name = freshName('Two day sprint');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Description').fill('Short and sharp.');
  await dialog.getByText('Fixed', { exact: true }).click();
  await dialog.getByLabel('Days').fill('0');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Please enter a duration');
  await dialog.getByLabel('Days').fill('2');
  await expectAccessibleInBothThemes(page);
  await dialog.getByRole('button', { name: 'Continue' }).click();

  for (const each of [token, second]) {
    await dialog.getByRole('combobox', { name: 'Add a coin' }).fill(each.tokenContractAddress);
    await expect(dialog.getByTestId('coin-option')).toHaveCount(1);
    await expect(dialog.getByTestId('coin-option')).toContainText(each.tokenSymbol);
    await page.keyboard.press('Enter');
  }
  await dialog
    .getByRole('textbox', { name: /^Weight of/ })
    .first()
    .fill('90');
  await expect(dialog.getByTestId('weights-state')).toHaveText('The weights add up to 115%, more than 100%');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByTestId('weights-state')).toBeVisible();
  await dialog.getByRole('button', { name: 'Equal weights' }).click();
  await expect(dialog.getByTestId('weights-state')).toHaveText('100% in coins');
  await expectAccessibleInBothThemes(page);
  await dialog.getByRole('button', { name: 'Continue' }).click();

  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Please enter the amount (SOL)');
  await dialog.getByLabel('Capital', { exact: true }).fill('2');
  const preview = dialog.getByTestId('buy-preview');
  await expect(preview.getByRole('row')).toHaveCount(3);
  await expect(preview).toHaveAttribute('aria-busy', 'false');
  await expectAccessibleInBothThemes(page);
  await dialog.getByRole('button', { name: 'Publish with 2 SOL' }).click();
  await expectToast(page, 'Your strategy is published', CHAIN);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const slug = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  await expectAccessibleInBothThemes(page);

  await page.getByRole('button', { name: 'Rebalance' }).click();
  const weights = page.getByRole('dialog', { name: `Rebalance ${name}` });
  await weights.getByRole('textbox', { name: `Weight of ${token.tokenSymbol} in percent` }).fill('20');
  await expectAccessibleInBothThemes(page);
  await weights.getByRole('button', { name: 'Rebalance' }).click();
  await expectToast(page, /orders? placed/, CHAIN);
  await expect(page.getByText(`Sold ${token.tokenSymbol}`)).toBeVisible(CHAIN);

  await page.getByRole('button', { name: 'Trade', exact: true }).click();
  await expectAccessibleInBothThemes(page);
  await page.getByRole('dialog').getByRole('link', { name: token.tokenSymbol }).click();
  await expect(page.getByLabel('Trade from', { exact: true }).locator('option:checked')).toHaveText(name);
  await expect(page.getByTestId('book-meaning')).toBeVisible();
  await page.getByLabel('Trade from', { exact: true }).selectOption({ label: 'Personal' });
  await expect(page.getByTestId('book-meaning')).toBeHidden();
  await page.goBack();
  await page.getByRole('button', { name: 'End strategy' }).click();
  const end = page.getByRole('dialog', { name: `End ${name}?` });
  await expect(end).toContainText('Auto clear is on');
  await expectAccessibleInBothThemes(page);
  await end.getByRole('button', { name: 'End strategy' }).click();
  await expect(end).toBeHidden(CHAIN);
  await expect
    .poll(
      async () =>
        (await callAs<{ status: string }>(request, account, 'GET', '/api/strategy/getStrategyDetail', { slug })).status,
      CHAIN,
    )
    .toBe('ended');
  await expect(page.getByText('This strategy has ended.')).toBeVisible(CHAIN);
  await page.goto('/mystrategy');
  await expect(cards(page).filter({ hasText: name })).toBeVisible();
  await expectAccessibleInBothThemes(page);
});
