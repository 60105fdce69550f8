import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The one without windows first: the whole browser draws its own tabs and menus all the time, seen by nobody. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The Chromium that browser tests run in: CHROMIUM_PATH, else Debian's place, else the first on the PATH. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = environment['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') return isProgram(chosen) ? chosen : undefined;
  const folders = ['/usr/bin', ...(environment['PATH'] ?? '').split(delimiter)].filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** Chinese text renders as boxes without such a font, and widths differ. */
function hasChineseFont(): boolean {
  const listed = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' });
  if (listed.status === 0) return listed.stdout.trim() !== '';
  return existsSync('/usr/share/fonts/opentype/noto');
}

const font = 'fonts-noto-cjk';
/** Not every distribution has the first. */
const browserPackages = ['chromium-headless-shell', 'chromium'];

export function missingForBrowserTests(): string[] {
  return [
    ...(findChromium() === undefined ? ['chromium'] : []),
    ...(process.platform === 'linux' && !hasChineseFont() ? [font] : []),
  ];
}

/** Installs what browser tests need where that is possible without asking; else says what to install. */
export function ensureBrowser(): { readonly ok: boolean; readonly reason: string } {
  if (missingForBrowserTests().length === 0) return { ok: true, reason: '' };
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write('Installing Chromium and a Chinese font for the browser tests.\n');
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    const install = (name: string) =>
      spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], options);
    spawnSync('apt-get', ['update', '-q'], options);
    install(font);
    for (const name of browserPackages) if (findChromium() === undefined) install(name);
  }
  const missing = missingForBrowserTests();
  if (missing.length === 0) return { ok: true, reason: '' };
  return {
    ok: false,
    reason: `browser tests need ${missing.join(' and ')}; install with: apt-get install -y chromium ${font} (or set CHROMIUM_PATH)`,
  };
}
