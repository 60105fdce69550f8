import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../../scripts/bootstrap.mjs';
import type { ProductProcess } from '../../../scripts/product-process.ts';

/** Null where everything agrees, else the lines that do not. */
export async function verifyAll({ endpoints }: ProductProcess): Promise<string | null> {
  const args = ['--all', '--url', endpoints.web, '--rpc', endpoints.rpc];
  const child = spawn(process.execPath, [join(root, 'scripts', 'verify.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return null;
  const lines = output.split('\n').filter((line) => line.includes('≠') || /Error|differ/.test(line));
  return lines.join('\n').slice(0, 4_000) || output.slice(-2_000);
}
