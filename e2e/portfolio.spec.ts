import { expectAccessibleInBothThemes } from './accessibility.ts';
import { logInAs } from './test-account.ts';
import { aFundedAccount, aStrategy, callAs, CHAIN, follow, tradableTokens, type MarketToken } from './test-money.ts';
import { expect, test } from './web-test.ts';

test('a follower is told of a skip, of a round and of the end, and sees what the account consists of', async ({
  page,
  request,
}) => {
  const [creator, follower] = [await aFundedAccount(request), await aFundedAccount(request)];
  const { slug, bookId, token } = await aStrategy(request, creator);
  await follow(request, follower, { slug, mode: 'position', amount: '2' });
  await logInAs(page, follower);
  await page.goto('/account');
  await expect(page.getByRole('radio', { name: 'My followed' })).toBeChecked();
  await expect(page.getByRole('link', { name: 'Followed wallets' })).toHaveAttribute('href', '/myfollowing');
  await expect(page.getByTestId('header-available')).toContainText('avail.');
  const allocation = page.getByRole('region', { name: 'Allocation' });
  await allocation.getByRole('radio', { name: 'By place' }).check();
  await expect(allocation.getByRole('listitem')).toHaveCount(2, CHAIN);

  const trade = (tokenContractAddress: string, side: 'buy' | 'sell', amount: string) =>
    callAs(request, creator, 'POST', '/api/token/tokenTransfer', { tokenContractAddress, side, amount, bookId });
  // Sold by the creator, never bought by who follows by position.
  const mint = { tokenContractAddress: token.tokenContractAddress };
  const { books } = await callAs<{ books: { bookId: string; amount: string }[] }>(
    request,
    creator,
    'GET',
    '/api/user/getMyTokenAmount',
    mint,
  );
  await trade(mint.tokenContractAddress, 'sell', books.find((book) => book.bookId === bookId)!.amount);
  const isOther = (each: MarketToken) => each.tokenContractAddress !== token.tokenContractAddress;
  const second = (await tradableTokens(request, 2)).find(isOther);
  await trade(second!.tokenContractAddress, 'buy', '0.2');
  const bell = page.getByTestId('alert-bell');
  await expect(bell).toHaveAccessibleName(/[1-9]\d* unread/, CHAIN);
  await bell.click();
  const list = page.getByTestId('alert-list');
  await expect(list.getByRole('listitem').filter({ hasText: `Copied: buy ${second!.tokenSymbol}` })).toBeVisible(CHAIN);
  await expect(list.getByRole('listitem').filter({ hasText: `Skipped: sell ${token.tokenSymbol}` })).toBeVisible();
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
