/**
 * Gzipped JavaScript that each route loads first. The web app is built into a temporary folder and its manifest walked:
 * the boot script, the entry, the route's page with everything it imports, its texts, and what every visit of that page fetches at once.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pageFiles, SESSION_FILES, type PageFiles } from '../../apps/web/src/page-table.ts';
import type { Figures } from '../../scripts/run-named.ts';

const root = join(import.meta.dirname, '../..');
const web = join(root, 'apps/web');

/** In bytes, of gzipped JavaScript. Routes that are not named have none of their own. */
const budgets: Readonly<Record<string, number>> = {
  '/login': 130_000,
  '/discover': 190_000,
  '/strategies': 190_000,
  '/token/$tokenAddress': 300_000,
};

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] };
type Manifest = Readonly<Record<string, Chunk>>;

/** The chunk and all that it imports, by file. */
export function staticFiles(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const imported of chunk.imports ?? []) staticFiles(manifest, imported, seen);
  return seen;
}

/** What a page fetches by itself as soon as it is shown: the chart, and what the header of somebody logged in shows. */
function fetchedAtOnce(manifest: Manifest, route: PageFiles): string[] {
  const pageImports = manifest[route.page]?.dynamicImports ?? [];
  const avatar = Object.keys(manifest).filter((key) => key.includes('boring-avatars'));
  const anonymous = route.texts('en').includes('src/i18n/en/auth.ts');
  return [...pageImports.filter((key) => key.includes('/chart/')), ...(anonymous ? [] : [...SESSION_FILES, ...avatar])];
}

export default async function measureBundle(): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-bench-bundle-'));
  try {
    execFileSync(
      process.execPath,
      [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', folder, '--emptyOutDir'],
      {
        cwd: web,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
    // The boot script stands beside the manifest: the page alone names it.
    const [, boot] =
      /<script src="\/(assets\/boot-[^"]+)"/.exec(readFileSync(join(folder, 'index.html'), 'utf8')) ?? [];
    if (boot === undefined) throw new Error('index.html names no boot script');
    const sizes = new Map<string, number>();
    const gzipped = (file: string): number => {
      let size = sizes.get(file);
      if (size === undefined) sizes.set(file, (size = gzipSync(readFileSync(join(folder, file))).length));
      return size;
    };
    const routes: Record<string, { bytes: number; budget: number | null }> = {};
    const over = new Set(Object.keys(budgets));
    for (const route of pageFiles()) {
      const files = new Set<string>();
      for (const key of ['index.html', route.page, ...route.texts('en'), ...fetchedAtOnce(manifest, route)]) {
        staticFiles(manifest, key, files);
      }
      files.add(boot);
      const scripts = [...files].filter((file) => file.endsWith('.js'));
      const bytes = scripts.reduce((sum, file) => sum + gzipped(file), 0);
      const budget = budgets[route.path] ?? null;
      if (budget !== null && bytes <= budget) over.delete(route.path);
      routes[route.path] = { bytes, budget };
    }
    return { ok: over.size === 0, over: [...over], routes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
