import { describe, expect, it } from 'vitest';
import { callTable } from '../data/call-table.ts';
import { discoverRequest, readDiscoverSearch } from '../features/discover/discover-search.ts';
import { readSquareSearch, squareRequest } from '../pages/strategies/square-search.ts';
import { routeTable } from '../route-table.ts';
import { firstQuestions } from './first-questions.ts';
import { chunksOf, pageAt, questionsOf } from './page-start.ts';

const chunks = {
  files: ['page.js', 'en.js', 'zh.js'],
  session: [],
  pages: { '/strategies': { code: [0], en: [1], zh: [2] } },
};

describe('what an address needs first', () => {
  it('is the page behind it, with its parameters', () => {
    expect(pageAt(routeTable, '/token/So111', true)).toEqual({ route: '/token/$tokenAddress', params: ['So111'] });
    expect(pageAt(routeTable, '/strategies/quiet/', true)?.route).toBe('/strategies/$slug');
  });

  it('is the square at home and the login where a session is missing', () => {
    expect(pageAt(routeTable, '/', true)?.route).toBe('/strategies');
    expect(pageAt(routeTable, '/account', false)?.route).toBe('/login');
    expect(pageAt(routeTable, '/register', false)?.route).toBe('/register');
  });

  it('is nothing at an address that nobody knows', () => {
    expect(pageAt(routeTable, '/no/such/page', true)).toBeNull();
  });

  it('is the code and the texts of one language', () => {
    expect(chunksOf(chunks, '/strategies', 'zh')).toEqual(['page.js', 'zh.js']);
    expect(chunksOf(chunks, '/login', 'en')).toEqual([]);
  });
});

describe('the questions that are asked early', () => {
  const paths = (pathname: string, loggedIn: boolean) =>
    questionsOf(firstQuestions, pageAt(routeTable, pathname, loggedIn), '').map(({ path }) => path);

  it('go to paths of the API that are read', () => {
    const reads = Object.values(callTable).flatMap(({ method, path }) => (method === 'GET' ? [path] : []));
    for (const path of [...paths('/strategies', true), ...paths('/token/So111', true)]) expect(reads).toContain(path);
  });

  it('need a session, but for the configuration', () => {
    expect(paths('/strategies', false)).toEqual(['/api/config']);
    expect(paths('/strategies', true)).toEqual(['/api/config', '/api/strategy/getStrategyList']);
  });

  it('leave a view that is chosen in the address to the page', () => {
    const asked = questionsOf(firstQuestions, pageAt(routeTable, '/strategies', true), '?sort=newest');
    expect(asked.map(({ path }) => path)).toEqual(['/api/config']);
  });

  it('are those that a page asks when nothing is chosen', () => {
    const [, list] = questionsOf(firstQuestions, pageAt(routeTable, '/strategies', true), '');
    expect(list?.request).toEqual(squareRequest(readSquareSearch({})));
    const [, tokens] = questionsOf(firstQuestions, pageAt(routeTable, '/discover', false), '');
    expect(tokens?.request).toEqual(discoverRequest(readDiscoverSearch({})));
  });
});
