/**
 * Walks the whole journey, from signing up to a withdrawal, in a real browser: in English and Chinese, in the dark and the light theme, on
 * a desktop and on a phone. Takes the names of the journeys with commas, all of them unless told.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/bootstrap.mjs';
import { ensureBrowser } from '../../scripts/browser.ts';
import type { Figures } from '../../scripts/run-named.ts';

type Report = {
  suites: { suites?: { title: string; specs: { ok: boolean; tests: { results: { duration: number }[] }[] }[] }[] }[];
};

export default async function proveJourneys([names = 'all']: readonly string[]): Promise<Figures> {
  const { ok: ready, reason } = ensureBrowser();
  if (!ready) throw new Error(reason);
  const folder = mkdtempSync(join(tmpdir(), 'hunter-journeys-'));
  const file = join(folder, 'report.json');
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn(
        join(root, 'node_modules', '.bin', 'playwright'),
        // One at a time and once each: the figures are those of a traveller alone.
        ['test', '--config', 'e2e/playwright.config.ts', '--workers', '1', '--retries', '0', 'journey.spec.ts'],
        {
          cwd: root,
          env: { ...process.env, JOURNEYS: names, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
          stdio: ['ignore', 'inherit', 'inherit'],
        },
      );
      child.once('error', reject);
      child.once('close', resolve);
    });
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const journeys = report.suites.flatMap(({ suites = [] }) =>
      suites.flatMap(({ title, specs }) =>
        specs.map((spec) => ({
          journey: title,
          ok: spec.ok,
          seconds: Math.round((spec.tests[0]?.results[0]?.duration ?? 0) / 1_000),
        })),
      ),
    );
    return { journeys, ok: code === 0 && journeys.length > 0 && journeys.every(({ ok }) => ok) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
