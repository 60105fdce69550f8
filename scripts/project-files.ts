import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const ignored = new Set(['node_modules', 'dist', 'data', '.git', 'test-results', 'playwright-report']);

/** The project's own files, relative to its root: what git tracks or would track; without git, what is there. */
export function projectFiles(project: string): string[] {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (listed.status !== 0) return [...walk(project, project)].sort();
  const files = listed.stdout.split('\0').filter((file) => file !== '' && existsSync(join(project, file)));
  return [...new Set(files)].sort();
}

function* walk(project: string, folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (ignored.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(project, path);
    else yield relative(project, path);
  }
}
