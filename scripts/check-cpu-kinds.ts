import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Locked = Record<string, { cpu?: string[]; os?: string[]; libc?: string[] }>;

/**
 * npm leaves out of the lockfile, without a word, the native packages that the registry did not have for another kind of machine, and
 * never asks for them there: the product would install and then not run.
 */
export function lockedForOneCpu(packages: Locked): string[] {
  return Object.entries(packages)
    .filter(([, { cpu, os, libc }]) => cpu?.includes('x64') && os?.includes('linux') && !libc?.includes('musl'))
    .map(([path]) => path)
    .filter((path) => !path.includes('musl') && packages[path.replace('x64', 'arm64')] === undefined)
    .map((path) => `package-lock.json has ${path} but nothing like it for arm64`);
}

export function checkCpuKinds(project: string): string[] {
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as { packages: Locked };
  return lockedForOneCpu(lock.packages);
}
