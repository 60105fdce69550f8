import { describe, expect, it } from 'vitest';
import { staleMentions } from './check-docs.ts';

const there = new Set(['docs/architecture.md', 'apps/server', 'scripts/*.mjs']);
const stale = (text: string): string[] =>
  staleMentions({ file: 'docs/page.md', text }, new Set(['start', 'bench']), (path) =>
    there.has(path.replace(/\/$/, '')),
  );

describe('staleMentions', () => {
  it('accepts paths, patterns, scripts and links that exist', () => {
    expect(stale('See [the map](architecture.md#top), `apps/server/`, `scripts/*.mjs`; run `npm start`.')).toEqual([]);
    expect(stale('`npm run bench -- NAME` runs bench/src/NAME.bench.ts. [elsewhere](https://example.org)')).toEqual([]);
    expect(stale('A build makes `apps/server/dist` and apps/server/dist/main.js.')).toEqual([]);
  });

  it('names a path that is gone', () => {
    expect(stale('The code is in `apps/server/src/gone.ts`.')).toEqual([
      'docs/page.md: apps/server/src/gone.ts does not exist',
    ]);
  });

  it('names a script that is gone', () => {
    expect(stale('Run `npm run build`, then `npm test`.')).toEqual([
      'docs/page.md: there is no npm script "build"',
      'docs/page.md: there is no npm script "test"',
    ]);
  });

  it('names a link that leads nowhere', () => {
    expect(stale('[gone](gone.md)')).toEqual(['docs/page.md: the link gone.md leads nowhere']);
  });
});
