/**
 * Frames per second of the token page under 50 live updates a second, at 4 times CPU throttle. The updates are prices of
 * the hot list, trades and candles, added to the real stream by a proxy. The bar is 55 frames per second and no task
 * over 100 ms once the page is loaded; a blank page in the same run says what the machine itself can do.
 */
import type { Page } from '@playwright/test';
import { openBrowserSession, throttleCpu } from './browser-session.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { startStreamBooster } from './stream-booster.ts';

const UPDATES_PER_SECOND = 50;
const THROTTLE = 4;
const FRAMES_MIN = 55;
const TASK_MAX_MS = 100;
const SETTLE_MS = 5_000;

type Frames = { fps: number; longestTaskMs: number; longTasks: number };

/** Runs inside the page: counts frames and long tasks. Text, because measurements are not compiled for a browser. */
const counting = (durationMs: number): string => `new Promise((resolve) => {
  const tasks = [];
  const watch = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)));
  watch.observe({ type: 'longtask' });
  const startedAt = performance.now();
  let frames = 0;
  const next = () => {
    const elapsed = performance.now() - startedAt;
    if (elapsed < ${durationMs}) {
      frames += 1;
      requestAnimationFrame(next);
      return;
    }
    watch.disconnect();
    const fps = Math.round((frames / elapsed) * 10000) / 10;
    resolve({ fps, longestTaskMs: Math.round(Math.max(0, ...tasks)), longTasks: tasks.length });
  };
  requestAnimationFrame(next);
})`;

const countFrames = (page: Page, durationMs: number): Promise<Frames> => page.evaluate<Frames>(counting(durationMs));

export default async function measureLive([seconds = '10']: readonly string[]): Promise<Figures> {
  const session = await openBrowserSession();
  const booster = await startStreamBooster(session.url, UPDATES_PER_SECOND);
  try {
    const context = await session.context();
    const blank = await context.newPage();
    await blank.goto(`${booster.url}/favicon.svg`);
    await throttleCpu(blank, THROTTLE);
    const machine = await countFrames(blank, 3_000);
    await blank.close();

    const page = await context.newPage();
    await page.goto(`${booster.url}/token/${await session.tokenAddress()}`);
    await page.locator('[data-testid=chart][data-phase=ready]').waitFor({ timeout: 60_000 });
    await throttleCpu(page, THROTTLE);
    await page.waitForTimeout(SETTLE_MS);
    booster.takeSent();
    const durationMs = Number(seconds) * 1_000;
    const { fps, longestTaskMs, longTasks } = await countFrames(page, durationMs);
    const updatesPerSecond = Math.round((booster.takeSent() / durationMs) * 1_000);
    return {
      ok: fps >= FRAMES_MIN && longestTaskMs <= TASK_MAX_MS,
      fps,
      blankPageFps: machine.fps,
      longestTaskMs,
      longTasks,
      updatesPerSecond,
      throttle: THROTTLE,
    };
  } finally {
    await booster.stop();
    await session.close();
  }
}
