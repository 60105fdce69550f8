import type { CallReply } from '@hunter/contract/calls';
import { compareDecimals, divideDecimals, multiplyDecimals } from '@hunter/domain/numbers/decimal';
import { useLayoutEffect } from 'react';
import { session, useUser } from '../../data/session.ts';

type Account = CallReply<'getMyAccount'>;

/**
 * The account with the equity that the header shows. Each answer is priced at its own moment, and the header is told by pushes and
 * by questions of its own, too: of two figures one would always be older. So there is one, in the session; what the page is answered
 * goes there like everything else, and both show it.
 */
export function useSharedEquity(account: Account | undefined): Account | undefined {
  const wallet = useUser((user) => user?.walletInfo);
  const isKnown = wallet !== undefined;
  // Before the paint: nobody sees the answer of the page beside an older figure in the header.
  useLayoutEffect(() => {
    if (isKnown && account !== undefined) setEquity(account.equity);
  }, [isKnown, account]);
  return account && wallet ? withEquity(account, wallet.equity) : account;
}

/** A wallet that is on its way is newer and is still taken. */
function setEquity(equity: string | null): void {
  session.store.setState(({ user }) => ({
    user: user?.walletInfo ? { ...user, walletInfo: { ...user.walletInfo, equity } } : user,
  }));
}

const USD_PLACES = 6;
const RATE_PLACES = 18;

/** In dollars at the price of SOL that the answer had. */
function withEquity(account: Account, equity: string | null): Account {
  if (equity === account.equity) return account;
  const isPriced = account.equity !== null && account.equityUsd !== null && compareDecimals(account.equity, '0') > 0;
  const solUsd = isPriced ? divideDecimals(account.equityUsd!, account.equity!, RATE_PLACES, 'nearest') : null;
  const equityUsd = equity === null || solUsd === null ? null : multiplyDecimals(equity, solUsd, USD_PLACES, 'nearest');
  return { ...account, equity, equityUsd };
}
