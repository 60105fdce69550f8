/**
 * Verifying a strategy of 1,000 swaps in the browser, against fetching the same transactions in the same page. Product and node
 * are stand-ins that answer at once, behind the real server: its page, its proxy and its policy. The bar is 3 times.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { buildServer } from '../../apps/server/src/http/build-server.ts';
import { onlyHandlers } from '../../apps/server/src/http/handlers-for-test.ts';
import { createMetrics } from '../../apps/server/src/http/metrics.ts';
import { ChainReadLimit } from '../../apps/server/src/http/chain-read-limit.ts';
import { registerChainProxy } from '../../apps/server/src/http/routes/chain-proxy.ts';
import { serveWeb } from '../../apps/server/src/http/serve-web.ts';
import { systemClock as clock } from '../../apps/server/src/platform/clock.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { WALLET } from '../../packages/verify/src/world-for-test.ts';
import { findChromium } from '../../scripts/browser.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { median } from './browser-session.ts';
import { aVerifyWorld, serveTransactions, type VerifyWorld } from './verify-world.ts';

const RATIO_MAX = 3;

// Both run inside the page; text, because measurements are not compiled for a browser.
const fetchAll = (signatures: readonly string[]): string => `(async () => {
  const signatures = ${JSON.stringify(signatures)};
  const startedAt = performance.now();
  const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  let next = 0;
  const readNext = async () => {
    while (next < signatures.length) {
      const part = signatures.slice(next, (next += 25));
      const body = part.map((each, id) => ({ jsonrpc: '2.0', id, method: 'getTransaction', params: [each, options] }));
      const headers = { 'content-type': 'application/json' };
      await (await fetch('/api/verify/rpc', { method: 'POST', headers, body: JSON.stringify(body) })).json();
    }
  };
  await Promise.all([readNext(), readNext()]);
  return performance.now() - startedAt;
})()`;
const verify = `new Promise((resolve) => {
  const startedAt = performance.now();
  new MutationObserver(() => {
    const result = document.querySelector('[data-testid=verify-result] [role=status], section [role=alert]');
    if (result) resolve({ ms: performance.now() - startedAt, text: result.textContent });
  }).observe(document.body, { childList: true, subtree: true });
  document.querySelector('form button[type=submit]').click();
})`;

function aServer(world: VerifyWorld) {
  const { rows, freeSol } = world;
  const yieldRate = String(Number((((Number(freeSol) - 5) / 5) * 100).toFixed(4)));
  const detail = {
    slug: 'frogs',
    name: 'Frogs',
    status: 'running',
    capitalAmount: '5',
    equity: freeSol,
    freeSol,
    yieldRate,
    maxDrawdown: '0',
    winRate: '100',
    closedTrades: (rows.length - 1) / 2,
    unsoldAtLoss: 0,
    positions: [],
    verify: { wallet: WALLET, walletKind: 'strategy' },
  };
  const newestFirst = rows.toReversed();
  return buildServer({
    local: true,
    handlers: onlyHandlers({
      getStrategyDetail: async () => detail as never,
      getStrategyTrades: async ({ cursor, limit }) => {
        const start = Number(cursor ?? 0);
        const nextCursor = start + limit < newestFirst.length ? String(start + limit) : null;
        return { lists: newestFirst.slice(start, start + limit), nextCursor };
      },
    }),
    authenticate: () => null,
    readiness: async () => ({}),
    idempotently: (_name, _caller, _request, run) => run(),
    clock,
    log: createLog('silent'),
    metrics: createMetrics(),
    rateLimitPerSecond: 100_000,
    trustProxy: false,
    publicOrigin: undefined,
  });
}

function buildWeb(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-bench-verify-'));
  const root = join(import.meta.dirname, '../..');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--outDir', folder, '--emptyOutDir'], {
    cwd: join(root, 'apps/web'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}

async function verifyMs(page: Page): Promise<number> {
  const { ms, text } = await page.evaluate<{ ms: number; text: string }>(verify);
  if (!text.startsWith('All ')) throw new Error(`the page says: ${text}`);
  return ms;
}

export default async function measureVerify([swaps = '1000', runs = '5']: readonly string[]): Promise<Figures> {
  const web = buildWeb();
  const world = aVerifyWorld(Number(swaps));
  const node = await serveTransactions(world.transactions);
  const app = aServer(world);
  const browser = await chromium.launch({
    ...(findChromium() === undefined ? {} : { executablePath: findChromium()! }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    // The limit of the proxy is for strangers; a measurement asks for more than one verifier does.
    registerChainProxy(app, {
      rpcUrl: node.url,
      limit: new ChainReadLimit({ ...clock, nowMs: hourly() }),
      log: createLog('silent'),
    });
    await serveWeb(app, web);
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const times = { fetch: [] as number[], verify: [] as number[] };
    for (let run = 0; run < Number(runs); run += 1) {
      const page = await browser.newPage();
      await page.goto(`${url}/verify`);
      await page.getByRole('textbox', { name: 'Strategy' }).fill('frogs');
      times.fetch.push(await page.evaluate<number>(fetchAll([...world.transactions.keys()])));
      times.verify.push(await verifyMs(page));
      await page.close();
    }
    const ratio = Math.round((median(times.verify) / median(times.fetch)) * 100) / 100;
    return {
      ok: ratio <= RATIO_MAX,
      ratio,
      transactions: world.transactions.size,
      verifyMs: Math.round(median(times.verify)),
      fetchMs: Math.round(median(times.fetch)),
    };
  } finally {
    await browser.close();
    await app.close();
    node.stop();
    rmSync(web, { recursive: true, force: true });
  }
}

/** A clock on which an hour passes with every question, so that no limit is reached. */
function hourly(): () => number {
  let nowMs = 0;
  return () => (nowMs += 3_600_000);
}
