import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where each part of this instance listens; `postgres` carries the password, so only the owner may read the file. */
export type Endpoints = {
  readonly web: string;
  readonly rpc: string;
  readonly rpcWs: string;
  readonly venue: string;
  readonly postgres: string;
};

export function writeEndpoints(dataDirectory: string, endpoints: Endpoints): void {
  const file = join(dataDirectory, 'endpoints.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(endpoints, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The ports of the last run, to be taken again where they are still free. */
export function rememberedPorts(dataDirectory: string): { rpc?: number; venue?: number } {
  try {
    const { rpc, venue } = JSON.parse(readFileSync(join(dataDirectory, 'endpoints.json'), 'utf8')) as Endpoints;
    return { rpc: Number(new URL(rpc).port), venue: Number(new URL(venue).port) };
  } catch {
    return {};
  }
}
