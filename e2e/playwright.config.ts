import { defineConfig } from '@playwright/test';
import { findChromium } from '../scripts/browser.ts';

const executablePath = findChromium();

/** Run by `npm test`, which makes sure that a browser is there. The product is started once for all tests. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './start-product.ts',
  outputDir: '../test-results',
  // One set of pictures for all machines.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  // Twice two cores: most of a test is waiting for a chain that is no faster for it.
  workers: 4,
  // What hangs ends earlier, by the limits of its step; a test with many steps that wait for the chain may take this long.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [
    ['list'],
    ...(process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] === undefined
      ? []
      : [['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] }] as ['json', { outputFile: string }]]),
  ],
  use: {
    // Set by the global setup before the workers load this file.
    baseURL: process.env['HUNTER_URL'],
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    // Calls that a service worker makes pass by `page.route`; the test about the worker allows it for itself.
    serviceWorkers: 'block',
    // A button that never comes fails the test where it happened, not at the end of the test's whole time.
    actionTimeout: 30_000,
    navigationTimeout: 45_000,
    // Every step, call and console line, without a film and a DOM for each step: they take a third and a quarter of the processor time
    // of a run, and `--trace retain-on-failure` asks for them.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        // Letters are drawn the same on every machine, for the picture tests.
        '--font-render-hinting=none',
        '--disable-lcd-text',
        // Chromium's own sandbox needs rights that root in a container lacks; the pages are our own.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
});
