import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError, parseConfiguration } from './configuration.ts';
import { ensurePast } from './first-past.ts';
import { freePort } from './free-port.ts';
import { Handover } from './handover.ts';
import type { ProductInput } from './product.ts';
import type { Service } from './service.ts';

let folder: string;
let reports: string[];
let told: unknown[];
let started: number;
let stopped: string[];
let database: Handover;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-first-past-'));
  [reports, told, started, stopped] = [[], [], 0, []];
  database = new Handover();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Parts that make a folder as the real ones do, and a chain that says what `lines` says. */
function parts(lines: readonly object[], signerFailure?: Error): (input: ProductInput) => Service[] {
  return ({ past }) => {
    const service = (name: string): Service => ({
      name,
      needs: [],
      start: async () => {
        if (name === 'signer' && signerFailure) throw signerFailure;
        started += 1;
        mkdirSync(join(folder, name), { recursive: true });
        const stdout = new PassThrough();
        const child = Object.assign(new EventEmitter(), {
          stdout,
          connected: true,
          send: (message: unknown) => told.push(message),
        });
        past!.onProcess(name, child as unknown as ChildProcess);
        // After the signer, which is told the time, has started as well.
        if (name === 'localnet') setImmediate(() => lines.forEach((line) => stdout.write(`${JSON.stringify(line)}\n`)));
        const exited = Promise.withResolvers<string>();
        const stop = async () => {
          stopped.push(name);
          exited.resolve('stopped');
        };
        return { facts: { of: name }, exited: exited.promise, stop };
      },
    });
    return [service('postgres'), service('localnet'), service('signer')];
  };
}

const never = new Promise<void>(() => {});

async function ensure(
  lines: readonly object[],
  {
    environment = {},
    stopRequested = never,
    signerFailure,
  }: { environment?: Record<string, string>; stopRequested?: Promise<void>; signerFailure?: Error } = {},
) {
  const input: ProductInput = {
    configuration: parseConfiguration({ SIMULATED_PAST: 'on', ...environment, DATA_DIR: folder }, folder),
    ports: { web: await freePort(), rpc: 0, venue: 0 },
    inherited: {},
    childrenFile: join(folder, 'children.json'),
    report: (line) => reports.push(line),
  };
  return ensurePast(parts(lines, signerFailure), input, { say: (line) => reports.push(line), stopRequested, database });
}

const past = (percent: number, nowMs: number | null) => ({ past: { percent, nowMs } });
const mark = () => existsSync(join(folder, 'first-start'));

describe('the past of a first start', () => {
  it('is made once, tells the signer its time, and says how far it is', async () => {
    expect(await ensure([past(40, 1_000), past(100, null)])).toBe('done');
    expect(told).toEqual([{ nowMs: 1_000 }]);
    expect(reports.filter((line) => /: (40|100) %$/.test(line))).toHaveLength(2);
    expect(mark()).toBe(false);
    started = 0;
    await ensure([past(100, null)]);
    expect(started).toBe(0);
  });

  it('leaves the database server running for the product, which starts it again only where it ends', async () => {
    await ensure([past(100, null)]);
    expect(stopped).toEqual(['signer', 'localnet']);
    const service: Service = { name: 'postgres', needs: [], start: () => Promise.reject(new Error('started again')) };
    const context = { signal: new AbortController().signal, facts: new Map() };
    const running = await database.take(service).start(context);
    expect(running.facts).toEqual({ of: 'postgres' });
    await expect(database.take(service).start(context)).rejects.toThrow('started again');
    await running.stop();
    expect(stopped).toEqual(['signer', 'localnet', 'postgres']);
  });

  it('is thrown away and begun again where it was interrupted', async () => {
    expect(await ensure([], { stopRequested: Promise.resolve() })).toBe('interrupted');
    expect(mark()).toBe(true);
    expect(stopped).toContain('postgres');
    writeFileSync(join(folder, 'postgres', 'half'), '');
    expect(await ensure([past(100, null)])).toBe('done');
    expect(existsSync(join(folder, 'postgres', 'half'))).toBe(false);
    expect(mark()).toBe(false);
  });

  it('is not given up where a variable is wrong: the next start makes it', async () => {
    const wrong = new ConfigurationError(['SIGNER_THREADS must be a number from 0 to 9']);
    await expect(ensure([], { signerFailure: wrong })).rejects.toThrow(`signer did not start: ${wrong.message}`);
    expect(started).toBe(2);
    expect(await ensure([past(100, null)])).toBe('done');
    expect(reports.at(-1)).toMatch(/: 100 %$/);
    expect(mark()).toBe(false);
  });

  it('that was interrupted is thrown away before somebody uses it, also where the next start makes none', async () => {
    await ensure([], { stopRequested: Promise.resolve() });
    writeFileSync(join(folder, 'postgres', 'half'), '');
    expect(await ensure([], { environment: { SIMULATED_PAST: 'off' } })).toBe('done');
    expect([existsSync(join(folder, 'postgres', 'half')), mark()]).toEqual([false, false]);
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'used'), '');
    expect(await ensure([past(100, null)])).toBe('done');
    expect(existsSync(join(folder, 'postgres', 'used'))).toBe(true);
  });

  it.each(['signer', 'localnet'])('is not made where a folder %s was used with an outside database', async (name) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'kept'), '');
    expect(await ensure([], { stopRequested: Promise.resolve() })).toBe('done');
    expect(await ensure([], { environment: { SIMULATED_PAST: 'off' } })).toBe('done');
    expect([started, mark(), existsSync(join(folder, name, 'kept'))]).toEqual([0, false, true]);
  });

  it.each([
    ['without simulated people', { SIMULATED_STRATEGIES: 'off' }],
    ['where it is switched off', { SIMULATED_PAST: 'off' }],
    ['without a market', { LOCALNET_MARKET: 'off' }],
    ['on a database that others may use', { DATABASE_URL: 'postgresql://localhost/hunter' }],
  ])('is not made %s', async (_where, environment) => {
    expect(await ensure([], { environment })).toBe('done');
    expect([started, mark()]).toEqual([0, false]);
  });
});
