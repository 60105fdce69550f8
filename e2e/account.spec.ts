import { readFile } from 'node:fs/promises';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { anAccount, logInAs, mailedCode } from './test-account.ts';
import { expectToast } from './toasts.ts';
import { aFundedAccount, aPublishedStrategy, aStrategy, callAs, CHAIN, follow, tradableTokens } from './test-money.ts';
import { expect, refusedCall, test } from './web-test.ts';

test('shows balance, equity, return and what is coming; deposits arrive live', async ({ page, context, request }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const account = await aFundedAccount(request);
  await logInAs(page, account);
  await page.goto('/account');
  await expect(page.getByTestId('figure-balance')).toContainText('10.00 SOL');
  await expect(page.getByTestId('figure-balance')).toContainText('available');
  await expect(page.getByTestId('figure-equity')).toContainText('$');
  await expect(page.getByTestId('figure-total-return')).toContainText('0.00%');
  await expect(page.getByTestId('figure-lead-profit')).toContainText('Coming soon');
  await expect(page.getByRole('tab', { name: 'My strategy' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('You have not created a strategy yet')).toBeVisible();
  // Not `check`, which looks at once: the choice is part of the address, and counts when the router is through.
  await page.getByRole('radio', { name: 'My followed' }).click();
  await expect(page).toHaveURL(/view=followed/);
  await expect(page.getByText('You do not follow any strategy yet')).toBeVisible();
  await expectAccessibleInBothThemes(page);

  await page.getByRole('button', { name: 'Deposit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deposit SOL' });
  await expect(dialog.getByTestId('deposit-address')).toHaveText(account.walletAddress);
  await expect(dialog.getByTestId('deposit-qr')).toBeVisible();
  await dialog.getByRole('button', { name: 'Copy address' }).click();
  await expectToast(page, 'Address copied to clipboard');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(account.walletAddress);
  await dialog.getByRole('button', { name: 'Get 10 SOL' }).click();
  await expect(dialog.getByTestId('deposit-state')).toContainText('Received 10 SOL', CHAIN);
  await expect(dialog.getByRole('listitem')).toHaveCount(2, CHAIN);
  const copyHash = dialog.getByRole('button', { name: /^Copy transaction hash/ }).first();
  expect((await copyHash.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('figure-balance')).toContainText('20.00 SOL', CHAIN);
});

test('a withdrawal checks its fields, shows its steps, hash and gas fee, and says when it fails or is held', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(refusedCall(403));
  const account = await aFundedAccount(request);
  const other = await anAccount(request);
  await logInAs(page, account);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Withdraw' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw SOL' });
  const submit = dialog.getByRole('button', { name: 'Withdraw', exact: true });
  const review = dialog.getByRole('button', { name: 'Review withdrawal' });
  await expect(dialog.getByTestId('from-wallet')).toHaveText(account.walletAddress);
  await review.click();
  await expect(dialog.getByRole('alert')).toHaveText([
    'Please enter a Solana address',
    'Please enter the amount (SOL)',
  ]);
  await expectAccessibleInBothThemes(page);
  await dialog.getByLabel('To wallet (Solana)').fill('0x1234');
  await expect(dialog.getByText('This is not a valid Solana address')).toBeVisible();
  await dialog.getByLabel('To wallet (Solana)').fill(account.walletAddress);
  await expect(dialog.getByText('The destination can’t be your own wallet')).toBeVisible();
  await dialog.getByLabel('To wallet (Solana)').fill(other.walletAddress);
  await dialog.getByLabel('Amount (SOL)', { exact: true }).fill('11');
  await expect(dialog.getByText('Insufficient balance')).toBeVisible();
  await dialog.getByLabel('Amount (SOL)', { exact: true }).fill('1.25');
  await review.click();
  await expect(dialog.getByTestId('review-address')).toHaveText(other.walletAddress, CHAIN);
  await expect(dialog.getByTestId('review-notes')).toContainText('First withdrawal to this address');
  await submit.click();
  await expect(dialog.getByText('Please enter your password')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await dialog.getByLabel('Password', { exact: true }).fill('not the password');
  await submit.click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Withdrawal failed, please try again' })).toBeVisible();
  await expect(dialog.getByRole('alert').filter({ hasText: 'The password is wrong' })).toBeVisible();

  // The product under test holds large withdrawals from 4 SOL on.
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByLabel('Amount (SOL)', { exact: true }).fill('5');
  await review.click();
  await expect(dialog.getByTestId('review-notes')).toContainText('It will be held until', CHAIN);
  await dialog.getByLabel('Password', { exact: true }).fill(account.password);
  await submit.click();
  const result = page.getByTestId('withdrawal-result');
  await expect(result).toContainText('Held for your safety until', CHAIN);
  await expect(result.getByRole('button', { name: 'Cancel withdrawal' })).toBeEnabled();
  await expectAccessibleInBothThemes(page);
  await result.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  const large = dialog.getByRole('listitem').filter({ hasText: '5 SOL' });
  await expect(large).toContainText('Held');
  await large.getByRole('button', { name: 'Cancel withdrawal' }).click();
  await expectToast(page, 'Withdrawal canceled');
  await expect(large).toContainText('Canceled');
  await expect(dialog.getByText('10.00 SOL withdrawable')).toBeVisible(CHAIN);

  await dialog.getByLabel('To wallet (Solana)').fill(other.walletAddress);
  await dialog.getByLabel('Amount (SOL)', { exact: true }).fill('1.25');
  await review.click();
  await dialog.getByLabel('Password', { exact: true }).fill(account.password);
  await submit.click();
  await expect(result).toContainText('Withdrawal successful', CHAIN);
  await expectToast(page, 'Withdrawal successful');
  await expect(result.getByTestId('tx-hash')).toHaveAttribute('data-hash', /^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
  await expect(result.getByTestId('gas-fee')).toHaveText('0.000005 SOL');
  await expectAccessibleInBothThemes(page);
  await result.getByRole('button', { name: 'Another withdrawal' }).click();
  await expect(dialog.getByRole('listitem').filter({ hasText: '1.25 SOL' })).toBeVisible();
});

test('positions are closed from the books that the dialog names; the record keeps them and is exported', async ({
  page,
  request,
}) => {
  const account = await aFundedAccount(request);
  const { name, token } = await aStrategy(request, account);
  await callAs(request, account, 'POST', '/api/token/tokenTransfer', {
    tokenContractAddress: token.tokenContractAddress,
    side: 'buy',
    amount: '0.4',
  });
  await logInAs(page, account);
  await page.goto('/account?tab=position');
  const rows = page.getByRole('region', { name: 'My positions' }).getByRole('row');
  await expect(rows.filter({ hasText: token.tokenSymbol })).toHaveCount(2, CHAIN);
  for (const label of ['Open time', 'Position amount', 'Position cost', 'Unrealized profit']) {
    await expect(rows.first()).toContainText(label);
  }
  await expectAccessibleInBothThemes(page);
  await rows
    .filter({ hasText: 'Personal' })
    .getByRole('button', { name: `Close ${token.tokenSymbol}` })
    .click();
  const sold = page.getByTestId('closing-book');
  await expect(sold.filter({ hasText: 'Personal' })).toHaveCount(1);
  await expect(sold.filter({ hasText: name })).toHaveCount(1);
  // The own holding may not be sold for ten minutes after the strategy bought the coin; the strategy's always may.
  await page.getByRole('dialog').getByRole('combobox').selectOption({ label: name });
  await expect(sold).toHaveText([new RegExp(`^${name}`)]);
  await expectAccessibleInBothThemes(page);
  await page.getByRole('button', { name: `Sell all ${token.tokenSymbol}` }).click();
  await expectToast(page, 'Position closed successfully', CHAIN);
  await expect(rows.filter({ hasText: token.tokenSymbol })).toHaveCount(1, CHAIN);

  await page.getByRole('tab', { name: 'Trade record' }).click();
  await expect(page).toHaveURL(/tab=record/);
  const strategies = page.getByRole('region', { name: 'Strategy record' });
  for (const label of ['Strategy name', 'Open time', 'Close time', 'Open amount', 'Total PnL', 'Change rate']) {
    await expect(strategies.getByRole('columnheader', { name: label })).toBeVisible();
  }
  await expect(strategies.getByRole('row').filter({ hasText: name })).toContainText('2.00 SOL');
  await page.getByRole('radio', { name: 'Trade', exact: true }).click();
  await expect(page).toHaveURL(/view=trade/);
  const trades = page.getByRole('region', { name: 'Trade record' });
  for (const label of [
    'Name',
    'Open price',
    'Close price',
    'PnL',
    'Total bought',
    'Total sold',
    'Current balance',
    'Realized profit',
    'Unrealized profit',
  ]) {
    await expect(trades.getByRole('columnheader', { name: label, exact: true })).toBeVisible();
  }
  await expect(trades.getByRole('row').filter({ hasText: 'Personal' })).toContainText(token.tokenSymbol);
  await expectAccessibleInBothThemes(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('hunter-trade-record.csv');
  expect(await readFile(await file.path(), 'utf8')).toContain(token.tokenSymbol);
});

test('security: slippage, sessions, invites, the key with a mailed code, the password, and what happened', async ({
  page,
  request,
  browser,
  baseURL,
  expectErrors,
}) => {
  // A page whose session ends may be asking for something in that moment.
  expectErrors(refusedCall(403), refusedCall(401));
  const account = await anAccount(request);
  const second = await request.post('/api/login/check', {
    data: { email: account.email, password: account.password },
    headers: { 'user-agent': 'Another device' },
  });
  const login = (await second.json()) as { code: number; data: { token: string } };
  expect(login.code).toBe(200);
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' });
  const otherPage = await elsewhere.newPage();
  await logInAs(otherPage, { ...account, token: login.data.token });
  await otherPage.goto('/myfollowing');
  await expect(otherPage.getByTestId('header-balance')).toBeVisible();
  await logInAs(page, account);
  await page.goto('/account?tab=security');

  const slippage = page.getByLabel('Default slippage');
  await slippage.fill('77');
  await expect(page.getByText('Please enter a value between 0.01 and 50')).toBeVisible();
  await slippage.fill('2.5');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expectToast(page, 'Settings saved');

  const sessions = page.getByTestId('sessions').getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await expect(sessions.filter({ hasText: 'this device' })).toHaveCount(1);
  await sessions.getByRole('button', { name: /^End session: / }).click();
  await expect(sessions).toHaveCount(1);
  // Nobody touches the other page: it leaves by itself, and stays away.
  await expect(otherPage).toHaveURL(/\/login/);
  await otherPage.goto('/myfollowing');
  await expect(otherPage).toHaveURL(/\/login/);
  await elsewhere.close();
  await expect(page.getByText('Codes that let your friends sign up.')).toBeVisible();
  await expectAccessibleInBothThemes(page);

  await page.getByRole('button', { name: 'Show private key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your private key' });
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await expect(dialog.getByRole('button', { name: /^Retry in/ })).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill(account.password);
  await dialog.getByLabel('Verification code').fill(await mailedCode(request, account.email));
  await expectAccessibleInBothThemes(page);
  await dialog.getByRole('button', { name: 'Show private key' }).click();
  await expect(dialog.getByTestId('private-key')).toHaveText(/^•+$/);
  await dialog.getByRole('button', { name: 'Reveal' }).click();
  await expect(dialog.getByTestId('private-key')).toHaveText(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('Escape');

  const form = page.getByTestId('password-form');
  await form.getByLabel('Current password').fill('wrong one entirely');
  await form.getByLabel('New password', { exact: true }).fill('another quiet frog 77');
  await form.getByLabel('Confirm new password').fill('another quiet frog');
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(form.getByText('The passwords entered twice do not match')).toBeVisible();
  await form.getByLabel('Confirm new password').fill('another quiet frog 77');
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(form.getByRole('alert').filter({ hasText: 'The password is wrong' })).toBeVisible();
  await form.getByLabel('Current password').fill(account.password);
  await form.getByRole('button', { name: 'Change password' }).click();
  await expectToast(page, 'Your password was changed');
  await expect(page.getByTestId('audit')).toContainText('Password changed');
  await expect(page.getByTestId('audit')).toContainText('Private key shown');
});

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('every part of the account fits', async ({ page, request }) => {
    const account = await aFundedAccount(request);
    const [token] = await tradableTokens(request, 1);
    await callAs(request, account, 'POST', '/api/token/tokenTransfer', {
      tokenContractAddress: token?.tokenContractAddress,
      side: 'buy',
      amount: '0.2',
    });
    const { slug } = await aPublishedStrategy(request, account);
    await follow(request, account, { slug, mode: 'position', amount: '1' });
    await logInAs(page, account);
    for (const [path, shown] of [
      ['/account', 'figure-balance'],
      ['/account?tab=position', 'figure-equity'],
      ['/account?tab=record&view=trade', 'figure-equity'],
      ['/account?tab=security', 'sessions'],
      ['/account?dialog=deposit', 'deposit-qr'],
      ['/account?dialog=withdraw', 'from-wallet'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByTestId(shown)).toBeVisible();
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(360);
    }
    // What can be done with a row of a table is within reach of the thumb, not beyond the edge.
    for (const [path, action] of [
      ['/account?tab=position', /^Close /],
      ['/myfollowing', 'Cancel follow'],
    ] as const) {
      await page.goto(path);
      const buttons = page.getByRole('table').getByRole('button', { name: action });
      await expect(buttons.first()).toBeVisible(CHAIN);
      for (const button of await buttons.all()) {
        await button.scrollIntoViewIfNeeded();
        const box = await button.boundingBox();
        expect((box?.x ?? 999) + (box?.width ?? 0), path).toBeLessThanOrEqual(360);
      }
      expect(await page.getByRole('table').evaluate((table) => table.parentElement?.scrollLeft), path).toBe(0);
    }
    // A small profit has the longest text.
    await page.route('**/api/strategy/getMyFollows*', async (route) => {
      const text = await (await route.fetch()).text();
      await route.fulfill({ body: text.replace(/"pnl":"[^"]*"/, '"pnl":"0.00093"'), contentType: 'application/json' });
    });
    await page.goto('/myfollowing');
    const profit = page.getByText('PnL of active follows').locator('xpath=..');
    await expect(profit).toContainText('+0.00093 SOL');
    expect(await profit.evaluate((stat) => stat.scrollWidth - stat.clientWidth)).toBe(0);
  });
});
