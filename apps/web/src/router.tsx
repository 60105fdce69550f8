import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { session } from './data/session.ts';
import { lazyPage } from './lazy-page.ts';
import { tokenSearch } from './pages/token/token-search.ts';
import { routeTable } from './route-table.ts';
import type { RouteMeta, RoutePath } from './route-table.ts';
import { readAccountSearch } from './pages/account/account-search.ts';
import { readSquareSearch } from './pages/strategies/square-search.ts';
import { HOME_PATH } from './safe-redirect.ts';
import { AppShell } from './shell/app-shell.tsx';
import { NotFoundPage } from './shell/not-found-page.tsx';
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

/** Meta and guard of a route come from the table alone. */
function routeOptions(path: RoutePath) {
  const meta: RouteMeta = routeTable[path];
  return {
    staticData: { meta },
    beforeLoad: ({ location }: { location: { href: string } }) => {
      if (!meta.requiresAuth || session.store.getState().user) return;
      // oxlint-disable-next-line typescript/only-throw-error -- the router takes a thrown redirect as its answer.
      throw redirect({ to: '/login', search: { redirect: location.href }, replace: true });
    },
  };
}

type LoginSearch = { redirect?: string };
function loginSearch(search: Record<string, unknown>): LoginSearch {
  return typeof search['redirect'] === 'string' ? { redirect: search['redirect'] } : {};
}

const rootRoute = createRootRoute({ component: AppShell, notFoundComponent: NotFoundPage });

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  staticData: { meta: routeTable['/'] },
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- as above.
    throw redirect({ to: HOME_PATH, replace: true });
  },
});
const strategiesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/strategies',
  validateSearch: readSquareSearch,
  component: lazyPage(() => import('./pages/strategies/strategies-page.tsx'), ['strategies']),
  ...routeOptions('/strategies'),
});
const strategyDetailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/strategies/$slug',
  component: lazyPage(() => import('./pages/strategy-detail/strategy-detail-page.tsx'), ['strategies', 'strategy']),
  ...routeOptions('/strategies/$slug'),
});
const myFollowingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/myfollowing',
  component: lazyPage(() => import('./pages/my-following/my-following-page.tsx'), ['strategies', 'strategy']),
  ...routeOptions('/myfollowing'),
});
const myStrategyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mystrategy',
  component: lazyPage(() => import('./pages/my-strategy/my-strategy-page.tsx'), ['strategies']),
  ...routeOptions('/mystrategy'),
});
const tokenRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/token/$tokenAddress',
  validateSearch: tokenSearch,
  component: lazyPage(() => import('./pages/token/token-page.tsx'), ['token', 'trade', 'notices']),
  ...routeOptions('/token/$tokenAddress'),
});
const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  validateSearch: readAccountSearch,
  component: lazyPage(() => import('./pages/account/account-page.tsx'), ['account', 'strategies', 'strategy', 'auth']),
  ...routeOptions('/account'),
});
const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: loginSearch,
  component: lazyPage(() => import('./pages/login/login-page.tsx'), ['auth']),
  ...routeOptions('/login'),
});
const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  component: lazyPage(() => import('./pages/register/register-page.tsx'), ['auth']),
  ...routeOptions('/register'),
});
const registerSuccessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register-success',
  component: lazyPage(() => import('./pages/register-success/register-success-page.tsx'), ['auth']),
  ...routeOptions('/register-success'),
});
const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyPage(() => import('./pages/forgot-password/forgot-password-page.tsx'), ['auth']),
  ...routeOptions('/forgot-password'),
});
const notFoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  component: NotFoundPage,
  ...routeOptions('*'),
});
// The component page exists in development only; the build drops this branch and the page with it.
const devComponentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dev/components',
  component: import.meta.env.DEV
    ? lazyPage(() => import('./pages/dev-components/dev-components-page.tsx'))
    : NotFoundPage,
});

const routeTree = rootRoute.addChildren([
  homeRoute,
  strategiesRoute,
  strategyDetailRoute,
  myFollowingRoute,
  myStrategyRoute,
  tokenRoute,
  accountRoute,
  loginRoute,
  registerRoute,
  registerSuccessRoute,
  forgotPasswordRoute,
  devComponentsRoute,
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
