// Every route with its meta: the one place that says who may open it, what it is called and whether the menu shows it.
import type { TextKey } from './i18n/areas.ts';

export type RouteIcon = 'discover' | 'strategy' | 'account';

export type RouteMeta = {
  title: TextKey;
  requiresAuth: boolean;
  hideInMenu: boolean;
  icon?: RouteIcon;
};

export const routeTable = {
  '/': { title: 'shell.titles.strategies', requiresAuth: true, hideInMenu: true },
  // Open, so that visitors see the market before they sign up.
  '/discover': { title: 'shell.titles.discover', requiresAuth: false, hideInMenu: false, icon: 'discover' },
  '/strategies': { title: 'shell.titles.strategies', requiresAuth: true, hideInMenu: false, icon: 'strategy' },
  '/strategies/$slug': { title: 'shell.titles.strategyDetail', requiresAuth: true, hideInMenu: true },
  // Open, so that a creator can show his record.
  '/creator/$name': { title: 'shell.titles.creator', requiresAuth: false, hideInMenu: true },
  // Open: what is on the chain is public.
  '/wallet/$address': { title: 'shell.titles.wallet', requiresAuth: false, hideInMenu: true },
  '/traders': { title: 'shell.titles.traders', requiresAuth: false, hideInMenu: true },
  '/tx/$signature': { title: 'shell.titles.transaction', requiresAuth: false, hideInMenu: true },
  // Open: where the link of a share card leads.
  '/proof': { title: 'shell.titles.proof', requiresAuth: false, hideInMenu: true },
  '/address/$address': { title: 'shell.titles.address', requiresAuth: false, hideInMenu: true },
  '/myfollowing': { title: 'shell.titles.myFollowing', requiresAuth: true, hideInMenu: true },
  '/mystrategy': { title: 'shell.titles.myStrategy', requiresAuth: true, hideInMenu: true },
  // Open, unlike the original table: nobody could ever sign up otherwise.
  '/register': { title: 'shell.titles.register', requiresAuth: false, hideInMenu: true },
  '/register-success': { title: 'shell.titles.registerSuccess', requiresAuth: false, hideInMenu: true },
  '/forgot-password': { title: 'shell.titles.forgotPassword', requiresAuth: false, hideInMenu: true },
  // Open: where links of security mails lead, for people who cannot log in or should not have to.
  '/freeze': { title: 'shell.titles.freeze', requiresAuth: false, hideInMenu: true },
  '/unfreeze': { title: 'shell.titles.unfreeze', requiresAuth: false, hideInMenu: true },
  '/undo-reset': { title: 'shell.titles.undoReset', requiresAuth: false, hideInMenu: true },
  '/cancel-withdrawal': { title: 'shell.titles.cancelWithdrawal', requiresAuth: false, hideInMenu: true },
  // Open, unlike the original table: a link to a token must show it to whoever gets it. Trading needs a login.
  '/token/$tokenAddress': { title: 'shell.titles.token', requiresAuth: false, hideInMenu: true },
  // Open: what is owed and what is on chain is nobody's secret.
  '/reserves': { title: 'shell.titles.reserves', requiresAuth: false, hideInMenu: true },
  '/login': { title: 'shell.titles.login', requiresAuth: false, hideInMenu: true },
  '/account': { title: 'shell.titles.account', requiresAuth: true, hideInMenu: false, icon: 'account' },
  '*': { title: 'shell.titles.notFound', requiresAuth: false, hideInMenu: true },
} as const satisfies Record<string, RouteMeta>;

export type RoutePath = keyof typeof routeTable;

type MenuEntry = { key: string; label: TextKey; icon?: RouteIcon; children: readonly MenuEntry[] };

/** The menu: what is not hidden, by path; an entry whose path continues another one's is nested below it. */
export function buildMenu(table: Readonly<Record<string, RouteMeta>>): readonly MenuEntry[] {
  const shown = Object.entries(table)
    .filter(([, meta]) => !meta.hideInMenu)
    .map(([path, meta]) => ({
      key: path,
      label: meta.title,
      ...(meta.icon ? { icon: meta.icon } : {}),
      children: [] as MenuEntry[],
    }));
  const top: MenuEntry[] = [];
  for (const entry of shown) {
    const parent = shown.find((other) => other !== entry && entry.key.startsWith(`${other.key}/`));
    (parent?.children ?? top).push(entry);
  }
  return top;
}
