// The first start of local mode with simulated people makes a week in which they have already traded. The same parts as
// always run for that, on the clock of that week, and are stopped before the product starts; only the database server goes on
// running, whose stop would write everything to disk once more. Nobody else has used the instance until then, so an attempt that
// was interrupted is thrown away and begun again.

import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ConfigurationError } from './configuration.ts';
import { freePort } from './free-port.ts';
import type { Handover } from './handover.ts';
import { clearOrphan } from './postgres/postmaster-pid.ts';
import type { ProductInput } from './product.ts';
import type { Service } from './service.ts';
import { reasonOf } from './start-error.ts';
import { Supervisor } from './supervisor.ts';

export const FIRST_START_MARK = 'first-start';
/** What a first start makes; the mark says that none of it is anybody's yet. */
const FOLDERS = ['postgres', 'localnet', 'signer'];
/** Without any progress for as long as this, far beyond what a slow machine needs, the product starts without this past. */
const STALLED_MS = 180_000;

/** The next start finds the mark and begins again. */
class Interrupted extends Error {}

type Progress = { readonly percent: number; readonly nowMs: number | null };

/** Makes nothing where the instance has been started before, or has no simulated people. */
export async function ensurePast(
  services: (input: ProductInput) => Service[],
  input: ProductInput,
  deps: { say: (line: string) => void; stopRequested: Promise<void>; database: Handover },
): Promise<'done' | 'interrupted'> {
  const { configuration, report } = input;
  const { dataDirectory } = configuration;
  const mark = join(dataDirectory, FIRST_START_MARK);
  // Also where no past is made now: with the mark left behind, a later start would take what somebody has used meanwhile for this.
  if (existsSync(mark)) {
    await discard(dataDirectory);
    rmSync(mark);
  }
  // Any of them: a signer and a chain that served an outside database are thrown away with a past that fails, keys and all.
  const isUsed = FOLDERS.some((folder) => existsSync(join(dataDirectory, folder)));
  if (!hasPeople(input) || isUsed) return 'done';
  mkdirSync(dataDirectory, { recursive: true });
  writeFileSync(mark, 'Nothing in this folder is used before this file is gone.\n', { flush: true });
  // Loaded here, with all of HTTP: a launcher needs it in its first start alone.
  const { showProgress } = await import('./past-page.ts');
  const page = await showProgress(input.ports.web, input.inherited['HOST']);
  const tell = ({ percent }: Progress): void => {
    page.show(percent);
    deps.say(`The local market\u2019s past is being replayed: ${percent} %`);
  };
  try {
    await makePast((past) => services(past).map((service) => keepDatabase(service, deps.database)), input, {
      tell,
      stopRequested: deps.stopRequested,
    });
  } catch (error) {
    await deps.database.stop();
    if (error instanceof Interrupted) return 'interrupted';
    // The product would not start either. Whoever corrects the variable begins again.
    if (error instanceof ConfigurationError) throw error;
    report(`the local market starts without strategies of the past: ${reasonOf(error)}`);
    await discard(dataDirectory);
  } finally {
    await page.close();
  }
  rmSync(mark, { force: true });
  return 'done';
}

/** Several processes share a database that is not ours to make. */
function hasPeople({ configuration: { chain, databaseUrl }, processes, inherited }: ProductInput): boolean {
  const isAlone = (processes?.length ?? 1) === 1 && !inherited['NATS_URL'];
  return (
    isAlone && databaseUrl === undefined && chain.kind === 'embedded' && chain.people && chain.past && chain.market
  );
}

function keepDatabase(service: Service, database: Handover): Service {
  return service.name === 'postgres' ? database.keep(service) : service;
}

/** A server of a start that was killed still writes there: what it adds meanwhile would be in the way. */
async function discard(dataDirectory: string): Promise<void> {
  await clearOrphan(join(dataDirectory, 'postgres', 'cluster'));
  for (const folder of FOLDERS) rmSync(join(dataDirectory, folder), { recursive: true, force: true });
}

async function makePast(
  services: (input: ProductInput) => Service[],
  input: ProductInput,
  { tell, stopRequested }: { tell: (progress: Progress) => void; stopRequested: Promise<void> },
): Promise<void> {
  const over = Promise.withResolvers<void>();
  let signer: ChildProcess | null = null;
  const watchdog = setTimeout(() => over.reject(new Error('it does not get on')), STALLED_MS);
  const hear = (progress: Progress): void => {
    tell(progress);
    watchdog.refresh();
    if (progress.percent === 100) over.resolve();
    // A signer that has just ended is started again, and hears the next time.
    if (signer?.connected === true && progress.nowMs !== null) signer.send({ nowMs: progress.nowMs }, () => {});
  };
  const onProcess = (name: string, child: ChildProcess): void => {
    if (name === 'signer') signer = child;
    if (name !== 'localnet' || child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{"past":')) hear((JSON.parse(line) as { past: Progress }).past);
    });
    child.once('exit', (code) => over.reject(new Error(`the chain of the past ended with code ${code}`)));
  };
  const webPort = await freePort();
  const supervisor = new Supervisor({
    services: services({ ...input, past: { webPort, onProcess } }),
    report: input.report,
  });
  try {
    over.promise.catch(() => {});
    const started = supervisor.start();
    started.catch(over.reject);
    await Promise.race([over.promise, stopRequested.then(() => Promise.reject(new Interrupted()))]);
  } finally {
    clearTimeout(watchdog);
    await supervisor.stop();
  }
}
