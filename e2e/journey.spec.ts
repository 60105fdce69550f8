import type { Browser, Page } from '@playwright/test';
import { anAccount, freshEmail, logInAs, mailedCode, TEST_PASSWORD } from './test-account.ts';
import type { TestAccount } from './test-account.ts';
import { freshName, tradableTokens, waitForFunds } from './test-money.ts';
import { expect, test } from './web-test.ts';

// Every step waits for the chain; on a machine that does other work beside it this takes its time.
test.describe.configure({ timeout: 240_000 });
const CHAIN = { timeout: 45_000 };

const toasts = (page: Page, text: string | RegExp) => page.locator('[data-toast]').filter({ hasText: text });
const main = (page: Page) => page.locator('main');

async function register(page: Page): Promise<void> {
  const email = freshEmail();
  await page.goto('/register');
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(TEST_PASSWORD);
  await page.locator('input[name=confirmPassword]').fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').fill(await mailedCode(page.request, email));
  await page.locator('input[name=inviteCode]').fill('HUNTER');
  await page.locator('input[name=agreement]').check();
  await page.locator('main button[type=submit]').click();
  await page.getByLabel('I have saved my private key').check();
  await page.getByRole('button', { name: 'Start hunting' }).click();
  await expect(page.getByTestId('header-balance')).toHaveText('10.00 SOL', CHAIN);
}

async function buy(page: Page, amount: string): Promise<void> {
  await page.getByTestId('trade-panel').getByRole('textbox', { name: 'Amount in SOL' }).fill(amount);
  await page.getByTestId('trade-submit').click();
  await expect(toasts(page, 'Trade successful')).toBeVisible(CHAIN);
}

async function openAs(browser: Browser, account: TestAccount, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await logInAs(page, account);
  await page.goto(path);
  return page;
}

async function follow(page: Page, mode: 'By SOL count' | 'By position', amount: string): Promise<void> {
  await main(page).getByRole('button', { name: 'Follow', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(mode, { exact: true }).click();
  await dialog.getByLabel('Amount', { exact: true }).fill(amount);
  await dialog.getByRole('button', { name: `Follow with ${amount} SOL` }).click();
  await expect(toasts(page, 'Follow successful!')).toBeVisible(CHAIN);
  await expect(page.getByTestId('my-follow')).toHaveAttribute('data-status', 'active', CHAIN);
}

test('from signing up to a withdrawal: trade, create a strategy, be followed in both modes, cancel', async ({
  page,
  browser,
  request,
}) => {
  const [token, second] = await tradableTokens(request, 2);
  if (!token || !second) throw new Error('the market has no tokens');
  const followers = await Promise.all([anAccount(request), anAccount(request)]);

  await test.step('signs up and is funded', () => register(page));

  await test.step('searches, buys, sees the position, sells a part and closes it', async () => {
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search tokens' }).fill(token.tokenContractAddress);
    await page.getByTestId('search-row').first().click();
    await expect(page).toHaveURL(new RegExp(`/token/${token.tokenContractAddress}`));
    await buy(page, '0.5');
    const amount = page.getByTestId('position-amount');
    await expect(amount).toBeVisible(CHAIN);
    const before = (await amount.textContent()) ?? '';
    await page.getByTestId('trade-panel').getByRole('radio', { name: 'Sell', exact: true }).check();
    await page.getByTestId('trade-panel').getByRole('button', { name: '50%' }).click();
    await page.getByTestId('trade-submit').click();
    await expect(amount).not.toHaveText(before, CHAIN);

    await page.goto('/account?tab=position');
    await page.getByRole('button', { name: `Close ${token.tokenSymbol}` }).click();
    await expect(page.getByTestId('close-books')).toContainText('Personal');
    await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
    await expect(toasts(page, 'Position closed successfully')).toBeVisible(CHAIN);
    await expect(page.getByText('You hold no tokens')).toBeVisible(CHAIN);
  });

  const name = freshName('Frog season');
  await test.step('creates a strategy', async () => {
    await page.goto('/strategies');
    await page.getByRole('button', { name: 'Create strategy' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('combobox', { name: 'Add a coin' }).fill(token.tokenContractAddress);
    await page.getByTestId('coin-option').first().click();
    await page.getByRole('textbox', { name: /^Weight of/ }).fill('60');
    await expect(page.getByTestId('weights-state')).toHaveText('40% stays SOL');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Capital', { exact: true }).fill('3');
    await expect(page.getByTestId('buy-preview')).toContainText(token.tokenSymbol);
    await page.getByRole('button', { name: 'Publish with 3 SOL' }).click();
    await expect(page).toHaveURL(/\/strategies\/frog-season/, CHAIN);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Trade in it' })).toBeEnabled(CHAIN);
  });

  const path = new URL(page.url()).pathname;
  const bySol = await openAs(browser, followers[0], path);
  const byPosition = await openAs(browser, followers[1], path);
  await test.step('is followed by SOL count and by position', async () => {
    await Promise.all(followers.map((account) => waitForFunds(request, account)));
    await Promise.all([follow(bySol, 'By SOL count', '2'), follow(byPosition, 'By position', '1')]);
  });

  await test.step('trades in the strategy, and both followers get a receipt', async () => {
    await page.goto(`/token/${second.tokenContractAddress}`);
    await page.getByLabel('Book', { exact: true }).selectOption({ label: name });
    await expect(page.getByTestId('book-meaning')).toBeVisible();
    await buy(page, '0.3');
    for (const each of [bySol, byPosition]) {
      await each.getByRole('tab', { name: 'My receipts' }).click();
      const row = each.getByRole('row').filter({ hasText: `Buy ${second.tokenSymbol}` });
      await expect(row.getByTestId('receipt-fill')).toBeVisible(CHAIN);
      await expect(row.getByTestId('tx-hash')).toBeVisible();
    }
  });

  await test.step('the follow is cancelled, which sells all of it', async () => {
    await main(bySol).getByRole('button', { name: 'Cancel follow' }).first().click();
    await expect(bySol.getByTestId('cancel-total')).toContainText('SOL');
    await bySol.getByRole('button', { name: 'Sell all and cancel' }).click();
    await expect(toasts(bySol, 'Follow canceled successfully!')).toBeVisible(CHAIN);
    await expect(main(bySol).getByRole('button', { name: 'Follow', exact: true })).toBeVisible();
  });

  await test.step('what came back is withdrawn, and the hash is shown', async () => {
    await bySol.goto('/account?dialog=withdraw');
    await bySol.getByLabel('To wallet (Solana)').fill(followers[1].walletAddress);
    await bySol.getByLabel('Amount (SOL)').fill('1.5');
    await bySol.getByLabel('Password', { exact: true }).fill(followers[0].password);
    await bySol.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
    const result = bySol.getByTestId('withdrawal-result');
    await expect(result).toContainText('Withdrawal successful', CHAIN);
    await expect(result.getByTestId('tx-hash')).toHaveAttribute('data-hash', /^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
    await expect(result.getByTestId('gas-fee')).toContainText('0.000005 SOL');
  });
  await bySol.context().close();
  await byPosition.context().close();
});
