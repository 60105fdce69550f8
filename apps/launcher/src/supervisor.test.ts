import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChildRecord } from './child-record.ts';
import { childService } from './child-service.ts';
import { isAlive } from './process-alive.ts';
import { FIRST, IN_TURN } from './processor-share.ts';
import type { Service } from './service.ts';
import { Supervisor } from './supervisor.ts';
import { waitUntil } from './wait-until.ts';

const shareOf = (pid: number) => Number(/-?\d+$/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim()));
/** Only some systems have shares, and not everybody may change them, nor root in every container. */
const hasShares = existsSync('/proc/self/autogroup') && spawnSync('nice', ['-n', '-1', 'true']).stderr?.length === 0;

let folder: string;
let reports: string[];
let supervisor: Supervisor | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-supervisor-'));
  reports = [];
});

afterEach(async () => {
  await supervisor?.stop();
  supervisor = undefined;
  rmSync(folder, { recursive: true });
});

const journal = (): string[] => {
  const file = join(folder, 'journal');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};
const starts = (name: string): number[] =>
  journal().flatMap((line) => (line.startsWith(`${name} started`) ? [Number(line.split(' ')[2])] : []));

function child(
  name: string,
  options: { needs?: string[]; behaviour?: string; readyMs?: number; drainMs?: number; goesFirst?: boolean } = {},
): Service {
  return childService({
    name,
    needs: options.needs ?? [],
    command: () => ({
      args: [join(import.meta.dirname, 'fixtures', 'child.ts')],
      environment: {
        PATH: process.env['PATH'] ?? '',
        FIXTURE_NAME: name,
        FIXTURE_BEHAVIOUR: options.behaviour ?? 'good',
        FIXTURE_JOURNAL: join(folder, 'journal'),
      },
    }),
    logFile: join(folder, 'logs', `${name}.log`),
    report: (line) => reports.push(line),
    record: new ChildRecord(join(folder, 'children.json')),
    directory: folder,
    drainMs: options.drainMs ?? 20_000,
    ...(options.readyMs === undefined ? {} : { readyMs: options.readyMs }),
    ...(options.goesFirst === undefined ? {} : { goesFirst: options.goesFirst }),
  });
}

function supervise(...services: Service[]): Supervisor {
  supervisor = new Supervisor({ services, report: (line) => reports.push(line), pauseMinMs: 5, pauseMaxMs: 20 });
  return supervisor;
}

const eventually = async (condition: () => boolean): Promise<void> => {
  const met = await waitUntil(() => (condition() ? true : undefined), { timeoutMs: 60_000 });
  expect(met, `not met in time; reports: ${reports.join(' | ')}`).toBe(true);
};

describe('the supervisor', () => {
  it('starts a service after those it needs, and hands on what each said', async () => {
    const facts = await supervise(child('database'), child('web', { needs: ['database'] })).start();
    expect(journal().map((line) => line.split(' ')[0])).toEqual(['database', 'web']);
    expect(facts.get('web')).toEqual({ pid: starts('web')[0] });
  });

  it('starts a killed service again and leaves the others alone', async () => {
    await supervise(child('database'), child('web', { needs: ['database'] })).start();
    process.kill(starts('database')[0] ?? 0, 'SIGKILL');
    await eventually(() => starts('database').length === 2 && reports.includes('database is running again'));
    expect(starts('web')).toHaveLength(1);
    expect(reports.find((line) => line.startsWith('database stopped'))).toBe(
      'database stopped (ended by SIGKILL); starting it again in 5 ms',
    );
  });

  it('stops in reverse order and leaves no process behind', async () => {
    const running = supervise(child('database'), child('web', { needs: ['database'] }));
    await running.start();
    await running.stop();
    expect(journal().filter((line) => line.endsWith('stopped'))).toEqual(['web stopped', 'database stopped']);
    expect([...starts('web'), ...starts('database')].filter((pid) => isAlive(pid))).toEqual([]);
  });

  it('stops what does not depend on each other together, and what they use after all of them', async () => {
    const asked: string[] = [];
    const bothAsked = Promise.withResolvers<void>();
    const service = (name: string, needs: string[], uses: string[], mayStop: Promise<void>): Service => {
      const exited = Promise.withResolvers<string>();
      const stop = async (): Promise<void> => {
        asked.push(name);
        if (asked.includes('api') && asked.includes('engine')) bothAsked.resolve();
        await mayStop;
        exited.resolve('stopped');
      };
      return { name, needs, uses, start: async () => ({ facts: {}, exited: exited.promise, stop }) };
    };
    const atOnce = Promise.resolve();
    const running = supervise(
      service('database', [], [], atOnce),
      service('signer', [], [], atOnce),
      service('api', ['database'], ['signer'], bothAsked.promise),
      service('engine', ['database'], ['signer'], bothAsked.promise),
    );
    await running.start();
    await running.stop();
    expect(new Set(asked.slice(0, 2))).toEqual(new Set(['api', 'engine']));
    expect(new Set(asked.slice(2))).toEqual(new Set(['signer', 'database']));
  });

  it('ends a service that does not react to SIGTERM', async () => {
    const running = supervise(child('web', { behaviour: 'stubborn', drainMs: 500 }));
    await running.start();
    await running.stop();
    expect(isAlive(starts('web')[0] ?? 0)).toBe(false);
  });

  it('gives up the first start after a few attempts, with the words of the service', async () => {
    await expect(supervise(child('web', { behaviour: 'broken' })).start()).rejects.toThrow(
      `web did not start: the fixture is broken (see ${join(folder, 'logs', 'web.log')})`,
    );
    expect(starts('web')).toHaveLength(3);
    expect(reports).toEqual([]);
  });

  it('gives up at once with a line for each variable that a service complains of', async () => {
    await expect(supervise(child('web', { behaviour: 'misconfigured' })).start()).rejects.toThrow(
      'web did not start: LEASE_SECONDS is not valid: too small\nweb did not start: SIGNER_TOKEN is not set',
    );
    expect(starts('web')).toHaveLength(1);
  });

  it.runIf(existsSync('/proc/self/fd'))('leaves nothing open where a service cannot even be prepared', async () => {
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    const full = childService({
      name: 'web',
      needs: [],
      command: () => {
        throw new Error('ENOSPC: no space left on device');
      },
      logFile: join(folder, 'logs', 'web.log'),
      report: () => {},
      record: new ChildRecord(join(folder, 'children.json')),
      directory: folder,
    });
    const context = { signal: new AbortController().signal, facts: new Map() };
    for (let attempt = 0; attempt < 20; attempt += 1) await expect(full.start(context)).rejects.toThrow('ENOSPC');
    expect(open() - before).toBeLessThan(10);
  });

  it('watches a service whose process id finds no place on the disk', async () => {
    mkdirSync(join(folder, 'children.json.new'));
    await supervise(child('web')).start();
    process.kill(starts('web')[0] ?? 0, 'SIGKILL');
    await eventually(() => starts('web').length === 2 && reports.includes('web is running again'));
  });

  it('has more patience with a service while another is still starting', async () => {
    const running = supervise(child('chain', { behaviour: 'silent' }), child('web', { behaviour: 'broken' }));
    await expect(running.start()).rejects.toThrow('web did not start');
    expect(starts('web').length).toBeGreaterThan(3);
  });

  it.runIf(hasShares)('gives more processor time to what starts, and for good to what goes first', async () => {
    const starting = supervise(child('web', { behaviour: 'silent' }));
    const first = starting.start().catch(() => {});
    await eventually(() => starts('web').length === 1);
    expect(shareOf(starts('web')[0]!)).toBe(FIRST);
    await starting.stop();
    await first;
    await supervise(child('chain', { goesFirst: true }), child('other')).start();
    expect(['chain', 'other'].map((name) => shareOf(starts(name)[0]!))).toEqual([FIRST, IN_TURN]);
  });

  it('treats a service that never becomes ready as failed', async () => {
    await expect(supervise(child('web', { behaviour: 'silent', readyMs: 50 })).start()).rejects.toThrow(
      'web did not start: was not ready in time',
    );
    expect(starts('web').filter((pid) => isAlive(pid))).toEqual([]);
  });

  it('can be stopped while it starts', async () => {
    const running = supervise(child('database', { behaviour: 'silent' }), child('web', { needs: ['database'] }));
    const started = running.start();
    const outcome = expect(started).rejects.toThrow();
    await eventually(() => starts('database').length === 1);
    await running.stop();
    await outcome;
    expect(starts('web')).toEqual([]);
    expect(isAlive(starts('database')[0] ?? 0)).toBe(false);
  });

  it('keeps all lines in the log and shows errors in the terminal', async () => {
    await supervise(child('web')).start();
    await eventually(() => reports.includes('[web] it hurts: badly'));
    expect(readFileSync(join(folder, 'logs', 'web.log'), 'utf8')).toContain('an ordinary line');
    expect(reports.join()).not.toContain('an ordinary line');
  });
});
