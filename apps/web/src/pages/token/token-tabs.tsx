import { useState } from 'react';
import { HoldersTab } from '../../features/holders/holders-tab.tsx';
import { NoticesTab } from '../../features/notices/notices-tab.tsx';
import { TradesTab } from '../../features/token-trades/trades-tab.tsx';
import type { WhoseTrades } from '../../features/token-trades/trades-tab.tsx';
import { useT } from '../../i18n/i18n.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { TokenTab } from './token-search.ts';

/** One height for all tabs: changing them moves nothing. */
const HEIGHT = 480;

export function TokenTabs({ address, tab, onTab }: { address: string; tab: TokenTab; onTab: (tab: TokenTab) => void }) {
  const t = useT();
  const [whose, setWhose] = useState<WhoseTrades>('all');
  return (
    <section className="card overflow-hidden">
      <Tabs
        label={t('token.tabs.label')}
        value={tab}
        onChange={onTab}
        items={[
          {
            key: 'notices',
            label: t('token.tabs.notices'),
            content: <NoticesTab address={address} height={HEIGHT} />,
          },
          {
            key: 'trades',
            label: t('token.tabs.trades'),
            content: <TradesTab address={address} whose={whose} height={HEIGHT} />,
          },
          {
            key: 'holders',
            label: t('token.tabs.holders'),
            content: <HoldersTab address={address} height={HEIGHT} />,
          },
        ]}
        aside={
          tab === 'trades' && (
            <SegmentedControl
              label={t('token.trades.whose')}
              value={whose}
              onChange={setWhose}
              options={[
                { key: 'all', label: t('token.trades.all') },
                { key: 'mine', label: t('token.trades.mine') },
              ]}
            />
          )
        }
      />
    </section>
  );
}
