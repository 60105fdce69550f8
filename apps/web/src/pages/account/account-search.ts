// Which part of the account is open, kept in the address.
export const accountTabs = [
  'strategy',
  'position',
  'orders',
  'record',
  'tracked',
  'notifications',
  'security',
] as const;
export type AccountTab = (typeof accountTabs)[number];

export const strategyViews = ['created', 'followed'] as const;
export type StrategyView = (typeof strategyViews)[number];

export const recordViews = ['strategy', 'trade', 'calendar'] as const;
export type RecordView = (typeof recordViews)[number];

/** `view` is the sub-view of the tab. What was not chosen is not in the address: the account opens where there is something. */
export type AccountSearch = {
  tab?: AccountTab;
  view?: StrategyView | RecordView | 'ended';
  dialog?: 'deposit' | 'withdraw';
};

export function readAccountSearch(search: Record<string, unknown>): AccountSearch {
  const tab = accountTabs.find((key) => key === search['tab']);
  const dialog = search['dialog'] === 'deposit' || search['dialog'] === 'withdraw' ? search['dialog'] : null;
  const view = viewOf(tab ?? 'strategy', search['view']);
  return {
    ...(tab ? { tab } : {}),
    ...(view ? { view } : {}),
    ...(dialog ? { dialog } : {}),
  };
}

function viewOf(tab: AccountTab, view: unknown): AccountSearch['view'] | null {
  if (tab === 'strategy') return strategyViews.find((key) => key === view) ?? null;
  if (tab === 'orders') return view === 'ended' ? view : null;
  return tab === 'record' ? (recordViews.find((key) => key === view) ?? null) : null;
}

/** How many of each the user has. */
export type Contents = { created: number; followed: number; positions: number };

/** Strategies before positions, as they are the account's larger part, and created ones before followed ones. */
export function openPart(
  { tab, view }: AccountSearch,
  { created, followed, positions }: Contents,
): { tab: AccountTab; strategyView: StrategyView } {
  const onlyHolds = created === 0 && followed === 0 && positions > 0;
  return {
    tab: tab ?? (view === undefined && onlyHolds ? 'position' : 'strategy'),
    strategyView: strategyViews.find((key) => key === view) ?? (created === 0 && followed > 0 ? 'followed' : 'created'),
  };
}

/** The record opens where there is something: strategies first, as they are the account's larger part. */
export function openRecordView(chosen: RecordView | undefined, strategies: number, trades: number): RecordView {
  return chosen ?? (strategies === 0 && trades > 0 ? 'trade' : 'strategy');
}
