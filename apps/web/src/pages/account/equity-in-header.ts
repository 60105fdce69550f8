import { useEffect } from 'react';
import { session, useUser } from '../../data/session.ts';

/** The header shows the equity that the page shows: each is priced when it is asked for, and two figures would differ. */
export function useEquityInHeader(equity: string | null | undefined): void {
  const isKnown = useUser((user) => user?.walletInfo !== undefined);
  useEffect(() => {
    if (isKnown && equity !== undefined) setEquity(equity);
  }, [isKnown, equity]);
}

/** A wallet that is on its way is newer and is still taken. */
export function setEquity(equity: string | null): void {
  session.store.setState(({ user }) => ({
    user: user?.walletInfo ? { ...user, walletInfo: { ...user.walletInfo, equity } } : user,
  }));
}
