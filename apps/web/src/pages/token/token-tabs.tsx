import { useDeferredValue, useState } from 'react';
import type { ReactNode } from 'react';
import { HoldersTab } from '../../features/holders/holders-tab.tsx';
import { NoticesTab } from '../../features/notices/notices-tab.tsx';
import type { OrdersViewName } from '../../features/triggers/orders-view.tsx';
import { TradesTab } from '../../features/token-trades/trades-tab.tsx';
import type { WhoseTrades } from '../../features/token-trades/trades-tab.tsx';
import { useLoggedIn } from '../../data/session.ts';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { LoginLink } from './login-to-trade.tsx';
import type { TokenTab } from './token-search.ts';
import { useKeptChoice } from './use-kept-choice.ts';

const OrdersView = late(() => import('../../features/triggers/orders-view.tsx'));

/** One height for all tabs: changing them moves nothing. */
const HEIGHT = 480;

export function TokenTabs({
  address,
  symbol,
  openOrders,
  tab,
  onTab,
}: {
  address: string;
  symbol: string;
  openOrders: number;
  tab: TokenTab;
  onTab: (tab: TokenTab) => void;
}) {
  const t = useT();
  const loggedIn = useLoggedIn();
  const [whose, setWhose] = useState<WhoseTrades>('all');
  const [orders, setOrders] = useState<OrdersViewName>('open');
  const [open, setOpen] = useKeptChoice(tab, onTab);
  // The tab opens first, then its rows are rendered. Those of the tab before are not rendered once more on their way out.
  const shown = useDeferredValue(open);
  const later = (key: TokenTab, content: ReactNode) =>
    open === key && shown === key ? content : <div style={{ height: HEIGHT }} />;
  return (
    <section className="card overflow-hidden">
      <Tabs
        label={t('token.tabs.label')}
        value={open}
        onChange={setOpen}
        items={[
          {
            key: 'notices',
            label: t('token.tabs.notices'),
            content: later('notices', <NoticesTab address={address} height={HEIGHT} />),
          },
          {
            key: 'trades',
            label: t('token.tabs.trades'),
            content: later('trades', <TradesTab address={address} whose={whose} height={HEIGHT} />),
          },
          {
            key: 'orders',
            label: (
              <>
                {t('triggers.list.tab')}
                {openOrders > 0 && <Chip tone="accent">{openOrders}</Chip>}
              </>
            ),
            content: <OrdersTab address={address} symbol={symbol} view={orders} onView={setOrders} />,
          },
          {
            key: 'holders',
            label: t('token.tabs.holders'),
            content: later('holders', <HoldersTab address={address} height={HEIGHT} />),
          },
        ]}
        aside={open === 'trades' && loggedIn && <WhoseChoice whose={whose} onWhose={setWhose} />}
      />
    </section>
  );
}

/** The user's orders on this token. */
function OrdersTab({
  address,
  symbol,
  view,
  onView,
}: {
  address: string;
  symbol: string;
  view: OrdersViewName;
  onView: (view: OrdersViewName) => void;
}) {
  const t = useT();
  const loggedIn = useLoggedIn();
  return (
    <div className="overflow-y-auto scroll-thin" style={{ height: HEIGHT }}>
      {loggedIn ? (
        <OrdersView view={view} onView={onView} token={{ tokenContractAddress: address, tokenSymbol: symbol }} />
      ) : (
        <EmptyState height={HEIGHT} text={t('trade.login.orders')} action={<LoginLink size="s" />} />
      )}
    </div>
  );
}

function WhoseChoice({ whose, onWhose }: { whose: WhoseTrades; onWhose: (whose: WhoseTrades) => void }) {
  const t = useT();
  return (
    <SegmentedControl
      label={t('token.trades.whose')}
      value={whose}
      onChange={onWhose}
      options={[
        { key: 'all', label: t('token.trades.all') },
        { key: 'mine', label: t('token.trades.mine') },
      ]}
    />
  );
}
