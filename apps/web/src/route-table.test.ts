import { describe, expect, it } from 'vitest';
import { buildMenu, routeTable } from './route-table.ts';
import type { RouteMeta } from './route-table.ts';

describe('the route table', () => {
  it('gives every route a title, whether it needs a session and whether the menu hides it', () => {
    for (const [path, meta] of Object.entries(routeTable)) {
      expect({ path, ...meta }).toMatchObject({
        title: expect.stringMatching(/^shell\.titles\./),
        requiresAuth: expect.any(Boolean),
        hideInMenu: expect.any(Boolean),
      });
    }
  });

  it('needs a session everywhere but on Discover, a token’s and a creator’s page, pages of the chain, where mails lead, at login, sign-up and on the 404 page', () => {
    const open = Object.entries(routeTable).filter(([, meta]) => !meta.requiresAuth);
    expect(open.map(([path]) => path)).toEqual([
      '/discover',
      '/creator/$name',
      '/wallet/$address',
      '/traders',
      '/tx/$signature',
      '/proof',
      '/address/$address',
      '/register',
      '/register-success',
      '/forgot-password',
      '/freeze',
      '/unfreeze',
      '/undo-reset',
      '/cancel-withdrawal',
      '/token/$tokenAddress',
      '/reserves',
      '/login',
      '*',
    ]);
  });
});

describe('the menu', () => {
  it('shows Discover, Strategy and Account, by path, with icon and label of their meta', () => {
    expect(buildMenu(routeTable)).toEqual([
      { key: '/discover', label: 'shell.titles.discover', icon: 'discover', children: [] },
      { key: '/strategies', label: 'shell.titles.strategies', icon: 'strategy', children: [] },
      { key: '/account', label: 'shell.titles.account', icon: 'account', children: [] },
    ]);
  });

  it('nests an entry below the one whose path it continues', () => {
    const meta: RouteMeta = { title: 'shell.titles.account', requiresAuth: true, hideInMenu: false };
    const menu = buildMenu({ '/account': meta, '/account/security': meta, '/accounts': meta });
    expect(menu.map((entry) => [entry.key, entry.children.map((child) => child.key)])).toEqual([
      ['/account', ['/account/security']],
      ['/accounts', []],
    ]);
  });
});
