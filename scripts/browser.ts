import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

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

const packages = ['chromium', 'fonts-noto-cjk'];

export function missingForBrowserTests(): string[] {
  return [
    ...(findChromium() === undefined ? ['chromium'] : []),
    ...(process.platform === 'linux' && !hasChineseFont() ? ['fonts-noto-cjk'] : []),
  ];
}

/** Installs what browser tests need where that is possible without asking; else says what to install. */
export function ensureBrowser(): { readonly ok: boolean; readonly reason: string } {
  if (missingForBrowserTests().length === 0) return { ok: true, reason: '' };
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write(`Installing ${packages.join(' and ')} for the browser tests.\n`);
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    spawnSync('apt-get', ['update', '-q'], options);
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options);
  }
  const missing = missingForBrowserTests();
  if (missing.length === 0) return { ok: true, reason: '' };
  return {
    ok: false,
    reason: `browser tests need ${missing.join(' and ')}; install with: apt-get install -y ${packages.join(' ')} (or set CHROMIUM_PATH)`,
  };
}
