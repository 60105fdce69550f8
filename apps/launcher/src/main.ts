import { join } from 'node:path';
import { clearLeftovers } from './child-record.ts';
import { ConfigurationError, parseConfiguration } from './configuration.ts';
import { rememberedPorts, writeEndpoints } from './endpoints.ts';
import { lockDataDirectory, prepareDataDirectory } from './instance-lock.ts';
import { choosePorts } from './ports.ts';
import { productEndpoints, productServices } from './product.ts';
import { reasonOf, StartError } from './start-error.ts';
import { Supervisor } from './supervisor.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

/** Set by the first signal, or when the command that started us is gone; later ones change nothing. */
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
process.on('disconnect', () => stop.abort());
// A terminal that went away must not stop the draining.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const stopRequested = new Promise<void>((resolve) => {
  stop.signal.addEventListener('abort', () => resolve(), { once: true });
});

async function run(): Promise<void> {
  const configuration = parseConfiguration(process.env, process.cwd());
  const { dataDirectory } = configuration;
  prepareDataDirectory(dataDirectory);
  const lock = lockDataDirectory(dataDirectory);
  const childrenFile = join(dataDirectory, 'children.json');
  await clearLeftovers(childrenFile);
  const ports = await choosePorts(configuration, rememberedPorts(dataDirectory));
  const inherited = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const supervisor = new Supervisor({
    services: productServices({ configuration, ports, inherited, childrenFile, report: complain }),
    report: complain,
  });
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
    lock.release();
  }
}

try {
  await run();
  process.exit(0);
} catch (error) {
  if (error instanceof ConfigurationError) error.lines.forEach((line) => complain(`Hunter cannot start: ${line}`));
  else if (error instanceof StartError) complain(`Hunter cannot start: ${error.message}`);
  else complain(`Hunter failed: ${error instanceof Error && error.stack ? error.stack : reasonOf(error)}`);
  process.exit(1);
}
