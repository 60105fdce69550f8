// The whole journey, from signing up to a withdrawal, as people in different languages, themes and on different screens
// walk it. `JOURNEYS` names those to walk (`all`, or some of them with commas); without it the one that differs most from what
// the other tests use. `npm run proof -- journeys` walks all.
import type { Browser } from '@playwright/test';
import { anAccount, freshEmail, logInAs } from './test-account.ts';
import type { TestAccount } from './test-account.ts';
import { callAs, CHAIN, freshName, tradableTokens, waitForFunds } from './test-money.ts';
import { textsIn } from './texts.ts';
import type { Language } from './texts.ts';
import { rememberToasts } from './toasts.ts';
import { Traveller } from './traveller.ts';
import { expect, test } from './web-test.ts';

type Journey = { language: Language; theme: 'dark' | 'light'; screen: 'desktop' | 'phone' };

const journeys: Readonly<Record<string, Journey>> = {
  'en-dark-desktop': { language: 'en', theme: 'dark', screen: 'desktop' },
  'zh-dark-desktop': { language: 'zh', theme: 'dark', screen: 'desktop' },
  'en-light-desktop': { language: 'en', theme: 'light', screen: 'desktop' },
  'en-dark-phone': { language: 'en', theme: 'dark', screen: 'phone' },
  'zh-light-phone': { language: 'zh', theme: 'light', screen: 'phone' },
};
const screens = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

const wanted = process.env['JOURNEYS'] ?? 'zh-light-phone';
const walked = wanted === 'all' ? Object.keys(journeys) : wanted.split(',');

/** All of the product in one test. */
test.describe.configure({ timeout: 600_000 });

for (const name of walked) {
  const journey = journeys[name];
  if (!journey) throw new Error(`there is no journey ${name}; choose from ${Object.keys(journeys).join(', ')}`);
  test.describe(name, () => {
    test.use({ ...screens[journey.screen], locale: journey.language === 'zh' ? 'zh-CN' : 'en-US' });

    test('signs up, trades, creates a strategy, is followed in both modes; a follower cancels and withdraws', ({
      browser,
    }) => walk(journey, browser));
  });
}

/** Another visitor with the same taste, in a browser of his own. */
async function visitor(journey: Journey, browser: Browser, account?: TestAccount): Promise<Traveller> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript((theme) => localStorage.setItem('theme', theme), journey.theme);
  if (account) await logInAs(page, account);
  await rememberToasts(page);
  return new Traveller(page, textsIn(journey.language));
}

async function walk(journey: Journey, browser: Browser): Promise<void> {
  const creator = await visitor(journey, browser);
  const { page, t } = creator;
  const { request } = page;
  const [first, second] = await tradableTokens(request, 2);
  if (!first || !second) throw new Error('the market has no tokens');
  const followers = await Promise.all([anAccount(request), anAccount(request)]);

  await test.step('signs up with a mailed code and is funded', () => creator.register(freshEmail()));

  await test.step('searches, buys, watches the position, sells a part and closes it', async () => {
    await creator.searchFor(first);
    await creator.buy('0.5');
    await creator.expectNothingCut();
    const amount = page.getByTestId('position-amount');
    await expect(amount).toContainText(first.tokenSymbol, CHAIN);
    await expect(page.getByTestId('position-card')).toContainText(t('trade.position.unrealized'));
    const before = (await amount.textContent()) ?? '';
    await creator.sellShare(50);
    await expect(amount).not.toHaveText(before, CHAIN);

    await page.goto('/account?tab=position');
    await creator.button(t('account.positions.closeLabel', { symbol: first.tokenSymbol })).click();
    await expect(page.getByTestId('closing-book')).toContainText(t('trade.books.personal'));
    await creator.expectNothingCut();
    await creator.button(t('trade.close.confirm', { symbol: first.tokenSymbol }), creator.dialog).click();
    await creator.expectToast(t('trade.closed'));
    await expect(page.getByText(t('account.positions.none'))).toBeVisible(CHAIN);
  });

  const name = freshName('Frog season');
  await test.step('creates a strategy', async () => {
    const { dialog } = creator;
    await page.goto('/strategies');
    await creator.button(t('strategies.create')).click();
    await dialog.getByLabel(t('create.name'), { exact: true }).fill(name);
    await creator.expectNothingCut();
    await creator.button(t('create.next')).click();
    await dialog.getByRole('combobox', { name: t('create.coins.search') }).fill(first.tokenContractAddress);
    await page.getByTestId('coin-option').filter({ hasText: first.tokenSymbol }).click();
    await dialog.getByRole('textbox', { name: t('create.coins.weight', { symbol: first.tokenSymbol }) }).fill('60');
    await expect(page.getByTestId('weights-state')).toHaveText(t('create.coins.rest', { percent: '40' }));
    await creator.expectNothingCut();
    await creator.button(t('create.next')).click();
    await dialog.getByLabel(t('create.capital'), { exact: true }).fill('3');
    await expect(page.getByTestId('buy-preview')).toContainText(first.tokenSymbol);
    await creator.expectNothingCut();
    await creator.button(t('create.submit', { amount: '3' })).click();
    await expect(page).toHaveURL(/\/strategies\/frog-season/, CHAIN);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(creator.button(t('strategy.actions.trade'))).toBeEnabled(CHAIN);
    await creator.expectNothingCut();
  });

  const path = new URL(page.url()).pathname;
  const bySol = await visitor(journey, browser, followers[0]);
  const byPosition = await visitor(journey, browser, followers[1]);
  await test.step('is followed by SOL count and by position', async () => {
    await Promise.all(followers.map((account) => waitForFunds(request, account)));
    await Promise.all([bySol.page.goto(path), byPosition.page.goto(path)]);
    await Promise.all([bySol.follow('sol', '2'), byPosition.follow('position', '1')]);
    // A coin whose price moves while somebody joins is left out at first, and bought with one of the next tries.
    const held = async () => {
      type Positions = { lists: { tokenContractAddress: string }[] };
      const { lists } = await callAs<Positions>(request, followers[0], 'GET', '/api/user/getMyPositions');
      return lists.map(({ tokenContractAddress }) => tokenContractAddress);
    };
    await expect.poll(held, CHAIN).toContain(first.tokenContractAddress);
  });

  await test.step('sells and buys in the strategy; followers see receipts, one of them skipped with its reason', async () => {
    await creator.button(t('strategy.actions.trade')).click();
    await creator.expectNothingCut();
    await creator.dialog.getByRole('link', { name: first.tokenSymbol }).click();
    await expect(page).toHaveURL(/[?&]book=/);
    const panel = await creator.openTrade('sell');
    await expect(page.getByTestId('book-meaning')).toHaveText(t('trade.books.strategyText'));
    await creator.button('50%', panel).click();
    await creator.trade();
    await creator.searchFor(second);
    await creator.openTrade('buy');
    await page.getByLabel(t('trade.book'), { exact: true }).selectOption({ label: name });
    await creator.buy('0.3');

    for (const follower of [bySol, byPosition]) {
      await follower.page.getByRole('tab', { name: t('strategy.tabs.receipts') }).click();
      const bought = follower.receipt('buy', second);
      await expect(bought.getByTestId('receipt-fill')).toBeVisible(CHAIN);
      await expect(bought.getByTestId('tx-hash')).toBeVisible();
      await follower.expectNothingCut();
    }
    await expect(bySol.receipt('sell', first).getByTestId('receipt-fill')).toBeVisible(CHAIN);
    await expect(byPosition.receipt('sell', first).getByTestId('receipt-skip')).toContainText(
      t('strategy.skips.nothing-to-sell'),
      CHAIN,
    );
  });

  await test.step('the follow is cancelled, which sells all of it', async () => {
    await bySol.button(t('strategy.actions.cancel'), bySol.main).first().click();
    await expect(bySol.page.getByTestId('cancel-total')).toContainText('SOL');
    await bySol.expectNothingCut();
    await bySol.button(t('strategy.cancel.submit')).click();
    await bySol.expectToast(t('strategy.cancel.success'));
    await expect(bySol.button(t('strategy.actions.follow'), bySol.main)).toBeVisible();
  });

  await test.step('what came back is withdrawn, and the hash is shown', async () => {
    const { dialog } = bySol;
    await bySol.page.goto('/account?dialog=withdraw');
    await dialog.getByLabel(t('account.withdrawDialog.to')).fill(followers[1].walletAddress);
    await dialog.getByLabel(t('account.withdrawDialog.amount'), { exact: true }).fill('1.5');
    await bySol.button(t('account.withdrawDialog.review'), dialog).click();
    await dialog.getByLabel(t('account.withdrawDialog.password'), { exact: true }).fill(followers[0].password);
    await bySol.expectNothingCut();
    await bySol.button(t('account.withdrawDialog.submit'), dialog).click();
    const result = bySol.page.getByTestId('withdrawal-result');
    await expect(result).toContainText(t('account.withdrawDialog.success'), CHAIN);
    await expect(result.getByTestId('tx-hash')).toHaveAttribute('data-hash', /^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
    await expect(result.getByTestId('gas-fee')).toContainText('0.000005 SOL');
    await bySol.expectNothingCut();
  });
  await Promise.all([creator, bySol, byPosition].map((each) => each.page.context().close()));
}
