import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { anAccount, freshEmail, logInAs, mailedCode, TEST_PASSWORD } from './test-account.ts';
import { CHAIN } from './test-money.ts';
import { expectToast } from './toasts.ts';
import { expect, lostCall, refusedCall, test } from './web-test.ts';

const field = (page: Page, name: string) => page.locator(`input[name=${name}]`);
const codeInput = (page: Page) => page.getByLabel('Verification code');
const submit = (page: Page) => page.locator('main button[type=submit]');
const toasts = (page: Page) => page.locator('[data-toast]');

async function fillRegistration(page: Page, email: string): Promise<void> {
  await field(page, 'email').fill(email);
  await field(page, 'password').fill(TEST_PASSWORD);
  await field(page, 'confirmPassword').fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expectToast(page, 'Verification code has been sent to your email');
  await codeInput(page).fill(await mailedCode(page.request, email));
  await field(page, 'inviteCode').fill('HUNTER');
  await field(page, 'agreement').check();
}

test.describe('login', () => {
  test('says what is missing in the words of the product', async ({ page }) => {
    await page.goto('/login');
    await submit(page).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Please enter your email' })).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'Please enter your password' })).toBeVisible();
    await expect(field(page, 'email')).toBeFocused();
    await field(page, 'email').fill('ann@');
    await expect(page.getByText('Please enter a valid email address')).toBeVisible();
    await field(page, 'email').fill('ann@example.com');
    await expect(page.getByText('Please enter a valid email address')).toBeHidden();
  });

  test('leads to the page that was asked for, and the session survives a reload', async ({ page, request }) => {
    const account = await anAccount(request);
    await page.goto('/account');
    await expect(page).toHaveURL(/\/login/);
    await field(page, 'email').fill(account.email);
    await field(page, 'password').fill(account.password);
    await submit(page).click();
    await expect(page).toHaveURL(/\/account$/);
    const stored = await page.evaluate(() => ({
      rememberedEmail: localStorage.getItem('rememberedEmail'),
      token: localStorage.getItem('token'),
    }));
    expect(stored.rememberedEmail).toBe(account.email);
    const wallet = page.waitForRequest('**/api/user/myWallet*');
    await page.reload();
    expect((await wallet).headers()['token']).toBe(stored.token);
    await expect(page).toHaveURL(/\/account$/);
    await expect(page.getByTestId('header-balance')).toContainText('SOL');
  });

  test('refuses a wrong password with a toast and stays', async ({ page, request, expectErrors }) => {
    expectErrors(refusedCall(401));
    const account = await anAccount(request);
    await page.goto('/login');
    await field(page, 'email').fill(account.email);
    await field(page, 'password').fill('not the password');
    await submit(page).click();
    await expect(toasts(page)).toHaveText(['Wrong email or password']);
    await expect(page).toHaveURL(/\/login$/);
    await expect(field(page, 'password')).toHaveValue('');
  });

  test('a token without a remembered e-mail is not a session, until the wallet answers', async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(lostCall, /^The wallet could not be loaded/);
    const account = await anAccount(request);
    await page.addInitScript((token) => localStorage.setItem('token', token), account.token);
    await page.route('**/api/user/myWallet*', (route) => route.abort());
    await page.goto('/account');
    await expect(page).toHaveURL(/\/login/);
  });

  test('a call that is refused for its session leads back to login, from where one returns', async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(refusedCall(401));
    await logInAs(page, await anAccount(request));
    await page.route('**/api/user/watchToken', (route) =>
      route.fulfill({ status: 401, json: { code: 401, msg: '', data: null } }),
    );
    await page.goto('/discover');
    await expect(page.getByTestId('header-balance')).toBeVisible();
    await page
      .getByRole('button', { name: /^Watch / })
      .first()
      .click();
    await expect(toasts(page)).toHaveText(['Your session has ended, please log in again']);
    await expect(page).toHaveURL(/\/login\?redirect=%2Fdiscover/);
    await expect(page.getByTestId('login-button')).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });

  test('never follows a redirect to another site', async ({ page, request, baseURL }) => {
    const account = await anAccount(request);
    await page.goto('/login?redirect=//example.com');
    await field(page, 'email').fill(account.email);
    await field(page, 'password').fill(account.password);
    await submit(page).click();
    await expect(page).toHaveURL(`${baseURL}/strategies`);
  });
});

test.describe('registration', () => {
  test('names every missing field, and says that the passwords differ', async ({ page }) => {
    await page.goto('/register');
    await submit(page).click();
    await expect(page.getByRole('alert')).toHaveText([
      'Please enter your email',
      'Please enter your password',
      'Please confirm your password',
      'Please enter the verification code',
      'Please enter the invite code',
      'Please read and agree to the terms',
    ]);
    await field(page, 'password').fill('six quiet frogs');
    await field(page, 'confirmPassword').fill('six quiet frog');
    await expect(page.getByText('The passwords entered twice do not match')).toBeVisible();
    await expect(page.locator('[data-strength]')).toBeVisible();
  });

  test('sends no code without an address, counts down after one and links to the mailbox', async ({
    page,
    context,
  }) => {
    const email = freshEmail();
    await page.goto('/register');
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect(page.getByText('Please enter your email')).toBeVisible();
    await field(page, 'email').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await expectToast(page, 'Verification code has been sent to your email');
    await expect(page.getByRole('button', { name: /^Retry in \d+ s$/ })).toBeDisabled();
    const opened = context.waitForEvent('page');
    await page.getByTestId('mailbox-link').click();
    await expect((await opened).locator('body')).toContainText(await mailedCode(page.request, email));
  });

  test('has terms that can be read and agreed to', async ({ page }) => {
    await page.goto('/register');
    await page.getByRole('button', { name: 'terms' }).click();
    await expect(page.getByRole('dialog', { name: 'Terms of use' })).toBeVisible();
    await expect(page.getByText('Meme tokens are risky')).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.getByRole('button', { name: 'Agree', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(field(page, 'agreement')).toBeChecked();
  });

  test('refuses a wrong invite code at its field', async ({ page, expectErrors }) => {
    expectErrors(refusedCall(400));
    await page.goto('/register');
    await fillRegistration(page, freshEmail());
    await field(page, 'inviteCode').fill('NOT-A-CODE');
    await submit(page).click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'The invite code is invalid or used up' }).first(),
    ).toBeVisible();
    await expect(page).toHaveURL(/\/register$/);
  });

  test('makes a wallet whose key is hidden, copied, saved and never stored', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const email = freshEmail();
    await page.goto('/login?redirect=%2Fdiscover%3Flist%3Dnew');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await expect(page.getByText('The invite code is')).toContainText('HUNTER');
    await fillRegistration(page, email);
    await submit(page).click();
    await expect(page).toHaveURL(/\/register-success$/);

    const address = (await page.getByTestId('wallet-address').textContent()) ?? '';
    expect(address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    const key = page.getByTestId('private-key');
    expect(await key.textContent()).toMatch(/^•+$/);
    await page.getByRole('button', { name: 'Copy address' }).click();
    await expectToast(page, 'Address copied to clipboard');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);

    await page.getByRole('button', { name: 'Reveal private key' }).click();
    const privateKey = (await key.textContent()) ?? '';
    expect(privateKey).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
    await expectAccessibleInBothThemes(page);
    await page.getByRole('button', { name: 'Copy private key' }).click();
    await expectToast(page, 'Private key copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(privateKey);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as file' }).click();
    expect((await download).suggestedFilename()).toBe(`hunter-wallet-${address.slice(0, 8)}.txt`);

    const stored = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(stored).not.toContain(privateKey);

    await page.getByRole('banner').getByRole('link', { name: 'Account' }).click();
    await expect(page.getByRole('dialog', { name: 'Leave without saving the key?' })).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('button', { name: 'Start trading' }).click();
    await expect(page.getByText('Please confirm that you have saved the private key')).toBeVisible();
    await page.getByLabel('I have saved my private key').check();
    await page.getByRole('button', { name: 'Start trading' }).click();
    await expect(page).toHaveURL(/\/discover\?list=new$/);
    await expect(page.getByTestId('header-balance')).toHaveText('10.00 SOL', CHAIN);

    await page.goto('/register-success');
    await expect(page).toHaveURL(/\/strategies$/);
    await expect(page.locator('body')).not.toContainText(privateKey);
  });

  test('says how to copy when the clipboard is closed', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: () => Promise.reject(new Error('closed')) },
      });
    });
    await page.goto('/register');
    await fillRegistration(page, freshEmail());
    await submit(page).click();
    await page.getByRole('button', { name: 'Copy address' }).click();
    await expectToast(page, 'Copy failed, please copy manually');
  });

  test('an anonymous visitor of the success page is sent to sign up', async ({ page }) => {
    await page.goto('/register-success');
    await expect(page).toHaveURL(/\/register$/);
  });
});

test('a forgotten password is set anew with a mailed code', async ({ page, request }) => {
  const account = await anAccount(request);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  // The page that is left has a field for the address as well, and stays until the next one has loaded.
  await expect(page.getByRole('button', { name: 'Send code' })).toBeVisible();
  await field(page, 'email').fill(account.email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByRole('button', { name: /^Retry in/ })).toBeVisible();
  await codeInput(page).fill(await mailedCode(request, account.email));
  await field(page, 'password').fill('another quiet frog 77');
  await field(page, 'confirmPassword').fill('another quiet frog 77');
  await submit(page).click();
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeVisible();
  await field(page, 'email').fill(account.email);
  await field(page, 'password').fill('another quiet frog 77');
  await submit(page).click();
  await expect(page).toHaveURL(/\/strategies$/);
});

test('the pages without a login, their search and their menus have no accessibility violation', async ({ page }) => {
  for (const path of ['/register', '/forgot-password', '/reserves', '/no/such/page', '/login']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessibleInBothThemes(page);
  }
  await page.getByRole('combobox').focus();
  await expect(page.getByTestId('search-row').first()).toBeVisible();
  await expectAccessibleInBothThemes(page, '[data-testid=search]');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Language' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'English' })).toBeVisible();
  await expectAccessibleInBothThemes(page, '[role=menu]');
});

test('login works by keyboard alone', async ({ page, request }) => {
  const account = await anAccount(request);
  await page.goto('/login');
  await expect(field(page, 'email')).toBeFocused();
  await page.keyboard.type(account.email);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type(account.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/strategies$/);
});
