import { parseArgs } from 'node:util';
import { ConfigurationError, type Environment } from './configuration.ts';

/** One process of the server: all roles, or one of them beside others. */
export type ServerProcess = { readonly name: string; readonly environment: Readonly<Record<string, string>> };

const COUNT_MAX = 32;

/** What `npm start -- --api 2 --stream 2 --engines 2` asks for; without any of these one process does everything. */
export async function parseProcesses(
  args: readonly string[],
  environment: Environment,
  freePort: () => Promise<number>,
): Promise<readonly ServerProcess[]> {
  const count = { type: 'string' } as const;
  const options = { api: count, stream: count, engines: count, indexers: count, jobs: count };
  let values: Partial<Record<keyof typeof options, string>>;
  try {
    ({ values } = parseArgs({ args: [...args], options, strict: true }));
  } catch (error) {
    throw new ConfigurationError([(error as Error).message]);
  }
  const several = Object.keys(values).length > 0;
  if (!several) return [{ name: 'server', environment: {} }];
  const faults = environment['NATS_URL']
    ? []
    : ['NATS_URL is missing: several processes talk to each other over a NATS server (apt-get install nats-server)'];
  const countOf = (flag: string, text = '1'): number => {
    const number = /^\d{1,2}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > COUNT_MAX)
      faults.push(`${flag} must be a number of processes between 1 and ${COUNT_MAX}, but is "${text}"`);
    return number;
  };
  const counts = {
    api: countOf('--api', values.api),
    stream: countOf('--stream', values.stream),
    engine: countOf('--engines', values.engines),
    indexer: countOf('--indexers', values.indexers),
    jobs: countOf('--jobs', values.jobs),
  };
  if (faults.length > 0) throw new ConfigurationError(faults);
  return processesOf(counts, environment, freePort);
}

async function processesOf(
  counts: Readonly<Record<string, number>>,
  environment: Environment,
  freePort: () => Promise<number>,
): Promise<ServerProcess[]> {
  // The processes of one role share a port; the API passes connections of the stream on.
  const streamPort = await freePort();
  const ops = environment['OPS_PORT'] ? Number(environment['OPS_PORT']) : null;
  const named = Object.entries(counts).flatMap(([role, count]) =>
    Array.from({ length: count }, (_, index) => ({ role, name: count === 1 ? role : `${role}-${index + 1}` })),
  );
  return named.map(({ role, name }, index) => ({
    name,
    environment: {
      ROLE: role,
      ...(role === 'api' ? { STREAM_URL: `http://127.0.0.1:${streamPort}` } : {}),
      ...(role === 'stream' ? { PORT: String(streamPort), HOST: '127.0.0.1', TRUST_PROXY: '127.0.0.1' } : {}),
      ...(ops === null ? {} : { OPS_PORT: String(ops + index) }),
    },
  }));
}
