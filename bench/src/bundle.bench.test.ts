import { describe, expect, it } from 'vitest';
import { staticFiles } from './bundle.bench.ts';

describe('the bundle measurement', () => {
  it('counts each file once, however it is reached', () => {
    const manifest = {
      a: { file: 'a.js', imports: ['b', 'c'], dynamicImports: ['d'] },
      b: { file: 'b.js', imports: ['c'] },
      c: { file: 'c.js', imports: ['a'] },
      d: { file: 'd.js' },
    };
    expect([...staticFiles(manifest, 'a')]).toEqual(['a.js', 'b.js', 'c.js']);
  });
});
