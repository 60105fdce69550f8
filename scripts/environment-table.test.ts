import { describe, expect, it } from 'vitest';
import { environmentTable, withTable } from './environment-table.ts';

describe('environmentTable', () => {
  it('gives each variable one row, from the part that describes it', () => {
    const { table, complaints } = environmentTable([
      { name: 'PORT', default: '`3000`', meaning: 'where it listens' },
      { name: 'PORT', default: '`0`' },
    ]);
    expect(table.split('\n').slice(2)).toEqual(['| `PORT` | `3000` | where it listens |']);
    expect(complaints).toEqual([]);
  });

  it('complains of a variable that nobody describes, or two parts do', () => {
    const twice = { name: 'HOST', default: 'none', meaning: 'the address' };
    expect(environmentTable([{ name: 'PORT', default: '`1`' }, twice, twice]).complaints).toEqual([
      'PORT is described 0 times',
      'HOST is described 2 times',
    ]);
  });
});

describe('withTable', () => {
  const document = 'before\n<!-- written by npm run docs:environment -->\n\nold\n\n<!-- end -->\nafter\n';

  it('replaces what stands between the marks and nothing else', () => {
    const written = withTable(document, 'new');
    expect(written).toBe(document.replace('old', 'new'));
    expect(withTable(written, 'new')).toBe(written);
  });

  it('refuses a document without the marks', () => {
    expect(() => withTable('no marks', 'new')).toThrow('no place');
  });
});
