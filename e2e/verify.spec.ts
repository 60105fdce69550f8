import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { tabTo } from './keyboard.ts';
import { logInAs } from './test-account.ts';
import type { TestAccount } from './test-account.ts';
import { aFundedAccount, aStrategy, CHAIN } from './test-money.ts';
import { expect, lostCall, refusedCall, test } from './web-test.ts';

/** One strategy for all tests of this file: they only look at it. */
let shared: Promise<{ creator: TestAccount; slug: string; name: string; symbol: string }> | undefined;

test.beforeEach(async ({ request }) => {
  shared ??= aFundedAccount(request).then(async (creator) => {
    const { slug, name, token } = await aStrategy(request, creator);
    return { creator, slug, name, symbol: token.tokenSymbol };
  });
  await shared;
});

test('verifying a strategy recomputes its figures in the browser, out of reach of the session', async ({
  page,
  expectErrors,
}) => {
  // The login of this test prepares the storage of every page.
  expectErrors(/^SecurityError: Failed to read the 'sessionStorage' property/);
  const { creator, slug, name, symbol } = await shared!;
  await logInAs(page, creator);
  await page.goto(`/strategies/${slug}`);
  await page.getByRole('link', { name: 'Verify on chain' }).click();
  await expect(page).toHaveURL(/\/verify\?strategy=/);
  await expect(page.getByRole('status')).toContainText(/All \d+ figures that can be recomputed agree/, CHAIN);
  const result = page.getByTestId('verify-result');
  await expect(result.getByRole('link', { name })).toHaveAttribute('href', `/strategies/${slug}`);
  await expect(result).toContainText(`npm run verify -- ${slug}`);
  for (const figure of ['transactions', 'held', 'cost', 'freeSol', 'equity', 'yield', 'closedTrips', 'winRate']) {
    await expect(result.locator(`[data-figure=${figure}]`)).toHaveAttribute('data-verdict', 'same');
  }
  await expect(result.locator('[data-figure=held]')).toContainText(symbol);
  await expect(result.locator('[data-figure=drawdown]')).toHaveAttribute('data-verdict', 'published');

  // The session lies in the storage of the product's origin, which this document does not have.
  const reached = await page.evaluate(() => {
    try {
      return localStorage.getItem('token');
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(reached).toBe('SecurityError');
  expect(await page.evaluate('self.origin')).toBe('null');

  await expectAccessibleInBothThemes(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: '中文' }).click();
  await expect(page.getByRole('status')).toContainText(/可重新计算的 \d+ 项数据全部一致/);
  await page.getByRole('button', { name: '切换为浅色主题' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('a figure that the chain does not confirm is marked', async ({ page }) => {
  const { slug } = await shared!;
  await page.context().route('**/api/strategy/getStrategyTrades*', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: { lists: { kind: string; solAmount: string }[] } };
    for (const row of json.data.lists) if (row.kind === 'trade') row.solAmount = '0.001';
    await route.fulfill({ response, json });
  });
  await page.goto(`/verify?strategy=${slug}`);
  const result = page.getByTestId('verify-result');
  // Said only after the figures differed in all of its tries.
  await expect(result.getByRole('status')).toContainText('figures differ', { timeout: 180_000 });
  await expect(result.locator('[data-figure=tradeSol]')).toHaveAttribute('data-verdict', 'different');
});

test('another node can be asked, and what cannot be read is said', async ({ page, expectErrors }) => {
  expectErrors(refusedCall(404), lostCall, /ERR_CONNECTION_REFUSED/);
  const { slug } = await shared!;
  await page.goto('/verify');
  const alert = page.getByRole('alert');
  await tabTo(page, page.getByRole('textbox', { name: 'Strategy' }));
  await page.keyboard.type('no-such-strategy');
  await page.keyboard.press('Enter');
  await expect(alert).toContainText('Hunter did not answer: ', CHAIN);

  const start = page.getByRole('button', { name: 'Verify', exact: true });
  await page.getByRole('textbox', { name: 'Strategy' }).fill(slug);
  await page.getByLabel('Another node').check();
  await page.getByLabel('Address of the node').fill('ftp://node');
  await expect(page.getByText('Enter an address that begins with https:// or http://localhost.')).toBeVisible();
  await expect(start).toBeDisabled();
  await page.getByLabel('Address of the node').fill('http://localhost:9');
  await start.click();
  await expect(alert).toContainText('The node did not answer: http://localhost:9 cannot be reached', CHAIN);

  const file = join(process.env['HUNTER_DATA_DIR']!, 'endpoints.json');
  const { rpc } = JSON.parse(readFileSync(file, 'utf8')) as { rpc: string };
  await page.getByLabel('Address of the node').fill(rpc.replace('127.0.0.1', 'localhost'));
  const asked = page.waitForRequest((request) => new URL(request.url()).port === new URL(rpc).port);
  await start.click();
  await asked;
  await expect(page.getByRole('status')).toContainText('figures that can be recomputed agree', CHAIN);
});

test('a proof that is none, or of no transaction, is refused with what is wrong', async ({ page }) => {
  await page.goto('/verify');
  const proof = page.getByLabel('Proof (JSON)');
  const start = page.getByRole('button', { name: 'Verify copy' });
  await proof.fill('{"wallet": "x"}');
  await start.click();
  await expect(page.getByRole('alert')).toHaveText('This is not a proof: roundId is missing or wrong.');
  const id = '0196a1b2-c3d4-7e5f-8a9b-000000000001';
  const mint = 'So11111111111111111111111111111111111111112';
  const leaf = { wallet: mint, mint, roundId: id, followId: id, salt: 'A'.repeat(43), amountIn: '1', side: 'buy' };
  const place = { attempt: 1, reason: 0, count: 1, index: 0, path: [] };
  await proof.fill(JSON.stringify({ ...leaf, ...place, txHash: '5'.repeat(88) }));
  await start.click();
  await expect(page.getByTestId('copy-refused')).toContainText('The node does not have this transaction.', CHAIN);
});
