import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { loadAreas } from './i18n/i18n.ts';
import { pageTable } from './page-table.ts';
import type { PagePath } from './page-table.ts';

const pages = import.meta.glob<{ default: ComponentType }>('./pages/*/*-page.tsx');

/** A page's code and its texts, fetched together when the route is first entered or its link is pointed at. */
export function lazyPage(path: PagePath) {
  const { page, areas } = pageTable[path];
  return lazyRouteComponent(async () => {
    const load = pages[`./pages/${page}/${page}-page.tsx`];
    if (!load) throw new Error(`there is no page ${page}`);
    globalThis.fetchPageAhead?.(path);
    const [module] = await Promise.all([load(), loadAreas(areas)]);
    return module;
  });
}
