import './ui/dialog-entry.ts';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { session } from './data/session.ts';
import { readDiscoverSearch } from './features/discover/discover-search.ts';
import { lazyPage } from './lazy-page.ts';
import type { PagePath } from './page-table.ts';
import { tokenSearch } from './pages/token/token-search.ts';
import { routeTable } from './route-table.ts';
import type { RouteMeta, RoutePath } from './route-table.ts';
import { readAccountSearch } from './pages/account/account-search.ts';
import { readSquareSearch } from './pages/strategies/square-search.ts';
import { readTradersSearch } from './pages/traders/traders-search.ts';
import { HOME_PATH } from './safe-redirect.ts';
import { AppShell } from './shell/app-shell.tsx';
import { PageError } from './shell/page-error.tsx';
import { PageSpinner } from './ui/spinner.tsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    meta?: RouteMeta;
  }
  interface Register {
    router: typeof router;
  }
}

type LoginSearch = { redirect?: string };
function loginSearch(search: Record<string, unknown>): LoginSearch {
  return typeof search['redirect'] === 'string' ? { redirect: search['redirect'] } : {};
}

const NotFoundPage = lazyRouteComponent(() => import('./shell/not-found-page.tsx'));
const rootRoute = createRootRoute({ component: AppShell, notFoundComponent: NotFoundPage });

/** Meta, guard and page of a route come from the table alone. */
function routeOptions<Path extends RoutePath>(path: Path) {
  const meta: RouteMeta = routeTable[path];
  return {
    getParentRoute: () => rootRoute,
    path,
    staticData: { meta },
    beforeLoad: ({ location }: { location: { href: string } }) => {
      if (!meta.requiresAuth || session.store.getState().user) return;
      // oxlint-disable-next-line typescript/only-throw-error -- the router takes a thrown redirect as its answer.
      throw redirect({ to: '/login', search: { redirect: location.href }, replace: true });
    },
  };
}

function pageOptions<Path extends PagePath>(path: Path) {
  return { ...routeOptions(path), component: lazyPage(path) };
}

const homeRoute = createRoute({
  ...routeOptions('/'),
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- as above.
    throw redirect({ to: HOME_PATH, replace: true });
  },
});
const discoverRoute = createRoute({ ...pageOptions('/discover'), validateSearch: readDiscoverSearch });
const strategiesRoute = createRoute({ ...pageOptions('/strategies'), validateSearch: readSquareSearch });
const strategyDetailRoute = createRoute(pageOptions('/strategies/$slug'));
const creatorRoute = createRoute(pageOptions('/creator/$name'));
const walletRoute = createRoute(pageOptions('/wallet/$address'));
const tradersRoute = createRoute({ ...pageOptions('/traders'), validateSearch: readTradersSearch });
const transactionRoute = createRoute(pageOptions('/tx/$signature'));
const proofRoute = createRoute(pageOptions('/proof'));
const addressRoute = createRoute(pageOptions('/address/$address'));
const myFollowingRoute = createRoute(pageOptions('/myfollowing'));
const myStrategyRoute = createRoute(pageOptions('/mystrategy'));
const tokenRoute = createRoute({ ...pageOptions('/token/$tokenAddress'), validateSearch: tokenSearch });
const accountRoute = createRoute({ ...pageOptions('/account'), validateSearch: readAccountSearch });
const reservesRoute = createRoute(pageOptions('/reserves'));
const loginRoute = createRoute({ ...pageOptions('/login'), validateSearch: loginSearch });
const registerRoute = createRoute({ ...pageOptions('/register'), validateSearch: loginSearch });
const registerSuccessRoute = createRoute(pageOptions('/register-success'));
const forgotPasswordRoute = createRoute(pageOptions('/forgot-password'));
const freezeRoute = createRoute(pageOptions('/freeze'));
const unfreezeRoute = createRoute(pageOptions('/unfreeze'));
const undoResetRoute = createRoute(pageOptions('/undo-reset'));
const cancelWithdrawalRoute = createRoute(pageOptions('/cancel-withdrawal'));
const notFoundRoute = createRoute({ ...routeOptions('*'), path: '$', component: NotFoundPage });

const routeTree = rootRoute.addChildren([
  homeRoute,
  discoverRoute,
  strategiesRoute,
  strategyDetailRoute,
  creatorRoute,
  walletRoute,
  tradersRoute,
  transactionRoute,
  proofRoute,
  addressRoute,
  myFollowingRoute,
  myStrategyRoute,
  tokenRoute,
  accountRoute,
  reservesRoute,
  loginRoute,
  registerRoute,
  registerSuccessRoute,
  forgotPasswordRoute,
  freezeRoute,
  unfreezeRoute,
  undoResetRoute,
  cancelWithdrawalRoute,
  notFoundRoute,
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 80,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageSpinner,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});
