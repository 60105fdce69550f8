import { describe, expect, it } from 'vitest';
import { isRoomy, type MemoryFolder } from './test-folder.ts';

const roomy: MemoryFolder = {
  mounts: '/dev/vda / ext4 rw,relatime 0 0\ntmpfs /dev/shm tmpfs rw,relatime 0 0\n',
  roomBytes: 12 * 2 ** 30,
  memoryBytes: 20 * 2 ** 30,
};

describe('the memory folder of a test run', () => {
  it('is used where there is plenty', () => {
    expect(isRoomy(roomy)).toBe(true);
  });

  it.each<[string, Partial<MemoryFolder>]>([
    ['a container gives it a few megabytes', { roomBytes: 64 * 2 ** 20 }],
    ['the machine has little memory', { memoryBytes: 4 * 2 ** 30 }],
    ['no program can be started in it', { mounts: 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec 0 0\n' }],
    ['nothing can be written to it', { mounts: 'shm /dev/shm tmpfs ro 0 0\n' }],
    ['it is no memory', { mounts: '/dev/vda / ext4 rw,relatime 0 0\n' }],
  ])('is left alone where %s', (_, difference) => {
    expect(isRoomy({ ...roomy, ...difference })).toBe(false);
  });
});
