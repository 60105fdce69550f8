import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import type { RowActions } from '../../features/discover/token-parts.tsx';
import { useQuickBuy } from '../../features/discover/use-quick-buy.ts';

const route = getRouteApi('/discover');

/** What can be done in a row of the market; visitors, whose `account` is null, are led to the login. */
export function useRowActions(
  account: string | null,
  slippageBps: number | null,
  watch: (tokenAddress: string, on: boolean) => void,
) {
  const navigate = route.useNavigate();
  const loggedIn = account !== null;
  const slippageText = slippageBps === null ? '…' : String(slippageBps / 100);
  const toLogin = () => void navigate({ to: '/login', search: { redirect: location.pathname + location.search } });
  const quickBuy = useQuickBuy(account, slippageBps, toLogin);

  const acts = useRef({ watch, loggedIn, toLogin });
  useEffect(() => {
    acts.current = { watch, loggedIn, toLogin };
  });
  const { amounts } = quickBuy.settings;
  const { buy } = quickBuy;
  const actions = useMemo<RowActions>(
    () => ({
      watch: (token, on) => {
        if (acts.current.loggedIn) acts.current.watch(token.tokenContractAddress, on);
        else acts.current.toLogin();
      },
      buy,
      amounts,
      slippageText,
    }),
    [buy, amounts, slippageText],
  );
  return { quickBuy, actions };
}
