// What of the token page stands in its address, so that it can be linked and survives a reload.
import { isCandleInterval } from '@hunter/domain/candle-interval';
import type { CandleInterval } from '@hunter/domain/candle-interval';

export const tokenTabs = ['notices', 'trades', 'holders'] as const;
export type TokenTab = (typeof tokenTabs)[number];

export type TokenSearch = { interval?: CandleInterval; tab?: TokenTab };

export const DEFAULT_INTERVAL: CandleInterval = '15m';
export const DEFAULT_TAB: TokenTab = 'trades';

/** Unknown values fall away instead of breaking the page. */
export function tokenSearch(search: Record<string, unknown>): TokenSearch {
  const { interval, tab } = search;
  const found: TokenSearch = {};
  if (typeof interval === 'string' && isCandleInterval(interval)) found.interval = interval;
  const known = tokenTabs.find((each) => each === tab);
  if (known) found.tab = known;
  return found;
}
