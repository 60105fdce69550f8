export type LazyRoute = { path: string; page: string; areas: string[] };

/** The lazy routes as the router's source declares them: it alone says which page and texts belong to an address. */
export function lazyRoutes(source: string): LazyRoute[] {
  const declaration =
    /path: '([^']+)',(?:(?!createRoute)[\s\S])*?lazyPage\(\(\) => import\('\.\/([^']+)'\)(?:, \[([^\]]*)\])?/g;
  return [...source.matchAll(declaration)].map(([, path = '', page = '', areas = '']) => ({
    path,
    page: `src/${page}`,
    areas: [...areas.matchAll(/'([^']+)'/g)].map(([, area = '']) => area),
  }));
}
