import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A signer of its own for tests: own folder, own socket, the real process. */
export type SignerProcess = {
  socketPath: string;
  token: string;
  folder: string;
  child: ChildProcess;
  output: () => string;
  /** Kills without a chance to tidy up, as a power cut would, and starts again on the same folder. */
  crashAndRestart: () => Promise<void>;
  stop: () => Promise<void>;
};

export async function startSignerProcess(env: Record<string, string> = {}): Promise<SignerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'signer-'));
  const socketPath = join(folder, 's.sock');
  const token = randomBytes(24).toString('hex');
  let output = '';
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: {
        ...process.env,
        SIGNER_SOCKET: socketPath,
        SIGNER_TOKEN: token,
        SIGNER_ENVIRONMENT: 'test',
        DATA_DIR: join(folder, 'data'),
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const keep = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      if (output.includes('"ready":true')) resolve();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('exit', () => reject(new Error(`the signer did not start: ${output}`)));
    await promise;
    return child;
  };
  const signer: SignerProcess = {
    socketPath,
    token,
    folder,
    child: await start(),
    output: () => output,
    crashAndRestart: async () => {
      const gone = once(signer.child, 'exit');
      signer.child.kill('SIGKILL');
      await gone;
      output = '';
      signer.child = await start();
    },
    stop: async () => {
      if (signer.child.exitCode === null && signer.child.signalCode === null) {
        const gone = once(signer.child, 'exit');
        signer.child.kill('SIGTERM');
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return signer;
}
