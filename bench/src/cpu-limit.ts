import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PERIOD_US = 25_000;
const ROOT = '/sys/fs/cgroup';

/** Leaves each of the processes, with all its threads, this share of one core, by a control group of its own (v2 or v1; needs root). */
export function limitCpu(pids: readonly number[], cores: number): { release(): void } {
  const isV2 = existsSync(join(ROOT, 'cgroup.controllers'));
  const parent = isV2 ? ROOT : join(ROOT, 'cpu');
  const quota = Math.round(PERIOD_US * cores);
  const groups = pids.map((pid) => {
    const group = join(parent, `hunter-bench-${pid}`);
    mkdirSync(group, { recursive: true });
    if (isV2) writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_US}`);
    else {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota));
    }
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
    return { pid, group };
  });
  return {
    release: () => {
      for (const { pid, group } of groups) {
        writeFileSync(join(parent, 'cgroup.procs'), String(pid));
        rmdirSync(group);
      }
    },
  };
}

const TICKS_PER_SECOND = 100;

/** Core seconds that a process has used so far. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
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
