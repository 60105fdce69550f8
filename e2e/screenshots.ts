/**
 * `npm run screenshots [-- SCREEN…]`: every screen, or those named, in both themes and languages and at six widths, into
 * `screenshots/`. For looking at; nothing is compared. `HUNTER_URL` takes the pictures of a product that runs already;
 * `WIDTHS=390,1440 THEMES=dark LANGUAGES=en` takes fewer of them.
 */
import { chromium, request as playwrightRequest } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../scripts/browser.ts';
import { startProduct } from '../scripts/product-process.ts';
import { root } from '../scripts/bootstrap.mjs';
import type { TestAccount } from './test-account.ts';
import { aFundedAccount, anyToken, callAs } from './test-money.ts';

const listOf = (name: string, all: string): string[] => (process.env[name] ?? all).split(',');
const widths = listOf('WIDTHS', '360,390,768,1024,1440,2560').map(Number);
const themes = listOf('THEMES', 'dark,light');
const languages = listOf('LANGUAGES', 'en,zh');
/** On a busy machine. */
const SLOW_MS = 60_000;
const heights: Readonly<Record<number, number>> = { 360: 740, 390: 844, 768: 1024, 1024: 768, 2560: 1340 };

type Screen = { path: string; visitor?: boolean; open?: (page: Page) => Promise<unknown> };
type Lists<Row> = { lists: Row[] };

/** Something in every corner: a protected position, a follow, a strategy of one's own, tracked wallets. */
async function furnish(request: APIRequestContext): Promise<{ account: TestAccount; screens: Record<string, Screen> }> {
  const token = await anyToken(request);
  const mint = token.tokenContractAddress;
  const account = await aFundedAccount(request);
  const read = <Data>(path: string, data = {}) => callAs<Data>(request, account, 'GET', path, data);
  const write = <Data>(path: string, data: Record<string, unknown>) =>
    callAs<Data>(request, account, 'POST', path, data);
  const { lists: strategies } = await read<Lists<{ slug: string; creator: { name: string } }>>(
    '/api/strategy/getStrategyList',
    { sortBy: 'followers' },
  );
  const strategy = strategies[0]!;
  const { txHash } = await write<{ txHash: string }>('/api/token/tokenTransfer', {
    tokenContractAddress: mint,
    side: 'buy',
    amount: '1',
  });
  await write('/api/strategy/follow_strategy', { slug: strategy.slug, mode: 'sol', amount: '2' }).catch(() => {});
  await write('/api/strategy/start_paper_follow', { slug: strategy.slug, mode: 'sol', amount: '2' }).catch(() => {});
  await placeTriggers(write, mint).catch((error: unknown) => console.error(String(error)));
  const { lists: traders } = await read<Lists<{ address: string }>>('/api/wallet/getTraders', { period: 'all' });
  const wallet = traders[0]?.address ?? account.walletAddress;
  await write('/api/user/trackWallet', { address: wallet, name: 'Whale one' }).catch(() => {});
  const strategyPath = `/strategies/${encodeURIComponent(strategy.slug)}`;
  const other = `/strategies/${encodeURIComponent((strategies[1] ?? strategy).slug)}`;
  const press = (selector: string) => (page: Page) => page.locator(selector).first().click();
  return {
    account,
    screens: {
      login: { path: '/login', visitor: true },
      register: { path: '/register', visitor: true },
      'forgot-password': { path: '/forgot-password', visitor: true },
      discover: { path: '/discover', visitor: true },
      'discover-columns': { path: '/discover?view=columns' },
      'discover-new': { path: '/discover?list=new' },
      token: { path: `/token/${mint}` },
      'token-holders': { path: `/token/${mint}?tab=holders`, visitor: true },
      'token-notices': { path: `/token/${mint}?tab=notices` },
      'token-protect': {
        path: `/token/${mint}?tab=orders`,
        open: async (page) => {
          const bar = page.locator('[data-testid=trade-bar] button').first();
          if (await bar.isVisible()) await bar.click();
          await page.locator('[data-testid=trade-panel] input[inputmode=decimal]').first().fill('0.5');
          await page.locator('[data-testid=protect] label').first().click();
        },
      },
      'token-orders': { path: `/token/${mint}?tab=orders` },
      ...Object.fromEntries(
        Object.entries(orderTabs).map(([name, labels]) => [
          `token-${name}`,
          { path: `/token/${mint}?tab=orders`, open: (page: Page) => openOrderTab(page, labels) },
        ]),
      ),
      wallet: { path: `/wallet/${wallet}` },
      traders: { path: '/traders?period=all' },
      strategies: { path: '/strategies' },
      strategy: { path: strategyPath },
      follow: { path: other, open: press('main button.bg-accent') },
      creator: { path: `/creator/${encodeURIComponent(strategy.creator.name)}` },
      following: { path: '/myfollowing' },
      created: { path: '/mystrategy' },
      account: { path: '/account' },
      'account-position': { path: '/account?tab=position' },
      'account-orders': { path: '/account?tab=orders' },
      'account-record': { path: '/account?tab=record&view=trade' },
      'account-calendar': { path: '/account?tab=record&view=calendar' },
      'account-tracked': { path: '/account?tab=tracked' },
      'account-notifications': { path: '/account?tab=notifications' },
      'account-security': { path: '/account?tab=security' },
      'api-key': {
        path: '/account?tab=security',
        open: (page) => page.getByRole('button', { name: /Create API key|创建 API/ }).click(),
      },
      deposit: { path: '/account?dialog=deposit' },
      withdraw: { path: '/account?dialog=withdraw' },
      bell: { path: '/strategies', open: press('[data-testid=alert-bell]') },
      transaction: { path: `/tx/${txHash}` },
      address: { path: `/address/${account.walletAddress}` },
      proof: { path: `/proof#${mint}.${txHash}`, visitor: true },
      reserves: { path: '/reserves', visitor: true },
      verify: { path: '/verify', visitor: true },
      'not-found': { path: '/no/such/page' },
    },
  };
}

type Write = <Data>(path: string, data: Record<string, unknown>) => Promise<Data>;

/** One of each kind, far from the price. */
async function placeTriggers(write: Write, tokenContractAddress: string): Promise<void> {
  const place = (data: Record<string, unknown>) =>
    write('/api/triggers/place_trigger', { tokenContractAddress, ...data });
  const percent = (value: string) => ({ unit: 'percent', value });
  const amount = { unit: 'percent-held', value: '50' };
  await place({
    triggers: [
      {
        kind: 'limit',
        side: 'buy',
        level: { unit: 'market-cap', value: '1000', when: 'below' },
        amount: { unit: 'sol', value: '0.1' },
      },
    ],
  });
  await place({
    group: 'one-cancels-other',
    triggers: [
      { kind: 'stop-loss', level: percent('60'), amount },
      { kind: 'take-profit', level: percent('900'), amount },
    ],
  });
  await place({ triggers: [{ kind: 'trailing-stop', amount, trailing: { percent: '70' } }] });
  await place({
    triggers: [
      {
        kind: 'dca',
        side: 'buy',
        amount: { unit: 'sol', value: '0.01' },
        schedule: { intervalSeconds: 86_400, count: 5 },
      },
    ],
  });
}

/** The labels to choose one after the other, in either language. */
const orderTabs: Readonly<Record<string, readonly RegExp[]>> = {
  limit: [/^(Limit|限价)$/],
  exits: [/^(Exit|卖出条件)$/],
  trailing: [/^(Exit|卖出条件)$/, /^(Trailing|移动止损)$/],
  ladder: [/^(Exit|卖出条件)$/, /^(Ladder|分批)$/],
  dca: [/^(DCA|定投)$/],
};

async function openOrderTab(page: Page, labels: readonly RegExp[]): Promise<void> {
  const bar = page.locator('[data-testid=trade-bar] button').first();
  if (await bar.isVisible()) await bar.click();
  for (const label of labels) await page.getByRole('radio', { name: label }).first().check({ force: true });
}

async function takePictures(url: string, target: string, wanted: readonly string[]): Promise<void> {
  const request = await playwrightRequest.newContext({ baseURL: url });
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--no-first-run', '--font-render-hinting=none', '--disable-lcd-text'],
  });
  try {
    const { account, screens } = await furnish(request);
    const chosen = Object.entries(screens).filter(([name]) => wanted.length === 0 || wanted.includes(name));
    for (const theme of themes) {
      for (const language of languages) {
        for (const [name, { path, visitor = false, open }] of chosen) {
          const context = await browser.newContext({ baseURL: url });
          await context.addInitScript(
            ([chosenTheme, chosenLanguage, token, email]) => {
              localStorage.setItem('theme', chosenTheme);
              localStorage.setItem('i18nextLng', chosenLanguage);
              if (token !== '') localStorage.setItem('token', token);
              if (token !== '') localStorage.setItem('rememberedEmail', email);
            },
            [theme, language, visitor ? '' : account.token, account.email] as const,
          );
          context.setDefaultTimeout(4_000);
          for (const width of widths) {
            // A page of its own: one that is left while a sheet is open goes back first.
            const page = await context.newPage();
            await page.setViewportSize({ width, height: heights[width] ?? 900 });
            await page.goto(path, { timeout: SLOW_MS });
            await page.waitForLoadState('networkidle', { timeout: 2_500 }).catch(() => {});
            await open?.(page).catch((error: unknown) => console.error(`${name} at ${width}: ${String(error)}`));
            if (open) await page.waitForTimeout(1_200);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            if (wide > 0) console.error(`${name} at ${width} ${theme} ${language}: ${wide} px wider than the screen`);
            await page.screenshot({
              path: join(target, `${name}-${width}-${theme}-${language}.png`),
              timeout: SLOW_MS,
            });
            await page.close();
          }
          await context.close();
        }
      }
    }
  } finally {
    await browser.close();
    await request.dispose();
  }
}

const target = join(root, 'screenshots');
mkdirSync(target, { recursive: true });
const wanted = process.argv.slice(2);
const given = process.env['HUNTER_URL'] ?? '';
if (given !== '') {
  await takePictures(given, target, wanted);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-screenshots-'));
  const product = await startProduct(join(folder, 'data'), {});
  try {
    await takePictures(product.endpoints.web, target, wanted);
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
process.stdout.write(`The pictures are in ${target}\n`);
