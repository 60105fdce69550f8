import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { anAccount, logInAs, mailedCode } from './test-account.ts';
import { callAs, CHAIN, waitForFunds } from './test-money.ts';
import { expect, test } from './web-test.ts';

/** A device of the user inside the browser, which answers every prompt with his fingerprint. */
async function aDevice(page: Page): Promise<{ lose: () => Promise<void> }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
  return { lose: () => cdp.send('WebAuthn.clearCredentials', { authenticatorId }).then(() => undefined) };
}

test('a passkey is enrolled, shows the key, pays a withdrawal, is lost, and makes room after the delay', async ({
  page,
  request,
}) => {
  const account = await anAccount(request);
  await logInAs(page, account);
  await page.goto('/account?tab=security');
  const device = await aDevice(page);
  const factors = page.getByTestId('factors');

  await factors.getByRole('button', { name: 'Add passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a passkey' });
  await adding.getByLabel('Name').fill('my laptop');
  await adding.getByLabel('Password', { exact: true }).fill(account.password);
  await adding.getByLabel('Password', { exact: true }).press('Enter');
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(codes.getByTestId('recovery-codes').getByRole('listitem')).toHaveCount(10);
  await expectAccessibleInBothThemes(page);
  await codes.getByRole('button', { name: 'I have saved them' }).click();
  await expect(factors.getByRole('listitem')).toContainText(['my laptop']);

  await page.getByRole('button', { name: 'Show private key' }).click();
  const showing = page.getByRole('dialog', { name: 'Your private key' });
  await showing.getByLabel('Password', { exact: true }).fill(account.password);
  await showing.getByRole('button', { name: 'Send code' }).click();
  await showing.getByLabel('Verification code').fill(await mailedCode(request, account.email));
  await showing.getByRole('button', { name: 'Show private key' }).click();
  await showing.getByRole('button', { name: 'Use passkey' }).click();
  await expect(showing.getByText(account.walletAddress)).toBeVisible();
  await page.keyboard.press('Escape');

  await waitForFunds(request, account);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  const paying = page.getByRole('dialog', { name: 'Withdraw SOL' });
  await expect(paying.getByText('10.00 SOL withdrawable')).toBeVisible();
  await paying.getByLabel('To wallet (Solana)').fill((await anAccount(request)).walletAddress);
  await paying.getByLabel('Amount (SOL)', { exact: true }).fill('1.25');
  await paying.getByRole('button', { name: 'Review withdrawal' }).click();
  await paying.getByLabel('Password', { exact: true }).fill(account.password);
  await paying.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await paying.getByRole('button', { name: 'Use passkey' }).click();
  await expect(page.getByTestId('withdrawal-result')).toContainText('Withdrawal successful', CHAIN);
  await page.keyboard.press('Escape');

  await device.lose();
  await factors.getByRole('button', { name: 'I lost my second factors' }).click();
  const losing = page.getByRole('dialog', { name: 'Remove lost second factors' });
  await losing.getByLabel('Password', { exact: true }).fill(account.password);
  await losing.getByRole('button', { name: 'Start the removal' }).click();
  await expect(factors.getByTestId('recovery')).toBeVisible();
  const mailbox = { params: { email: account.email } };
  await expect
    .poll(async () => (await request.get('/api/dev/mailbox', mailbox)).text(), CHAIN)
    .toContain('Your second factors are to be removed');
  await factors.getByRole('button', { name: 'Remove them now' }).click();
  const finishing = page.getByRole('dialog', { name: 'Remove all second factors' });
  await finishing.getByLabel('Password', { exact: true }).fill(account.password);
  const { recovery } = await callAs<{ recovery: { readyAt: number } }>(
    request,
    account,
    'GET',
    '/api/user/getMyFactors',
  );
  await expect.poll(() => Date.now(), CHAIN).toBeGreaterThan(recovery.readyAt);
  await finishing.getByRole('button', { name: 'Remove all' }).click();
  await expect(finishing).toBeHidden(CHAIN);
  await expect(factors.getByRole('listitem')).toHaveCount(0);
});
