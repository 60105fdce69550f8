import { useState } from 'react';
import { browserStorage } from '../../ui/browser-storage.ts';
import { saveItemLater } from '../../data/saved-items.ts';
import { useLoggedIn } from '../../data/session.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { filterText, readFilterText, readSaved, writeSaved } from '../../features/discover/presets.ts';
import type { SavedFilter } from '../../features/discover/presets.ts';

/**
 * Filters by name: of the account where there is one, else of this browser. Those that were saved before logging in are shown beside
 * and become the account's with the next change.
 */
export function useSavedFilters(): [saved: readonly SavedFilter[], save: (next: SavedFilter[]) => void] {
  const loggedIn = useLoggedIn();
  const [own, setOwn] = useState<readonly SavedFilter[] | null>(null);
  const [local, setLocal] = useState(() => readSaved(browserStorage));
  const query = useApiQuery('getMySavedItems', { kind: 'discover' }, { quiet: true, enabled: loggedIn });
  const stored = query.data?.lists.flatMap(({ key, value }) => readFilterText(key, value)) ?? [];
  const names = new Set(stored.map(({ name }) => name));
  const saved = own ?? (loggedIn ? [...local.filter(({ name }) => !names.has(name)), ...stored] : local);

  function save(next: SavedFilter[]): void {
    if (!loggedIn) {
      setLocal(next);
      writeSaved(browserStorage, next);
      return;
    }
    // What the account holds by now: what this page has saved since is not in what it once read.
    const before = new Map((own ?? stored).map(({ name, filter }) => [name, filterText(filter)]));
    for (const { name, filter } of next) {
      const text = filterText(filter);
      if (before.get(name) !== text) saveItemLater('discover', name, text);
      before.delete(name);
    }
    for (const name of before.keys()) saveItemLater('discover', name, null);
    setOwn(next);
    writeSaved(browserStorage, []);
  }
  return [saved, save];
}
