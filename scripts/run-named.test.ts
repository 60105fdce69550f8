import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listNamed } from './run-named.ts';

describe('listNamed', () => {
  it('lists what there is of a kind, with the sentence that opens each file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hunter-bench-'));
    writeFileSync(
      join(folder, 'start.bench.ts'),
      '/**\n * How long a start\n * takes. More words.\n */\nexport default 1;',
    );
    writeFileSync(join(folder, 'silent.bench.ts'), 'export default 1;');
    writeFileSync(join(folder, 'copy.proof.ts'), '/** Another kind. */');
    expect(listNamed('bench', folder)).toEqual([
      { name: 'silent', about: '' },
      { name: 'start', about: 'How long a start takes.' },
    ]);
    rmSync(folder, { recursive: true });
  });
});
