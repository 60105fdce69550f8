// What of the token page stands in its address, so that it can be linked and survives a reload.
import { isCandleInterval } from '@hunter/domain/market/candle-interval';
import type { CandleInterval } from '@hunter/domain/market/candle-interval';

const tokenTabs = ['notices', 'trades', 'orders', 'holders'] as const;
export type TokenTab = (typeof tokenTabs)[number];

/** `book` is the one that the trade panel trades in; without it the user's personal one. */
export type TokenSearch = { interval?: CandleInterval; tab?: TokenTab; book?: string };

const BOOK_ID = /^[\w-]{1,64}$/;

export const DEFAULT_TAB: TokenTab = 'trades';

/** Unknown values fall away instead of breaking the page. */
export function tokenSearch(search: Record<string, unknown>): TokenSearch {
  const { interval, tab, book } = search;
  const found: TokenSearch = {};
  if (typeof interval === 'string' && isCandleInterval(interval)) found.interval = interval;
  const known = tokenTabs.find((each) => each === tab);
  if (known) found.tab = known;
  if (typeof book === 'string' && BOOK_ID.test(book)) found.book = book;
  return found;
}
