// What measurements in a browser share: the product (a running one with HUNTER_URL, else one of its own), a Chromium,
// and a user who is logged in.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { root } from '../../scripts/bootstrap.mjs';
import { findChromium } from '../../scripts/browser.ts';
import { startProduct } from '../../scripts/product-process.ts';

export type BrowserSession = {
  readonly url: string;
  readonly browser: Browser;
  /** A fresh context whose visitor is logged in. */
  readonly context: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  readonly tokenAddress: () => Promise<string>;
  readonly close: () => Promise<void>;
};

const TOKEN_ATTEMPTS = 120;
const SETTLE_ATTEMPTS = 150;

type Envelope = { code: number; msg: string; data: unknown };

/** Playwright belongs to the end-to-end tests' workspace; measurements borrow it from there. */
const { chromium } = createRequire(join(root, 'e2e', 'package.json'))('@playwright/test') as {
  chromium: { launch: (options: object) => Promise<Browser> };
};

async function openProduct(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env['HUNTER_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: () => Promise.resolve() };
  const folder = mkdtempSync(join(tmpdir(), 'hunter-bench-web-'));
  chmodSync(folder, 0o755);
  const product = await startProduct(join(folder, 'data'), { MARKET_SEED: '7' });
  await settled(product.endpoints.web);
  return {
    url: product.endpoints.web,
    stop: async () => {
      await product.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A new instance makes its market's strategies in its first minute, on the same processors as the browser. */
async function settled(url: string): Promise<void> {
  for (let attempt = 0; attempt < SETTLE_ATTEMPTS; attempt += 1) {
    const square = (await call(`${url}/api/strategy/getStrategyList?status=ended`)) as { total: number };
    // The last of the first minute's deeds is the end of those that were meant to be short.
    if (square.total >= 2) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function call(url: string, init?: RequestInit): Promise<unknown> {
  const answer = (await (await fetch(url, init)).json()) as Envelope;
  if (answer.code !== 200) throw new Error(`${url}: ${answer.code} ${answer.msg}`);
  return answer.data;
}

const post = (url: string, body: object): Promise<unknown> =>
  call(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function mailedCode(url: string, email: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const mails = (await call(`${url}/api/dev/mailbox?email=${encodeURIComponent(email)}`)) as {
      lists: { code: string | null }[];
    };
    const code = mails.lists[0]?.code;
    if (code) return code;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('no code was mailed');
}

async function register(url: string): Promise<{ token: string; email: string }> {
  const email = `bench-${Date.now()}@example.com`;
  const password = 'six quiet frogs 42';
  await post(`${url}/api/login/sendEmailCode`, { email });
  const account = (await post(`${url}/api/login/register`, {
    email,
    password,
    confirmPassword: password,
    verificationCode: await mailedCode(url, email),
    inviteCode: 'HUNTER',
    agreement: true,
  })) as { token: string };
  return { token: account.token, email };
}

export async function openBrowserSession(): Promise<BrowserSession> {
  const product = await openProduct();
  try {
    const executablePath = findChromium();
    const browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    });
    const user = await register(product.url);
    return {
      url: product.url,
      browser,
      context: async (options = {}) => {
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
        await context.addInitScript({
          content: `localStorage.setItem('token', ${JSON.stringify(user.token)});
            localStorage.setItem('rememberedEmail', ${JSON.stringify(user.email)});`,
        });
        return context;
      },
      tokenAddress: async () => {
        // A market that was just made is read by the product for a few seconds.
        for (let attempt = 0; attempt < TOKEN_ATTEMPTS; attempt += 1) {
          const hot = (await call(`${product.url}/api/token/getTokenHotList?period=24h&limit=1`)) as {
            lists: { tokenContractAddress: string }[];
          };
          if (hot.lists[0]) return hot.lists[0].tokenContractAddress;
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
        throw new Error('the market has no tokens');
      },
      close: async () => {
        await browser.close();
        await product.stop();
      },
    };
  } catch (error) {
    await product.stop();
    throw error;
  }
}

export async function throttleCpu(page: Page, rate: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
}

export const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
