import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ChildRecord } from './child-record.ts';
import { ConfigurationError } from './configuration.ts';
import { LogFile } from './log-file.ts';
import { isAboutVariable, isErrorLine, isForTheLogOnly, parseReadyLine, terminalLine, wordsOf } from './log-line.ts';
import type { User } from './postgres/run-as.ts';
import { FIRST, IN_TURN, shareProcessor } from './processor-share.ts';
import type { ReadyFacts, RunningService, Service, StartContext } from './service.ts';

/** Generous: the first start writes a week of market history, which a busy machine does slowly. */
const READY_MS = 180_000;

export type ChildOptions = {
  readonly name: string;
  readonly needs: readonly string[];
  readonly uses?: readonly string[];
  /** Called at each start, so that it may use what its needs said. */
  readonly command: (facts: ReadonlyMap<string, ReadyFacts>) => {
    /** A program that sets something up and replaces itself by Node. */
    readonly through?: readonly string[];
    /** Another one than ours, where the program above does not change it. */
    readonly user?: User;
    readonly args: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
  };
  readonly logFile: string;
  readonly report: (line: string) => void;
  readonly record: ChildRecord;
  readonly directory: string;
  readonly readyMs?: number;
  readonly drainMs?: number;
  /** Before the others where there is too little processor time for all, as every part is while it starts. */
  readonly goesFirst?: boolean;
  /** Each process as it starts, for whoever has something to tell it or to hear from it. */
  readonly onProcess?: (child: ChildProcess) => void;
};

/**
 * A part of the product that runs as a Node process of its own. The contract with it:
 * one line of JSON with `"ready": true` on standard output when it serves; SIGTERM drains and exits 0; it ends by itself
 * when its standard input or its IPC channel closes, because then this process is gone.
 */
export function childService(options: ChildOptions): Service {
  const { name, needs, uses = [] } = options;
  return { name, needs, uses, start: (context) => startChild(options, context) };
}

async function startChild(options: ChildOptions, { signal, facts: known }: StartContext): Promise<RunningService> {
  const { name, report } = options;
  // It writes files too, and fails while the disk is full: nothing is open before that.
  const { through = [], user, args, environment } = options.command(known);
  const log = new LogFile(options.logFile);
  const [program, ...rest] = [...through, process.execPath, ...args];
  const child = spawn(program!, rest, {
    cwd: options.directory,
    env: environment,
    // A process group of its own: Ctrl-C in a terminal reaches only this process, which then stops the parts in order.
    detached: true,
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  // Writing to a child that has just died is not worth an exception.
  child.stdin?.on('error', () => {});
  if (child.pid !== undefined) options.record.add(name, child.pid);
  if (child.pid !== undefined) shareProcessor(child.pid, FIRST);
  options.onProcess?.(child);

  const exited = exitOf(child).then((reason) => {
    if (child.pid !== undefined) options.record.remove(child.pid);
    log.write(`${new Date().toISOString()} ${name} ${reason}`);
    log.close();
    return reason;
  });
  const stop = (): Promise<void> => stopChild(child, exited, options.drainMs ?? 10_000);

  const ready = new Promise<ReadyFacts>((resolve) => {
    readLines(child.stdout, (line) => {
      const facts = parseReadyLine(line);
      if (facts) resolve(facts);
      if (isErrorLine(line)) report(terminalLine(name, line));
      if (!facts) log.write(line);
    });
  });
  let isReady = false;
  let lastWords = '';
  const aboutVariables: string[] = [];
  readLines(child.stderr, (line) => {
    // Of a stack trace the line with the error itself says most.
    if (line.trim() !== '' && !isForTheLogOnly(line) && !/Error: /.test(lastWords)) lastWords = wordsOf(line);
    log.write(line);
    if (!isReady && isAboutVariable(line)) aboutVariables.push(wordsOf(line));
    // What it says before it is ready becomes the reason why it is not, in one line.
    if (isReady && !isForTheLogOnly(line)) report(terminalLine(name, line));
  });

  const timeout = Promise.withResolvers<string>();
  const timer = setTimeout(() => timeout.resolve('was not ready in time'), options.readyMs ?? READY_MS);
  const interrupt = (): void => timeout.resolve('was interrupted');
  signal.addEventListener('abort', interrupt, { once: true });
  const outcome = await Promise.race([ready, exited, timeout.promise]);
  clearTimeout(timer);
  signal.removeEventListener('abort', interrupt);
  if (typeof outcome === 'string') {
    await stop();
    if (aboutVariables.length > 0) throw new ConfigurationError(aboutVariables);
    const words = lastWords.replace(/^(uncaught )?Error: /i, '').trim();
    throw new Error(`${words === '' ? outcome : words} (see ${options.logFile})`);
  }
  isReady = true;
  if (child.pid !== undefined && !options.goesFirst) shareProcessor(child.pid, IN_TURN);
  return { facts: outcome, exited, stop };
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(`could not be started: ${error.message}`);
    });
    // `close` comes after `exit`, when every line it printed has been read.
    child.once('close', (code, signal) => resolve(signal === null ? `exited with code ${code}` : `ended by ${signal}`));
  });
}

async function stopChild(child: ChildProcess, exited: Promise<string>, drainMs: number): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), drainMs);
  await exited;
  clearTimeout(timer);
}

function readLines(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
}
