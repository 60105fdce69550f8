import { useCallback, useEffect, useRef, useState } from 'react';
import { browserStorage } from '../../ui/browser-storage.ts';
import type { DiscoverToken } from './discover-token.ts';
import { readQuickBuy, writeQuickBuy } from './quick-buy-settings.ts';
import type { QuickBuySettings } from './quick-buy-settings.ts';
import { placeQuickBuy } from './quick-buy.ts';

type Purchase = { token: DiscoverToken; amount: string };

/** The purchases of a page. `account` is null where nobody is logged in: then `onVisitor` is called instead. */
export function useQuickBuy(account: string | null, slippageBps: number | null, onVisitor: () => void) {
  const loggedIn = account !== null;
  const place = account ?? 'visitor';
  const [settings, setSettings] = useState(() => readQuickBuy(browserStorage, place));
  const [pending, setPending] = useState<ReadonlyMap<string, string>>(new Map());
  /** The first purchase waits until the user has read what a click does. */
  const [first, setFirst] = useState<Purchase | null>(null);
  const [shownFor, setShownFor] = useState(place);
  if (shownFor !== place) {
    // Another tab logged somebody else in.
    setShownFor(place);
    setSettings(readQuickBuy(browserStorage, place));
    setFirst(null);
  }

  const run = useCallback(
    async ({ token, amount }: Purchase) => {
      const address = token.tokenContractAddress;
      setPending((before) => new Map(before).set(address, amount));
      await placeQuickBuy({ address, symbol: token.tokenSymbol }, amount, slippageBps);
      setPending((before) => {
        const next = new Map(before);
        next.delete(address);
        return next;
      });
    },
    [slippageBps],
  );

  const latest = useRef({ loggedIn, settings, run, onVisitor });
  useEffect(() => {
    latest.current = { loggedIn, settings, run, onVisitor };
  });
  const buy = useCallback((token: DiscoverToken, amount: string) => {
    const now = latest.current;
    if (!now.loggedIn) now.onVisitor();
    else if (now.settings.armed) void now.run({ token, amount });
    else setFirst({ token, amount });
  }, []);

  function change(next: QuickBuySettings): void {
    setSettings(next);
    writeQuickBuy(browserStorage, place, next);
  }

  return {
    settings,
    pending,
    first,
    buy,
    change,
    confirmFirst: () => {
      change({ ...settings, armed: true });
      if (first) void run(first);
      setFirst(null);
    },
    dismissFirst: () => setFirst(null),
  };
}
