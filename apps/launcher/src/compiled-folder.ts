import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { giveFolder } from './own-users.ts';
import type { User } from './postgres/run-as.ts';

/**
 * Where a part keeps its compiled code, and nobody else does: another part could put its own code there. Null, after saying so, in a
 * project that may only be read: then Node compiles at every start.
 */
export function compiledFolder(
  project: string,
  name: string,
  user: User | null,
  report: (line: string) => void,
): string | null {
  const folder = join(project, 'node_modules', '.cache', `compile-${name}`);
  try {
    if (user === null) mkdirSync(folder, { recursive: true, mode: 0o700 });
    else giveFolder(folder, user);
    return folder;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error;
    report(`${name.padEnd(9)} compiles its code at every start, because ${folder} cannot be written (${code})`);
    return null;
  }
}
