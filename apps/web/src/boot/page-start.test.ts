import { describe, expect, it } from 'vitest';
import { callTable } from '../data/call-table.ts';
import { chunksOf, pageAt, questionsOf } from './page-start.ts';

const chunks = { files: ['page.js', 'en.js', 'zh.js'], pages: { '/strategies': { code: [0], en: [1], zh: [2] } } };

describe('what an address needs first', () => {
  it('is the page behind it, with its parameters', () => {
    expect(pageAt('/token/So111', true)).toEqual({ route: '/token/$tokenAddress', params: ['So111'] });
    expect(pageAt('/strategies/quiet/', true)?.route).toBe('/strategies/$slug');
  });

  it('is the square at home and the login where a session is missing', () => {
    expect(pageAt('/', true)?.route).toBe('/strategies');
    expect(pageAt('/account', false)?.route).toBe('/login');
    expect(pageAt('/register', false)?.route).toBe('/register');
  });

  it('is nothing at an address that nobody knows', () => {
    expect(pageAt('/no/such/page', true)).toBeNull();
    expect(chunksOf(chunks, null, 'en')).toEqual([]);
  });

  it('is the code and the texts of one language', () => {
    expect(chunksOf(chunks, pageAt('/strategies', true), 'zh')).toEqual(['page.js', 'zh.js']);
    expect(chunksOf(chunks, pageAt('/login', false), 'en')).toEqual([]);
  });
});

describe('the questions that are asked early', () => {
  const paths = (pathname: string, loggedIn: boolean) =>
    questionsOf(pageAt(pathname, loggedIn), '', loggedIn).map(({ path }) => path);

  it('go to paths of the API that are read', () => {
    const reads = Object.values(callTable).flatMap(({ method, path }) => (method === 'GET' ? [path] : []));
    for (const path of [...paths('/strategies', true), ...paths('/token/So111', true)]) expect(reads).toContain(path);
  });

  it('need a session, but for the configuration', () => {
    expect(paths('/strategies', false)).toEqual(['/api/config']);
    expect(paths('/strategies', true)).toEqual(['/api/config', '/api/strategy/getStrategyList']);
  });

  it('are those of the view in the address', () => {
    const [, list] = questionsOf(pageAt('/strategies', true), '?sort=newest&keyword=dog', true);
    expect(list?.request).toMatchObject({ sortBy: 'newest', status: 'running', keyword: 'dog' });
  });
});
