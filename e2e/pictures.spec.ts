import type { Locator, Page } from '@playwright/test';
import { expectNothingMoved } from './moved-blocks.ts';
import { anAccount, logInAs } from './test-account.ts';
import { anyToken, aPublishedStrategy } from './test-money.ts';
import { expect, test } from './web-test.ts';

// Pictures of fixed data in the bundled font, one set for all machines. Recorded anew with
// `playwright test --config e2e/playwright.config.ts e2e/pictures.spec.ts --update-snapshots`, and looked at.
test.use({ timezoneId: 'UTC', deviceScaleFactor: 1 });

/** Of the whole picture; what moved in it is found block by block. */
const DIFFERENT_MAX = { maxDiffPixelRatio: 0.02 };

/** Cards say where they can be checked, and the port of a product under test is another each time. */
const ADDRESS = 'https://hunter.test';

/** What the page still asks for when a test ends has nobody to answer it: the test leaves the page first. */
async function serveAtFixedAddress(page: Page, baseURL: string): Promise<(url: string) => string> {
  const realUrl = (url: string) => url.replace(ADDRESS, baseURL);
  // Live prices would draw over the fixed ones.
  await page.routeWebSocket(/\/api\/stream$/, () => {});
  await page.route(`${ADDRESS}/**`, async (route) =>
    route.fulfill({ response: await route.fetch({ url: realUrl(route.request().url()) }) }),
  );
  return realUrl;
}

/** Drawn once the font is there, and again in the colours that were chosen. */
async function pictureOf(card: Locator): Promise<Buffer> {
  let picture: Buffer = Buffer.alloc(0);
  await expect
    .poll(async () => {
      const before = picture;
      const address = await card.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL('image/png'));
      picture = Buffer.from(address.split(',')[1]!, 'base64');
      return picture.length > 10_000 && picture.equals(before);
    })
    .toBe(true);
  return picture;
}

const fixed = {
  name: 'Steady trend',
  creator: { name: 'ada' },
  yieldRate: '128.46',
  followerReturn: '-3.17',
  followerSample: 12,
  followerReturnEarly: true,
  maxDrawdown: '12.5',
  winRate: '61.54',
  closedTrades: 26,
  unsoldAtLoss: 0,
  copyTradeFunds: '42.5',
  verify: { wallet: 'So11111111111111111111111111111111111111112', publishTxHash: null },
};

test('share cards look as recorded, in both themes', async ({ page, request, baseURL }) => {
  const account = await anAccount(request);
  await logInAs(page, account);
  await page.clock.setFixedTime(new Date('2026-11-16T12:00:00Z'));
  const { slug } = await aPublishedStrategy(request, account);
  const realUrl = await serveAtFixedAddress(page, baseURL!);
  await page.route('**/api/strategy/getStrategyDetail*', async (route) => {
    const real = await route.fetch({ url: realUrl(route.request().url()) });
    const body = (await real.json()) as { data: object };
    await route.fulfill({ json: { ...body, data: { ...body.data, ...fixed, slug: 'steady-trend' } } });
  });
  await page.goto(`${ADDRESS}/strategies/${encodeURIComponent(slug)}`);
  await page.getByRole('button', { name: 'Share' }).click();
  const card = page.getByTestId('share-card');
  await expect(card).toHaveAttribute('aria-label', /Steady trend, Yield rate, \+128\.46%/);
  for (const theme of ['Dark', 'Light']) {
    await page.getByRole('radio', { name: theme }).check();
    const picture = await pictureOf(card);
    const name = `strategy-card-${theme.toLowerCase()}.png`;
    expect(picture).toMatchSnapshot(name, DIFFERENT_MAX);
    await expectNothingMoved(page, { of: 'card', picture, name });
  }
  await page.goto('/favicon.svg');
});

const mint = 'So11111111111111111111111111111111111111112';
const fixedToken = {
  tokenContractAddress: mint,
  tokenSymbol: 'FROG',
  tokenName: 'Quiet Frog',
  tokenLogoUrl: '/favicon.svg',
  price: '0.00034',
  priceSol: '0.000002125',
  supply: '1',
  creator: null,
};

const NOW_MS = Date.parse('2026-11-16T12:00:00Z');
const QUARTER_MS = 900_000;

/** A rise, a fall and a calm end, each candle opening at the close before it. */
function fixedCandles() {
  const closeOf = (index: number) => 0.00052 + 0.00021 * Math.sin(index / 11) + 0.00004 * Math.sin(index / 1.7);
  return Array.from({ length: 120 }, (_, index) => {
    const [open, close] = [closeOf(index - 1), closeOf(index)];
    const reach = 0.000012 * (1 + Math.sin(index * 2.3));
    return {
      t: NOW_MS - (120 - index) * QUARTER_MS,
      o: open.toFixed(9),
      h: (Math.max(open, close) + reach).toFixed(9),
      l: (Math.min(open, close) - reach).toFixed(9),
      c: close.toFixed(9),
      v: String(40_000 + 30_000 * Math.round(1 + Math.cos(index * 1.3))),
      vUsd: '25',
      cSol: (close / 160).toFixed(12),
      closed: true,
    };
  });
}

const candles = fixedCandles();

const ownTrade = (barsAgo: number, side: 'buy' | 'sell', letter: string) => ({
  id: letter,
  time: NOW_MS - barsAgo * QUARTER_MS + Number(letter),
  side,
  price: candles.at(-barsAgo)!.c,
  priceSol: candles.at(-barsAgo)!.cSol,
  tokenAmount: '150000',
  solAmount: '0.5',
  valueUsd: '80',
  wallet: 'So11111111111111111111111111111111111111112',
  txHash: letter.repeat(88),
  bookId: 'b',
});

test('a chart with own trades, the position beside it and its share card look as recorded', async ({
  page,
  request,
  baseURL,
}) => {
  await logInAs(page, await anAccount(request));
  const token = await anyToken(request);
  const params = { tokenContractAddress: token.tokenContractAddress };
  const known = (await (await request.get('/api/token/getTokenBaseInfo', { params })).json()) as {
    data: { token: object };
  };
  await page.clock.setFixedTime(new Date(NOW_MS));
  await serveAtFixedAddress(page, baseURL!);
  const answer = (path: string, data: object) =>
    page.route(`**/api/${path}*`, (route) => route.fulfill({ json: { code: 200, msg: '', data } }));
  await answer('token/getTokenBaseInfo', { ...known.data, token: { ...known.data.token, ...fixedToken } });
  await answer('user/getMyTokenAmount', { amount: '300000', books: [] });
  await answer('triggers/getMyTriggers', { lists: [], total: 0, pageNo: 1, pageSize: 100 });
  await answer('v1/kline', { lists: candles });
  await answer('token/getTokenTransactionData', {
    lists: [ownTrade(28, 'sell', '3'), ownTrade(60, 'buy', '2'), ownTrade(60, 'buy', '1')],
    nextCursor: null,
  });
  await answer('user/getMyPositions', {
    lists: [
      {
        tokenContractAddress: mint,
        tokenName: 'Quiet Frog',
        tokenSymbol: 'FROG',
        tokenLogoUrl: '/favicon.svg',
        bookId: 'b',
        bookKind: 'personal',
        bookName: '',
        amount: '300000',
        boughtAmount: '300000',
        cost: '0.9',
        value: '1.16',
        valueUsd: '185.6',
        unrealizedProfit: '0.26',
        unrealizedPercent: '28.89',
        openTime: NOW_MS - 61 * QUARTER_MS,
      },
    ],
    total: 1,
    pageNo: 1,
    pageSize: 100,
  });
  await page.goto(`${ADDRESS}/token/${mint}?interval=15m`);
  const chart = page.getByTestId('chart');
  await expect(page.locator('[data-testid=chart][data-phase=ready]')).toBeVisible({ timeout: 45_000 });
  await expect(page.getByTestId('position-profit')).toHaveText('+0.2600 SOL · +28.89%');
  await page.evaluate(() => document.fonts.ready);
  for (const theme of ['dark', 'light']) {
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    for (const [part, name] of [
      [chart, `chart-${theme}.png`],
      [page.getByTestId('position-card'), `position-${theme}.png`],
    ] as const) {
      await expect(part).toHaveScreenshot(name, DIFFERENT_MAX);
      const picture = await part.screenshot({ animations: 'disabled' });
      await expectNothingMoved(page, { of: 'page', picture, name });
    }
    if (theme === 'dark') await page.getByRole('button', { name: 'Switch to the light theme' }).click();
  }
  await page.getByTestId('position-card').getByRole('button', { name: 'Share' }).click();
  const card = page.getByTestId('share-card');
  await expect(card).toHaveAttribute('aria-label', /FROG, .*\+28\.89%/);
  await page.getByRole('radio', { name: 'Dark' }).check();
  const picture = await pictureOf(card);
  expect(picture).toMatchSnapshot('position-share-card.png', DIFFERENT_MAX);
  await expectNothingMoved(page, { of: 'card', picture, name: 'position-share-card.png' });
  await page.goto('/favicon.svg');
});
