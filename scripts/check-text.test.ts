import { describe, expect, it } from 'vitest';
import { textFaults } from './check-text.ts';

// The forbidden words are put together here, because this file is checked too.
const word = (...parts: string[]): string => parts.join('');

describe('textFaults', () => {
  it.each([
    ['docs/page.md', word('see /wo', 'rk/main'), 'names a path of one machine'],
    ['docs/page.md', word('see /ho', 'me/alex/hunter'), 'names a path of one machine'],
    ['package-lock.json', word('"resol', 'ved": "https://host/a.tgz"'), 'carries a download address'],
    ['.npmrc', word('registry=https://regis', 'try.example.org'), 'names a package registry'],
    ['apps/web/src/a.ts', word('// TO', 'DO later'), 'leaves work behind'],
    ['apps/web/src/a.test.ts', word('it.sk', "ip('x', () => {})"), 'leaves tests out'],
    ['packages/domain/src/a.ts', word('parse', 'Float(text)'), 'uses a float where money is exact'],
  ])('finds the fault in %s: %s', (file, line, complaint) => {
    expect(textFaults(file, `fine\n${line}`)).toEqual([`${file}:2 ${complaint}`]);
  });

  it('leaves alone what only looks alike', () => {
    expect(textFaults('package-lock.json', word('"resol', 'ved": "packages/domain"'))).toEqual([]);
    expect(textFaults('docs/page.md', word('apps/wo', 'rk/a and https://host/wo', 'rk/'))).toEqual([]);
    expect(textFaults('apps/web/src/chart.ts', word('parse', 'Float(text)'))).toEqual([]);
  });
});
