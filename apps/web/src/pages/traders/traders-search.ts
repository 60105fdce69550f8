// Which list of traders is open, kept in the address.
export const traderPeriods = ['7d', '30d', 'all'] as const;
export const traderSorts = ['profit', 'winRate', 'volume'] as const;
export type TraderPeriod = (typeof traderPeriods)[number];
export type TraderSort = (typeof traderSorts)[number];
export type TradersSearch = { period?: TraderPeriod; sort?: TraderSort };

/** Only what differs from the usual list stands in the address. */
export function readTradersSearch(search: Record<string, unknown>): TradersSearch {
  const period = traderPeriods.find((key) => key === search['period']);
  const sort = traderSorts.find((key) => key === search['sort']);
  return {
    ...(period && period !== '7d' ? { period } : {}),
    ...(sort && sort !== 'profit' ? { sort } : {}),
  };
}
