import { SignerClient } from '@hunter/signer-client/signer-client';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Database } from '../apps/server/src/platform/postgres.ts';

// Where an operator command reaches the parts of an instance: by the environment, else by what the running instance
// wrote into its data folder.

export const dataDirectory = resolve(process.env['DATA_DIR'] ?? 'data');

/** Loaded only now: a command that is in a hurry must not wait for the driver of a database. */
export async function openDatabase(): Promise<Database> {
  const { Database } = await import('../apps/server/src/platform/postgres.ts');
  const { createLog } = await import('../apps/server/src/platform/log.ts');
  const url = process.env['DATABASE_URL'] ?? textFrom('endpoints.json', 'postgres', 'DATABASE_URL');
  return new Database(url, createLog('warn'), { maxConnections: 2 });
}

export function openSigner(): SignerClient {
  const socketPath = process.env['SIGNER_SOCKET'] ?? textFrom('operator.json', 'signerSocket', 'SIGNER_SOCKET');
  const token =
    process.env['SIGNER_OPERATOR_TOKEN'] ?? textFrom('operator.json', 'signerToken', 'SIGNER_OPERATOR_TOKEN');
  return new SignerClient({ socketPath, token, tlsFolder: process.env['SIGNER_TLS_DIR'] });
}

/** Where a part of the running instance listens. */
export function endpoint(part: string, variable: string): string {
  return textFrom('endpoints.json', part, variable);
}

function textFrom(file: string, field: string, variable: string): string {
  const path = join(dataDirectory, file);
  try {
    const value = (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>)[field];
    if (typeof value === 'string') return value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return fail(`Hunter does not run here: set ${variable}, or DATA_DIR to the data folder of the running instance.`);
}

export function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

export function say(message: string): void {
  process.stdout.write(`${message}\n`);
}
