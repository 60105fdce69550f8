// The page and the texts behind each address. Plain data without imports: the router reads it, and so do the build and the
// bundle bench, to know which files an address needs first.

/** Texts that every page shows. */
export const FIRST_AREAS = ['ui', 'shell'] as const;

/** `account` is the file pages/account/account-page.tsx; the areas are texts that load with it. */
export const pageTable = {
  '/discover': { page: 'discover', areas: ['discover'] },
  '/strategies': { page: 'strategies', areas: ['strategies'] },
  '/strategies/$slug': { page: 'strategy-detail', areas: ['strategies', 'strategy'] },
  '/creator/$name': { page: 'creator', areas: ['strategies'] },
  '/wallet/$address': { page: 'wallet', areas: ['wallet'] },
  '/traders': { page: 'traders', areas: ['wallet'] },
  '/tx/$signature': { page: 'transaction', areas: ['chain'] },
  '/proof': { page: 'proof', areas: ['share'] },
  '/address/$address': { page: 'address', areas: ['chain'] },
  '/myfollowing': { page: 'my-following', areas: ['strategies', 'strategy', 'walletFollow'] },
  '/mystrategy': { page: 'my-strategy', areas: ['strategies'] },
  '/token/$tokenAddress': { page: 'token', areas: ['token', 'trade', 'triggers', 'notices'] },
  '/account': {
    page: 'account',
    areas: ['account', 'strategies', 'strategy', 'auth', 'newWallet', 'triggers', 'wallet'],
  },
  '/reserves': { page: 'reserves', areas: ['reserves'] },
  '/login': { page: 'login', areas: ['auth'] },
  '/register': { page: 'register', areas: ['auth'] },
  '/register-success': { page: 'register-success', areas: ['auth', 'newWallet'] },
  '/forgot-password': { page: 'forgot-password', areas: ['auth'] },
  '/freeze': { page: 'freeze', areas: ['auth', 'mailed'] },
  '/unfreeze': { page: 'unfreeze', areas: ['auth'] },
  '/undo-reset': { page: 'undo-reset', areas: ['auth', 'mailed'] },
  '/cancel-withdrawal': { page: 'cancel-withdrawal', areas: ['auth', 'mailed'] },
} as const satisfies Record<string, { page: string; areas: readonly string[] }>;

/** What the header of somebody logged in fetches at once on every page. */
export const SESSION_FILES = [
  'src/features/session/logged-in-menu.tsx',
  'src/features/alerts/counting-bell.tsx',
] as const;

export type PagePath = keyof typeof pageTable;
export type PageFiles = { path: PagePath; page: string; texts: (language: 'en' | 'zh') => string[] };

/** The sources of each page, from the root of the web app. */
export function pageFiles(): PageFiles[] {
  return Object.entries(pageTable).map(([path, { page, areas }]) => ({
    path: path as PagePath,
    page: `src/pages/${page}/${page}-page.tsx`,
    texts: (language) => [...FIRST_AREAS, ...areas].map((area) => `src/i18n/${language}/${area}.ts`),
  }));
}
