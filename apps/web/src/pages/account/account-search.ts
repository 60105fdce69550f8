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

export const recordViews = ['strategy', 'trade', 'calendar'] as const;
export type RecordView = (typeof recordViews)[number];

/** `view` is the sub-view of the tab; only what differs from the usual view stands in the address. */
export type AccountSearch = {
  tab?: AccountTab;
  view?: 'followed' | RecordView | 'ended';
  dialog?: 'deposit' | 'withdraw';
};

export function readAccountSearch(search: Record<string, unknown>): AccountSearch {
  const tab = accountTabs.find((key) => key === search['tab']);
  const dialog = search['dialog'] === 'deposit' || search['dialog'] === 'withdraw' ? search['dialog'] : null;
  const view = viewOf(tab ?? 'strategy', search['view']);
  return {
    ...(tab && tab !== 'strategy' ? { tab } : {}),
    ...(view ? { view } : {}),
    ...(dialog ? { dialog } : {}),
  };
}

function viewOf(tab: AccountTab, view: unknown): AccountSearch['view'] | null {
  if (tab === 'strategy') return view === 'followed' ? view : null;
  if (tab === 'orders') return view === 'ended' ? view : null;
  return tab === 'record' ? (recordViews.find((key) => key === view) ?? null) : null;
}

/** The record opens where there is something: strategies first, as they are the account's larger part. */
export function openRecordView(chosen: RecordView | undefined, strategies: number, trades: number): RecordView {
  return chosen ?? (strategies === 0 && trades > 0 ? 'trade' : 'strategy');
}
