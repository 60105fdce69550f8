/**
 * `npm run screenshots`: every screen in both themes and languages, on desktop and phone, of a product started for it, into
 * `screenshots/`. For looking at; nothing is compared.
 */
import { chromium, request as playwrightRequest, type APIRequestContext } from '@playwright/test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../scripts/browser.ts';
import { startProduct } from '../scripts/product-process.ts';
import { root } from '../scripts/bootstrap.mjs';

const widths = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

async function call<Data>(api: APIRequestContext, method: 'GET' | 'POST', path: string, data?: unknown): Promise<Data> {
  const reply = await api.fetch(path, { method, ...(data === undefined ? {} : { data }) });
  const envelope = (await reply.json()) as { code: number; msg: string; data: Data };
  if (envelope.code !== 200) throw new Error(`${path}: ${envelope.msg}`);
  return envelope.data;
}

async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (let attempt = 0; attempt < 240; attempt += 1) {
    const answer = await ask().catch(() => null);
    if (answer !== null) return answer;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('the product did not come to life');
}

const folder = mkdtempSync(join(tmpdir(), 'hunter-screenshots-'));
const product = await startProduct(join(folder, 'data'), {});
const open = await playwrightRequest.newContext({ baseURL: product.endpoints.web });
try {
  const email = 'screens@example.com';
  const password = 'a password for pictures';
  await call(open, 'POST', '/api/login/sendEmailCode', { email });
  const verificationCode = await until(async () => {
    const { lists } = await call<{ lists: { code: string }[] }>(open, 'GET', `/api/dev/mailbox?email=${email}`);
    return lists[0]?.code ?? null;
  });
  const { token } = await call<{ token: string }>(open, 'POST', '/api/login/register', {
    email,
    password,
    confirmPassword: password,
    verificationCode,
    inviteCode: 'HUNTER',
    agreement: true,
  });
  const api = await playwrightRequest.newContext({ baseURL: product.endpoints.web, extraHTTPHeaders: { token } });
  await until(async () => {
    const { walletInfo } = await call<{ walletInfo: { available: string } }>(api, 'GET', '/api/user/myWallet');
    return walletInfo.available === '0' ? null : true;
  });
  const mint = await until(async () => {
    const { lists } = await call<{ lists: { tokenContractAddress: string }[] }>(
      api,
      'GET',
      '/api/token/getTokenHotList',
    );
    return lists[0]?.tokenContractAddress ?? null;
  });
  const slug = await until(async () => {
    const { lists } = await call<{ lists: { slug: string; followers: number }[] }>(
      api,
      'GET',
      '/api/strategy/getStrategyList?sortBy=followers',
    );
    return lists.length >= 12 ? (lists[0]?.slug ?? null) : null;
  });
  await call(api, 'POST', '/api/token/tokenTransfer', { tokenContractAddress: mint, side: 'buy', amount: '1' });
  await call(api, 'POST', '/api/strategy/follow_strategy', { slug, mode: 'sol', amount: '2' });

  const screens: Record<string, string> = {
    login: '/login',
    register: '/register',
    discover: '/discover',
    strategies: '/strategies',
    strategy: `/strategies/${encodeURIComponent(slug)}`,
    token: `/token/${mint}`,
    following: '/myfollowing',
    created: '/mystrategy',
    account: '/account',
    'not-found': '/no/such/page',
  };
  const target = join(root, 'screenshots');
  mkdirSync(target, { recursive: true });
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--no-first-run'],
  });
  for (const [size, viewport] of Object.entries(widths)) {
    for (const theme of ['dark', 'light']) {
      for (const language of ['en', 'zh']) {
        const context = await browser.newContext({ viewport });
        const page = await context.newPage();
        for (const [name, path] of Object.entries(screens)) {
          const anonymous = name === 'login' || name === 'register';
          await page.addInitScript(
            ([chosenTheme, chosenLanguage, session, address]) => {
              localStorage.setItem('theme', chosenTheme!);
              localStorage.setItem('i18nextLng', chosenLanguage!);
              if (session) localStorage.setItem('token', session);
              if (session) localStorage.setItem('rememberedEmail', address!);
            },
            [theme, language, anonymous ? '' : token, email],
          );
          await page.goto(product.endpoints.web + path);
          await page.waitForLoadState('networkidle', { timeout: 6_000 }).catch(() => {});
          await page.screenshot({ path: join(target, `${name}-${size}-${theme}-${language}.png`) });
        }
        await context.close();
      }
    }
  }
  await browser.close();
  await api.dispose();
  process.stdout.write(`The pictures are in ${target}\n`);
} finally {
  await open.dispose();
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}
