/**
 * First contentful paint of Discover and of the strategy square at 4 times CPU throttle, against a plain React page in the same
 * run, and how much each screen shifts while it loads. The bars are 1.4 times and a layout shift below 0.01.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { root } from '../../scripts/bootstrap.mjs';
import { median, openBrowserSession, throttleCpu } from './browser-session.ts';
import type { BrowserSession } from './browser-session.ts';
import type { Figures } from '../../scripts/run-named.ts';

const THROTTLE = 4;
const PAINT_RATIO_MAX = 1.4;
const SHIFT_MAX = 0.01;
const painted = ['/discover', '/strategies'] as const;
const steady = ['/login', ...painted, '/traders', '/account', '/myfollowing', '/mystrategy'];
/** Screens go on loading after the first paint; by then all of them stand. */
const SETTLE_MS = 4_000;

const plainHtml = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Plain</title></head>
<body><div id="root"></div><script type="module" src="/main.js"></script></body></html>`;
const plainScript = `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
createRoot(document.getElementById('root')).render(createElement('h1', null, 'Plain'));`;

// Both run inside the page; text, because measurements are not compiled for a browser.
const readFirstPaint = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const [entry] = list.getEntriesByName('first-contentful-paint');
    if (entry) resolve(entry.startTime);
  }).observe({ type: 'paint', buffered: true });
})`;
const readShifts = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 500);
})`;

/** A page with React and one heading, built as the web app is. */
async function servePlainPage(): Promise<{ url: string; stop: () => void }> {
  mkdirSync(join(root, '.cache'), { recursive: true });
  // Below the project, so that the build finds React where the web app does.
  const folder = mkdtempSync(join(root, '.cache', 'plain-page-'));
  writeFileSync(join(folder, 'index.html'), plainHtml);
  writeFileSync(join(folder, 'main.js'), plainScript);
  execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };
  const server = createServer((request, reply) => {
    const path = join(folder, 'dist', new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = extname(path) !== '' && existsSync(path) ? path : join(folder, 'dist/index.html');
    reply.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' });
    reply.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function firstPaintMs(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  await throttleCpu(page, THROTTLE);
  await page.goto(url);
  const paint = await page.evaluate<number>(readFirstPaint);
  await page.close();
  return paint;
}

/** The sum of all shifts that no input caused. */
async function layoutShift(session: BrowserSession, path: string, width: number): Promise<number> {
  const context = path === '/login' ? await session.browser.newContext() : await session.context();
  const page = await context.newPage();
  await page.setViewportSize({ width, height: width < 600 ? 844 : 900 });
  await page.goto(`${session.url}${path}`);
  await page.waitForTimeout(SETTLE_MS);
  const shift = await page.evaluate<number>(readShifts);
  await context.close();
  return Math.round(shift * 10_000) / 10_000;
}

export default async function measurePaint([runs = '5']: readonly string[]): Promise<Figures> {
  const session = await openBrowserSession();
  const plain = await servePlainPage();
  try {
    const plainMs: number[] = [];
    const paintMs: Record<string, number[]> = Object.fromEntries(painted.map((path) => [path, []]));
    for (let run = 0; run < Number(runs); run += 1) {
      const context = await session.context();
      plainMs.push(await firstPaintMs(context, plain.url));
      for (const path of painted) paintMs[path]!.push(await firstPaintMs(context, `${session.url}${path}`));
      await context.close();
    }
    const token = await session.tokenAddress();
    const shifts: Record<string, number> = {};
    for (const path of [...steady, `/token/${token}`]) {
      for (const width of [1440, 390]) {
        const name = path.startsWith('/token/') ? '/token' : path;
        shifts[`${name} ${width}`] = await layoutShift(session, path, width);
      }
    }
    const ratios = Object.fromEntries(
      painted.map((path) => [path, Math.round((median(paintMs[path]!) / median(plainMs)) * 100) / 100]),
    );
    return {
      ok:
        Object.values(ratios).every((ratio) => ratio <= PAINT_RATIO_MAX) &&
        Object.values(shifts).every((shift) => shift < SHIFT_MAX),
      ratios,
      paintMs: Object.fromEntries(painted.map((path) => [path, Math.round(median(paintMs[path]!))])),
      plainPaintMs: Math.round(median(plainMs)),
      layoutShift: shifts,
    };
  } finally {
    plain.stop();
    await session.close();
  }
}
