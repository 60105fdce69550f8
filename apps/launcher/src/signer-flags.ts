import { realpathSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How Node starts the signer. The permission model leaves it its own sources and folders: no other file, no other program, no
 * native code. It needs `--allow-net` for its socket, so that is no guard against connections; the network namespace is. Its
 * signing threads need `--allow-worker`, and inherit all of this.
 */
export function signerFlags(project: string, folders: readonly string[]): string[] {
  const sources = join(realpathSync(project), 'apps', 'signer');
  return [
    // Otherwise anybody of the same user could attach a debugger with a signal and read its memory.
    '--disable-sigusr1',
    '--permission',
    ...[join(sources, 'src'), join(sources, 'package.json'), ...folders].map((path) => `--allow-fs-read=${path}`),
    ...folders.map((path) => `--allow-fs-write=${path}`),
    '--allow-net',
    '--allow-worker',
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
  ];
}
