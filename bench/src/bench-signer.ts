import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type BenchSigner = { socketPath: string; token: string };

/** The product's own signer in a process of its own, for as long as `measure` runs. */
export async function withSigner<Result>(
  venueKey: string,
  measure: (signer: BenchSigner) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-bench-signer-'));
  const socketPath = join(folder, 's.sock');
  const token = randomBytes(24).toString('hex');
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../apps/signer/src/main.ts')], {
    env: {
      ...process.env,
      SIGNER_SOCKET: socketPath,
      SIGNER_TOKEN: token,
      SIGNER_ENVIRONMENT: 'bench',
      SIGNER_VENUE_KEY: venueKey,
      DATA_DIR: join(folder, 'data'),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    return await measure({ socketPath, token });
  } finally {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  }
}
