import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isMountPoint } from './mount-point.ts';

it('tells where something is mounted from other folders, through links too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-mount-'));
  try {
    symlinkSync('/dev', join(folder, 'link'));
    expect(isMountPoint('/dev')).toBe(true);
    expect(isMountPoint(join(folder, 'link'))).toBe(true);
    expect(isMountPoint(folder)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
