import './one-line.ts';
import { SignerClient } from '@hunter/signer-client/signer-client';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Database } from '../apps/server/src/platform/postgres.ts';

// Where an operator command reaches the parts of an instance: by the environment, else by what the running instance
// wrote into its data folder.

/** An empty variable counts as absent. */
export function setting(name: string): string | undefined {
  return process.env[name]?.trim() || undefined;
}

export const dataDirectory = resolve(setting('DATA_DIR') ?? 'data');

/** Loaded only now: a command that is in a hurry must not wait for the driver of a database. */
export async function openDatabase(): Promise<Database> {
  const { Database } = await import('../apps/server/src/platform/postgres.ts');
  const { createLog } = await import('../apps/server/src/platform/log.ts');
  const given = setting('DATABASE_URL');
  const url = given ?? textFrom('endpoints.json', 'postgres', 'DATABASE_URL');
  const database = new Database(url, createLog('warn'), { maxConnections: 2 });
  await database.query('select 1').catch((cause: Error) => {
    const which = given === undefined ? `of ${dataDirectory}` : 'that DATABASE_URL names';
    throw new Error(`the database ${which} cannot be used`, { cause });
  });
  return database;
}

export function openSigner(): SignerClient {
  const socketPath = setting('SIGNER_SOCKET') ?? textFrom('operator.json', 'signerSocket', 'SIGNER_SOCKET');
  const token = setting('SIGNER_OPERATOR_TOKEN') ?? textFrom('operator.json', 'signerToken', 'SIGNER_OPERATOR_TOKEN');
  return new SignerClient({ socketPath, token, tlsFolder: setting('SIGNER_TLS_DIR') });
}

/** Where a part of the running instance listens, unless the variable says so. */
export function endpoint(part: string, variable: string): string {
  return setting(variable) ?? textFrom('endpoints.json', part, variable);
}

function textFrom(file: string, field: string, variable: string): string {
  const path = join(dataDirectory, file);
  try {
    const value = (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>)[field];
    if (typeof value === 'string') return value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  throw new Error(`Hunter does not run here: set ${variable}, or DATA_DIR to the data folder of the running instance.`);
}

export function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

export function say(message: string): void {
  process.stdout.write(`${message}\n`);
}
