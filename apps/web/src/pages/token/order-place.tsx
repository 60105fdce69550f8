import { useLoggedIn } from '../../data/session.ts';
import type { TokenInfo } from '../../features/token-overview/use-token-info.ts';
import type { RunningOrder } from '../../features/trade/use-order.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LoginToTrade } from './login-to-trade.tsx';
import { OrderPanel } from './order-panel.tsx';
import type { OrderDraft } from './use-order-draft.ts';
import { useTokenSearch } from './use-token-search.ts';

/** Where orders are placed: the panel, once the token is known, or what leads visitors to the login. */
export function OrderPlace({
  address,
  info,
  draft,
  order,
}: {
  address: string;
  info: TokenInfo | undefined;
  draft: OrderDraft;
  order: RunningOrder;
}) {
  const loggedIn = useLoggedIn();
  const [search, setSearch] = useTokenSearch();
  if (!loggedIn) return <LoginToTrade />;
  if (!info) return <Skeleton height={485} />;
  return (
    <OrderPanel
      {...draft.panel}
      address={address}
      info={info}
      bookId={search.book ?? null}
      onBook={(book) => setSearch({ book })}
      order={order}
      onPlaced={() => setSearch({ tab: 'orders' })}
    />
  );
}
