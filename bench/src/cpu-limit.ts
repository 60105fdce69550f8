import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PERIOD_US = 25_000;
const ROOT = '/sys/fs/cgroup';

/** Leaves each of the processes, with all its threads, this share of one core, by a control group of its own (v2 or v1; needs root). */
export function limitCpu(pids: readonly number[], cores: number): { release(): void } {
  const isV2 = existsSync(join(ROOT, 'cgroup.controllers'));
  const quota = Math.round(PERIOD_US * cores);
  const groups = pids.map((pid) => {
    // With v1 inside the group that the process is in, so that what was given to the whole bench still counts.
    const parent = isV2 ? ROOT : join(ROOT, 'cpu', groupOf(pid));
    const group = join(parent, `hunter-bench-${pid}`);
    mkdirSync(group, { recursive: true });
    if (isV2) writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_US}`);
    else {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota));
    }
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
    return { pid, parent, group };
  });
  return {
    release: () => {
      for (const { pid, parent, group } of groups) {
        writeFileSync(join(parent, 'cgroup.procs'), String(pid));
        rmdirSync(group);
      }
    },
  };
}

function groupOf(pid: number): string {
  return /^\d+:(?:[\w,]+,)?cpu(?:,[\w,]+)?:(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? '/';
}

const TICKS_PER_SECOND = 100;

/** Core seconds that a process has used so far. */
export function cpuSeconds(pid: number): number {
  return statOf(pid)?.own ?? 0;
}

/** Core seconds of a process, of all that it started, and of those of them that have ended. */
export function treeSeconds(root: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
  const tree = new Set([root]);
  for (let before = 0; before < tree.size;) {
    before = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return all.filter(({ pid }) => tree.has(pid)).reduce((sum, { own, ended }) => sum + own + ended, 0);
}

/** Core seconds of a process and of those that it started and that have ended; null where it is gone. */
export function statOf(pid: number): { pid: number; parent: number; own: number; ended: number } | null {
  try {
    // The name, in brackets, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const seconds = (first: number) => (fields[first]! + fields[first + 1]!) / TICKS_PER_SECOND;
    return { pid, parent: fields[1]!, own: seconds(11), ended: seconds(13) };
  } catch {
    return null;
  }
}

/** Share of the whole machine that was busy between two looks, in percent. */
export function watchMachine(): () => number {
  const look = () => {
    const times = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.trim().split(/\s+/).slice(1, 9).map(Number);
    const idle = times[3]! + times[4]!;
    return { idle, all: times.reduce((sum, time) => sum + time, 0) };
  };
  const before = look();
  return () => {
    const after = look();
    return Math.round((1 - (after.idle - before.idle) / (after.all - before.all)) * 100);
  };
}
