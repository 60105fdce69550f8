// Which part of the account is open, kept in the address.
export const accountTabs = ['strategy', 'position', 'record', 'security'] as const;
export type AccountTab = (typeof accountTabs)[number];

/** `view` is the sub-view of the tab; only what differs from the usual view stands in the address. */
export type AccountSearch = { tab?: AccountTab; view?: 'followed' | 'trade'; dialog?: 'deposit' | 'withdraw' };

export function readAccountSearch(search: Record<string, unknown>): AccountSearch {
  const tab = accountTabs.find((key) => key === search['tab']);
  const view =
    search['view'] === 'followed' && (tab ?? 'strategy') === 'strategy'
      ? 'followed'
      : search['view'] === 'trade' && tab === 'record'
        ? 'trade'
        : null;
  const dialog = search['dialog'] === 'deposit' || search['dialog'] === 'withdraw' ? search['dialog'] : null;
  return {
    ...(tab && tab !== 'strategy' ? { tab } : {}),
    ...(view ? { view } : {}),
    ...(dialog ? { dialog } : {}),
  };
}
