import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Area } from './i18n/areas.ts';
import { loadAreas } from './i18n/i18n.ts';

/** A page's code and its texts, fetched together when the route is first entered or its link is pointed at. */
export function lazyPage(load: () => Promise<{ default: ComponentType }>, areas: readonly Area[] = []) {
  return lazyRouteComponent(async () => {
    const [page] = await Promise.all([load(), loadAreas(areas)]);
    return page;
  });
}
