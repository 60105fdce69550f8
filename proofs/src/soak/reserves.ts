import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../../../scripts/bootstrap.mjs';

const LOOKS = 4;
const LOOK_APART_MS = 15_000;

/**
 * Null where everything owed is covered, else what `npm run reserves` says. Strategies go on returning what the signer let wait, and a
 * transfer that has landed and is not posted yet looks as if it was missing: only what several looks miss is missing.
 */
export async function reservesProblem(dataDirectory: string): Promise<string | null> {
  let problem: string | null = null;
  for (let look = 0; look < LOOKS; look += 1) {
    if (look > 0) await delay(LOOK_APART_MS);
    problem = lookOnce(dataDirectory);
    if (problem === null) return null;
  }
  return problem;
}

function lookOnce(dataDirectory: string): string | null {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'ops', 'reserves.ts')], {
    env: { ...process.env, DATA_DIR: dataDirectory },
    encoding: 'utf8',
  });
  if (status === 0) return null;
  return [...stdout.split('\n').filter((line) => /BELOW|on their way/.test(line)), stderr].join('\n').slice(0, 4_000);
}
