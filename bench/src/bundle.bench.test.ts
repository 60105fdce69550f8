import { describe, expect, it } from 'vitest';
import { lazyRoutes } from '../../apps/web/build-steps/lazy-routes.ts';
import { staticFiles } from './bundle.bench.ts';

describe('the bundle measurement', () => {
  it('reads the lazy routes with their texts from the router', () => {
    const source = `
      const a = createRoute({ path: '/', beforeLoad: () => {} });
      const b = createRoute({ path: '/login', validateSearch: x,
        component: lazyPage(() => import('./pages/login/login-page.tsx'), ['auth', 'common']) });
      const c = createRoute({ path: '/strategies', component: lazyPage(() => import('./pages/s.tsx')) });`;
    expect(lazyRoutes(source)).toEqual([
      { path: '/login', page: 'src/pages/login/login-page.tsx', areas: ['auth', 'common'] },
      { path: '/strategies', page: 'src/pages/s.tsx', areas: [] },
    ]);
  });

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
