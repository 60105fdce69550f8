import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreLibraryLinks } from './binaries.ts';

describe('restoreLibraryLinks', () => {
  it('recreates the links that an installation without scripts lacks, and can run again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hunter-links-'));
    const native = join(folder, 'native');
    mkdirSync(join(native, 'lib'), { recursive: true });
    writeFileSync(join(native, 'lib', 'libpq.so.5.18'), '');
    writeFileSync(
      join(native, 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
    );
    restoreLibraryLinks(native);
    restoreLibraryLinks(native);
    expect(lstatSync(join(native, 'lib', 'libpq.so.5')).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    rmSync(folder, { recursive: true });
  });
});
