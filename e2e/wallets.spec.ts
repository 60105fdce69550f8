import { expectAccessibleInBothThemes } from './accessibility.ts';
import { holdStill } from './hold-still.ts';
import { anAccount, logInAs } from './test-account.ts';
import { CHAIN } from './test-money.ts';
import { expect, test } from './web-test.ts';

type Answer<Data> = { data: Data };
type Traders = { lists: unknown[] };
type Trades = { lists: { txHash: string; side: 'buy' | 'sell'; tokenSymbol: string }[] };
type Transaction = { status: string; slot: number; details: { signers: string[]; instructions: object[] } };

test('from the list of traders to a wallet, its trades and one of them on chain, as the API says', async ({
  page,
  request,
}) => {
  const read = async <Data>(path: string, params: Record<string, string>): Promise<Data> =>
    ((await (await request.get(path, { params })).json()) as Answer<Data>).data;

  // A product that was just started has yet to read its market.
  await expect
    .poll(async () => (await read<Traders>('/api/wallet/getTraders', { period: 'all' })).lists.length, CHAIN)
    .toBeGreaterThan(0);
  const answer = await holdStill(page);
  await page.goto('/traders?period=all');
  const [best] = (await answer('getTraders')).lists;
  const row = page.getByRole('table', { name: 'Traders' }).getByRole('row').nth(1);
  await expect(row).toContainText(`${best!.address.slice(0, 4)}…${best!.address.slice(-4)}`);
  const closed = best!.closedTrades === 0 ? 'no closed trade' : `${best!.wonTrades} of ${best!.closedTrades} closed`;
  await expect(row).toContainText(closed);
  await expectAccessibleInBothThemes(page);

  // A visitor sees everything; a name needs an account.
  await row.getByRole('link', { name: `${best!.address.slice(0, 4)}…` }).click();
  await expect(page).toHaveURL(`/wallet/${best!.address}`);
  await expect(page.getByRole('link', { name: 'Log in to track' })).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  await logInAs(page, await anAccount(request));
  await page.goto(`/wallet/${best!.address}`);
  await page.getByRole('button', { name: 'Track', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Whale one');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Whale one' })).toBeVisible();
  await expectAccessibleInBothThemes(page);

  await page.getByRole('tab', { name: 'Trades' }).click();
  const trades = page.getByRole('table', { name: 'Trades' });
  const hash = (await trades.getByTestId('tx-hash').first().getAttribute('data-hash'))!;
  const { lists } = await read<Trades>('/api/wallet/getWalletTrades', { address: best!.address });
  const trade = lists.find(({ txHash }) => txHash === hash)!;
  // Newer trades may come above it.
  const shown = trades.getByRole('row').filter({ has: page.locator(`[data-hash="${hash}"]`) });
  await expect(shown).toContainText(trade.tokenSymbol);
  await expect(shown).toContainText(trade.side === 'buy' ? 'Buy' : 'Sell');
  await shown.getByTestId('tx-hash').getByRole('link').click();

  await expect(page).toHaveURL(`/tx/${hash}`);
  const onChain = await read<Transaction>('/api/chain/getTransaction', { signature: hash });
  expect([onChain.status, onChain.details.signers[0]]).toEqual(['success', best!.address]);
  await expect(page.getByText(String(onChain.slot), { exact: true })).toBeVisible();
  await expect(page.getByText('Success', { exact: true })).toBeVisible();
  await expect(page.getByRole('table', { name: 'SOL changes' })).toContainText(best!.address.slice(0, 4));
  await expect(page.locator('main ol > li > details')).toHaveCount(onChain.details.instructions.length);
  await expectAccessibleInBothThemes(page);
  // Beside each other on a small laptop, the balances of the second table were beyond its edge.
  await page.setViewportSize({ width: 1024, height: 768 });
  const tokenChanges = page.getByRole('table', { name: 'Token changes' });
  await expect(tokenChanges).toBeVisible();
  expect(await tokenChanges.evaluate((table) => table.scrollWidth - table.parentElement!.clientWidth)).toBe(0);

  await page.getByRole('table', { name: 'SOL changes' }).getByRole('link').first().click();
  await expect(page.getByRole('table', { name: 'Transactions' }).getByTestId('tx-hash').first()).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.goto('/account?tab=tracked');
  await expect(page.getByRole('table', { name: 'Tracked wallets' })).toContainText('Whale one');
});
