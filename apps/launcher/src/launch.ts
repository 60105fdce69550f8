import { join } from 'node:path';
import { checkOutsideDatabase } from './check-database.ts';
import { clearLeftovers } from './child-record.ts';
import { ConfigurationError, parseConfiguration, withoutEmpty, type Configuration } from './configuration.ts';
import { rememberedPorts, writeEndpoints } from './endpoints.ts';
import { ensurePast } from './first-past.ts';
import { Handover } from './handover.ts';
import { lockDataDirectory, prepareDataDirectory } from './instance-lock.ts';
import { freePort } from './free-port.ts';
import { choosePorts } from './ports.ts';
import { parseProcesses, type ServerProcess } from './processes.ts';
import { productEndpoints, type ProductInput } from './product.ts';
import type { Service } from './service.ts';
import { reasonOf, StartError } from './start-error.ts';
import { Supervisor } from './supervisor.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

/** Runs an instance until it is told to stop, and ends this process: 0 after draining, 1 where it could not start. */
export async function launch(services: (input: ProductInput) => Service[]): Promise<never> {
  const stopRequested = listenForStop();
  try {
    await run(services, await whatIsAskedFor(), stopRequested);
    process.exit(0);
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof StartError)
      complain(error.message.replaceAll(/^/gm, 'Hunter cannot start: '));
    else complain(`Hunter failed: ${error instanceof Error && error.stack ? error.stack : reasonOf(error)}`);
    process.exit(1);
  }
}

type Asked = { configuration: Configuration; processes: readonly ServerProcess[]; inherited: Record<string, string> };

/** What is wrong in the environment and what is wrong in the command, together. */
async function whatIsAskedFor(): Promise<Asked> {
  const inherited = withoutEmpty(process.env);
  const [configuration, processes] = await Promise.allSettled([
    Promise.resolve().then(() => parseConfiguration(inherited, process.cwd())),
    parseProcesses(process.argv.slice(2), inherited, freePort),
  ]);
  if (configuration.status === 'fulfilled' && processes.status === 'fulfilled')
    return { configuration: configuration.value, processes: processes.value, inherited };
  const errors = [configuration, processes].flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  const defect = errors.find((error) => !(error instanceof ConfigurationError));
  throw defect ?? new ConfigurationError(errors.map(({ message }) => message));
}

/** Settles at the first signal, or when the command that started us is gone. Later signals change nothing. */
function listenForStop(): Promise<void> {
  // A terminal that went away must not stop the draining.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
    process.on('disconnect', () => resolve());
  });
}

async function run(
  services: (input: ProductInput) => Service[],
  { configuration, processes, inherited }: Asked,
  stopRequested: Promise<void>,
): Promise<void> {
  const { dataDirectory, databaseUrl, chain } = configuration;
  if (chain.kind === 'outside') {
    // Loaded here, with all that speaks to a chain: whoever brings his own chain pays for it.
    const { checkOutsideChain } = await import('./check-chain.ts');
    await checkOutsideChain(chain.rpcUrl);
  }
  if (databaseUrl !== undefined) await checkOutsideDatabase(databaseUrl);
  prepareDataDirectory(dataDirectory);
  const lock = lockDataDirectory(dataDirectory);
  const childrenFile = join(dataDirectory, 'children.json');
  await clearLeftovers(childrenFile);
  const ports = await choosePorts(configuration, rememberedPorts(dataDirectory));
  const input = { configuration, ports, processes, inherited, childrenFile, report: complain };
  const database = new Handover();
  if ((await ensurePast(services, input, { say, stopRequested, database })) === 'interrupted') {
    ports.release?.();
    lock.release();
    return;
  }
  const parts = services(input).map((service) => (service.name === 'postgres' ? database.take(service) : service));
  const supervisor = new Supervisor({ services: parts, report: complain });
  try {
    const started = supervisor.start().then((facts) => {
      const endpoints = productEndpoints(configuration, ports, facts);
      writeEndpoints(dataDirectory, endpoints);
      say(`Hunter is ready: ${endpoints.web}`);
    });
    // Stopping while starting rejects `started`, which is then no news.
    started.catch(() => {});
    await Promise.race([started, stopRequested]);
    await stopRequested;
  } finally {
    await supervisor.stop();
    await database.stop();
    ports.release?.();
    lock.release();
  }
}
