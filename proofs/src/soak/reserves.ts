import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../scripts/bootstrap.mjs';

/** Null where everything owed is covered, else what `npm run reserves` says. */
export function reservesProblem(dataDirectory: string): string | null {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'ops', 'reserves.ts')], {
    env: { ...process.env, DATA_DIR: dataDirectory },
    encoding: 'utf8',
  });
  if (status === 0) return null;
  return [...stdout.split('\n').filter((line) => line.includes('BELOW')), stderr].join('\n').slice(0, 4_000);
}
