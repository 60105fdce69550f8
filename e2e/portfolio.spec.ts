import { expectAccessibleInBothThemes } from './accessibility.ts';
import { logInAs } from './test-account.ts';
import { aFundedAccount, aStrategy, callAs } from './test-money.ts';
import { expect, test } from './web-test.ts';

test.describe.configure({ timeout: 150_000 });
const CHAIN = { timeout: 45_000 };

test('a follower is told of a round and of the end, and sees what the account consists of', async ({
  page,
  request,
}) => {
  const [creator, follower] = [await aFundedAccount(request), await aFundedAccount(request)];
  const { slug, bookId, token } = await aStrategy(request, creator, { coins: [] });
  await callAs(request, follower, 'POST', '/api/strategy/follow_strategy', { slug, mode: 'position', amount: '2' });
  await logInAs(page, follower);
  await page.goto('/account');
  await expect(page.getByTestId('header-available')).toContainText('avail.');
  const allocation = page.getByRole('region', { name: 'Allocation' });
  await allocation.getByRole('radio', { name: 'By place' }).check();
  await expect(allocation.getByRole('listitem')).toHaveCount(2, CHAIN);

  await callAs(request, creator, 'POST', '/api/token/tokenTransfer', {
    tokenContractAddress: token.tokenContractAddress,
    side: 'buy',
    amount: '0.2',
    bookId,
  });
  const bell = page.getByTestId('alert-bell');
  await expect(bell).toHaveAccessibleName(/[1-9]\d* unread/, CHAIN);
  await bell.click();
  const list = page.getByTestId('alert-list');
  await expect(list.getByRole('listitem').filter({ hasText: /Copied: buy|Skipped: buy/ })).toBeVisible(CHAIN);
  await expect(list.getByRole('listitem').filter({ hasText: 'Deposit received' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(bell).toHaveAccessibleName('Notifications, 0 unread', CHAIN);

  await callAs(request, creator, 'POST', '/api/strategy/close_strategy', { slug });
  await expect(bell).toHaveAccessibleName(/[1-9]\d* unread/, CHAIN);
  await page.goto('/account?tab=record&view=calendar');
  await expect(page.getByRole('grid', { name: 'Realized profit per day' })).toBeVisible();
  await page.getByRole('tab', { name: 'Notifications' }).click();
  await expect(page.getByRole('checkbox', { name: 'Strategy ended: Email' })).toBeChecked();
  await expectAccessibleInBothThemes(page);
});
