import { expect, it } from 'vitest';
import { lockedForOneCpu } from './check-cpu-kinds.ts';

const x64 = { os: ['linux'], cpu: ['x64'] };

it('finds a native package that is locked for x64 alone', () => {
  const packages = { 'node_modules/tool': {}, 'node_modules/tool-linux-x64-gnu': x64 };
  expect(lockedForOneCpu(packages)).toEqual([
    'package-lock.json has node_modules/tool-linux-x64-gnu but nothing like it for arm64',
  ]);
});

it('is content where both kinds are locked, and asks nothing of other systems and of musl', () => {
  const packages = {
    'node_modules/tool-linux-x64-gnu': x64,
    'node_modules/tool-linux-arm64-gnu': { os: ['linux'], cpu: ['arm64'] },
    'node_modules/tool-linux-x64-musl': { ...x64, libc: ['musl'] },
    'node_modules/tool-win32-x64': { os: ['win32'], cpu: ['x64'] },
  };
  expect(lockedForOneCpu(packages)).toEqual([]);
});
